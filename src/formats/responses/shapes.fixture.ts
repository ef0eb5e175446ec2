// Neutral shapes for the tests of this folder, whole except for what a test is about.
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { Exchange, FieldNames, Turn } from "../exchange.ts";
import type { ReplyFrame, RequestTarget } from "../format.ts";
import { exchangeWith } from "../kit/shapes.fixture.ts";
import type { StreamEncoder, StreamPart } from "../stream-part.ts";
import { readResponsesRequest } from "./read.ts";

/** Names that no format has, to see that errors speak in the client's words. */
const names: FieldNames = {
  temperature: "client.temperature",
  topP: "client.topP",
  topK: "client.topK",
  seed: "client.seed",
  presencePenalty: "client.presencePenalty",
  frequencyPenalty: "client.frequencyPenalty",
  userId: "client.userId",
  metadata: "client.metadata",
  verbosity: "client.verbosity",
  serviceTier: "client.serviceTier",
  cacheKey: "client.cacheKey",
  store: "client.store",
  safety: "client.safety",
  choices: "client.choices",
  stop: "client.stop",
  tools: "client.tools",
  toolChoice: "client.toolChoice",
  parallelCalls: "client.parallelCalls",
  shape: "client.shape",
  reasoning: "client.reasoning",
  cache: "prompt_cache_breakpoint",
  outputTokensMax: "client.outputTokensMax",
};

export function exchangeOf(given: Partial<Exchange>): Exchange {
  const turns: Turn[] = [{ role: "user", parts: [{ kind: "text", text: "hi" }] }];
  return exchangeWith({ turns, names, ...given });
}

export function frameOf(given: JsonObject = {}): ReplyFrame {
  const body = { model: "m", input: "hi", ...given };
  return {
    requestId: "r1",
    createdAtSeconds: 1_700_000_000,
    exchange: exchangeOf({}),
    request: readResponsesRequest(body),
    body,
  };
}

export const target: RequestTarget = { model: "up", stream: false, outputTokensMax: 4096 };

interface WrittenEvent extends JsonObject {
  type: string;
}

/** What an encoder wrote, each event's data with the event's name checked against its type. */
export function eventsOf(text: string): WrittenEvent[] {
  return readEvents(text).map(({ event, data }) => {
    const json = JSON.parse(data) as WrittenEvent;
    if (json.type !== event) throw new Error(`${String(event)} is not ${json.type}`);
    return json;
  });
}

export function writeAll(encoder: StreamEncoder, parts: readonly StreamPart[]): string {
  return parts.map((part) => encoder.push(part)).join("");
}

/** The parts of a reply that is one text. */
export function textParts(text: string): StreamPart[] {
  return [
    { kind: "reply-start", id: "up-1" },
    { kind: "block-start", block: 0, choice: 0, content: { kind: "text" } },
    ...text.split(/(?<= )/).map((piece) => ({
      kind: "block-delta" as const,
      block: 0,
      text: piece,
    })),
    { kind: "block-end", block: 0 },
    { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
    { kind: "usage", usage: usageOf(3, 5) },
    { kind: "reply-end" },
  ];
}

export function usageOf(inputTokens: number, outputTokens: number) {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
}
