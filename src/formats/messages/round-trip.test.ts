// Messages that go out to a client of this format and come back from an upstream of it unchanged.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { ReplyPart, StopReason } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { decodeReply } from "./decode-reply.ts";
import { decodeRequest } from "./decode-request.ts";
import { MessagesStreamDecoder } from "./decode-stream.ts";
import { encodeReply } from "./encode-reply.ts";
import { MessagesStreamEncoder } from "./encode-stream.ts";
import { readMessagesRequest } from "./read.ts";

const body = {
  model: "shown-model",
  messages: [{ role: "user", content: "hi" }],
  thinking: { type: "adaptive" },
};
const request = readMessagesRequest(body);
const exchange = decodeRequest(body, request);
const frame = { requestId: "req1", createdAtSeconds: 0, exchange, request, body };

interface Block {
  content: BlockContent;
  pieces: string[];
  proof: string | null;
}

const pieces = fc.array(fc.string({ minLength: 1, unit: "grapheme" }), { maxLength: 4 });
const id = fc.stringMatching(/^[a-z]{1,8}$/);
const blocks = fc.array(
  fc.oneof(
    fc.record<Block>({ content: fc.constant({ kind: "text" }), pieces, proof: fc.constant(null) }),
    fc.record<Block>({
      content: fc.constant({ kind: "reasoning", isRedacted: false }),
      pieces,
      proof: fc.option(fc.base64String({ minLength: 4 })),
    }),
    fc.record<Block>({
      content: fc.constant({ kind: "reasoning", isRedacted: true }),
      pieces: fc.constant([]),
      proof: fc.base64String({ minLength: 4 }),
    }),
    fc.record<Block>({
      content: fc.record({ kind: fc.constant("call"), id, name: id, isCustom: fc.constant(false) }),
      pieces: fc.json().map((json) => [`{"a":`, json, "}"]),
      proof: fc.constant(null),
    }),
  ),
  { maxLength: 6 },
);

const stops: StopReason[] = [
  "stop",
  "stop-sequence",
  "length",
  "context",
  "calls",
  "filter",
  "pause",
];
const count = fc.nat(1000);
const usages = fc
  .tuple(count, count, count, count, count)
  .map(([plain, cacheReadTokens, cacheWriteTokens, more, reasoningTokens]): Usage => ({
    inputTokens: plain + cacheReadTokens + cacheWriteTokens,
    outputTokens: reasoningTokens + more,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  }));

/** All pieces of the blocks, mixed by the dice, each block's own in their order. */
function mix(all: readonly Block[], dice: readonly number[]): StreamPart[] {
  const queues = all.map(({ content, pieces: texts, proof }, block): StreamPart[] => [
    { kind: "block-start", block, choice: 0, content },
    ...texts.map((text): StreamPart => ({ kind: "block-delta", block, text })),
    ...(proof === null
      ? []
      : [{ kind: "block-proof", block, proof: { dialect: "messages", data: proof } } as const]),
    { kind: "block-end", block },
  ]);
  const mixed: StreamPart[] = [];
  let started = 0;
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const dieRoll = dice[turn % dice.length] ?? 0;
    // Blocks start in their order; those that have started go on in any.
    const isStart = started < queues.length && dieRoll % 3 === 0;
    const going = queues.slice(0, started).filter((queue) => queue.length > 0);
    const queue = isStart || going.length === 0 ? queues[started++] : going[dieRoll % going.length];
    const part = queue?.shift();
    if (part) mixed.push(part);
  }
  return mixed;
}

/** Thoughts that nobody signed come back with the seal that says so. */
function asSigned(part: ReplyPart): ReplyPart {
  if (part.kind !== "reasoning" || part.proof) return part;
  return { ...part, proof: { dialect: "messages", data: "sluice1:messages:::" } };
}

/** Blocks without any content are not shown. */
function isShown(part: ReplyPart): boolean {
  if (part.kind === "text") return part.text !== "";
  return part.kind !== "reasoning" || part.text !== "" || part.proof !== null;
}

test("a stream of blocks side by side comes back whole, one block at a time", () => {
  fc.assert(
    fc.property(
      blocks,
      fc.array(fc.nat(100), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...stops),
      usages,
      (all, dice, stop, usage) => {
        const parts: StreamPart[] = [
          { kind: "reply-start", id: null },
          ...mix(all, dice),
          { kind: "choice-end", choice: 0, stop, stopSequence: null },
          { kind: "usage", usage },
          { kind: "reply-end" },
        ];
        const encoder = new MessagesStreamEncoder(frame);
        const events = readEvents(parts.map((part) => encoder.push(part)).join(""));
        expectSequential(events.map(({ data }) => JSON.parse(data) as unknown));
        const decoder = new MessagesStreamDecoder();
        const back = foldParts(events.flatMap((event) => decoder.push(event)));
        const sent = foldParts(parts);
        expect(back?.usage).toEqual(usage);
        expect(back?.choices[0]?.stop).toBe(stop);
        if (!sent) throw new Error("the parts are a whole reply");
        const shown = sent.choices[0]?.parts.filter(isShown).map(asSigned);
        expect(back?.choices[0]?.parts).toEqual(shown ?? []);
        const whole = decodeReply(encodeReply(sent, frame));
        expect(whole?.usage).toEqual(usage);
        expect(textsOf(whole?.choices[0]?.parts)).toEqual(textsOf(back?.choices[0]?.parts));
      },
    ),
    { numRuns: 300 },
  );
});

/** The whole reply writes the input of a call anew, so its JSON is compared as what it says. */
function textsOf(parts: readonly ReplyPart[] = []): unknown[] {
  return parts.map((part) =>
    part.kind === "call" ? { ...part, input: JSON.parse(part.input) as unknown } : part,
  );
}

/** Starts and stops balance, one block is open at a time, and they are numbered in order. */
function expectSequential(events: readonly unknown[]): void {
  let openIndex: number | null = null;
  let next = 0;
  for (const event of events) {
    if (!isObject(event)) throw new Error("an event is no object");
    if (event["type"] === "content_block_start") {
      expect(openIndex).toBeNull();
      expect(event["index"]).toBe(next);
      openIndex = next++;
    } else if (event["type"] === "content_block_delta" || event["type"] === "content_block_stop") {
      expect(event["index"]).toBe(openIndex);
      if (event["type"] === "content_block_stop") openIndex = null;
    }
  }
  expect(openIndex).toBeNull();
}
