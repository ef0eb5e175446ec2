// The thread that reads replies and counts tokens. It keeps nothing between calls, so that it may
// end at any time and calls may overtake each other.
import { sleep, systemClock, systemTimers } from "../../../core/clock.ts";
import type { FormatName } from "../../../formats/format.ts";
import { formats } from "../../../formats/index.ts";
import { TokenCounter } from "./counter.ts";
import { lastSeam } from "./cut.ts";
import { readReplyTexts, readRequestTexts } from "./texts.ts";
import { weighPrompt } from "./weigh-prompt.ts";

export type CountRequest =
  /** Bytes of a reply, and the text of it that was read before and is not counted yet. */
  | {
      kind: "reply";
      format: FormatName;
      text: string;
      bytes: Uint8Array<ArrayBuffer>;
      isLast: boolean;
    }
  | { kind: "request"; format: FormatName; body: string }
  | { kind: "texts"; texts: readonly string[] }
  | PromptRequest;

/** A whole body, of which the most is wanted that it can be counted as. */
export interface PromptRequest {
  kind: "prompt";
  /** Its JSON, or that of its parts, as it was written. */
  written: readonly Uint8Array[];
  /** Part of it that is held for as pictures. */
  mediaBytes: number;
  /** Tokens of its vendor for a hundred that are counted, at most. */
  percent: number;
  /** Time after which uncounted text is taken for a token a byte. */
  withinMs: number;
}

export interface Count {
  tokens: number;
  /** Text that is not counted yet. */
  text: string;
}

/** Without a request it takes the one of that number back. */
export interface CountCall {
  number: number;
  request: CountRequest | null;
}

export interface CountAnswer {
  number: number;
  /** Null when it could not be counted. */
  count: Count | null;
}

declare const self: Worker;

/** Most replies end with their usage: until a count is asked for, their text is only kept. */
const textCharactersMax = 64 * 1024;
const counter = new TokenCounter(() => sleep(systemTimers, 0));
const wanted = new Set<number>();

self.onmessage = (event: MessageEvent<CountCall>) => {
  const { number, request } = event.data;
  if (request) void answer(number, request);
  else wanted.delete(number);
};

async function answer(number: number, request: CountRequest): Promise<void> {
  wanted.add(number);
  let count: Count | null = null;
  try {
    count = await countRequest(request, () => wanted.has(number));
  } catch {
    // The caller estimates.
  }
  wanted.delete(number);
  const reply: CountAnswer = { number, count };
  self.postMessage(reply);
}

async function countRequest(request: CountRequest, isWanted: () => boolean): Promise<Count | null> {
  switch (request.kind) {
    case "reply":
      return await countReply(request, isWanted);
    case "request":
      return await countTexts(readRequestTexts(formats[request.format], request.body), isWanted);
    case "texts":
      return await countTexts(request.texts, isWanted);
    case "prompt":
      return await boundPrompt(request);
  }
}

async function boundPrompt(request: PromptRequest): Promise<Count> {
  const { written, mediaBytes, percent, withinMs } = request;
  await counter.load();
  const untilMs = systemClock.monotonicMs() + withinMs;
  const isInTime = () => systemClock.monotonicMs() < untilMs;
  const json = written.map(plainJson).join("");
  const { text, tokens: foreignTokens } = weighPrompt(json, mediaBytes);
  const { tokens, characters } = await counter.countSome([text], isInTime);
  const rest = Buffer.byteLength(text.slice(characters));
  return { tokens: Math.ceil((tokens * percent) / 100) + foreignTokens + rest, text: "" };
}

const decoder = new TextDecoder();

/** Without escapes: many clients write all but ASCII as them, and vendors read what they mean. */
function plainJson(bytes: Uint8Array): string {
  return JSON.stringify(JSON.parse(decoder.decode(bytes)));
}

async function countReply(
  { format, text, bytes, isLast }: Extract<CountRequest, { kind: "reply" }>,
  isWanted: () => boolean,
): Promise<Count | null> {
  const { whole, streamed } = readReplyTexts(formats[format], bytes);
  const running = text + streamed;
  if (isLast) return await countTexts([...whole, running], isWanted);
  const at = running.length > textCharactersMax ? lastSeam(running) : 0;
  const due = at === 0 ? whole : [...whole, running.slice(0, at)];
  const count = due.length === 0 ? noCount : await countTexts(due, isWanted);
  return count && { tokens: count.tokens, text: running.slice(at) };
}

const noCount: Count = { tokens: 0, text: "" };

async function countTexts(
  texts: readonly string[],
  isWanted: () => boolean,
): Promise<Count | null> {
  const tokens = await counter.count(texts, isWanted);
  return tokens === null ? null : { tokens, text: "" };
}
