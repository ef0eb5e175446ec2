// Random replies through our own encoder and decoder: what a client reads of a stream is what was
// said, whatever the order in which its blocks come.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isObject } from "../../core/json.ts";
import { SseSplitter } from "../../core/sse.ts";
import type { Proof, ReplyPart } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import { openProof } from "../kit/proof.ts";
import type { StreamPart } from "../stream-part.ts";
import { decodeResponsesReply } from "./decode-reply.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";
import { encodeResponsesReply } from "./encode-reply.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { eventsOf, frameOf, usageOf, writeAll } from "./fixtures/shapes.ts";

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const count = fc.nat({ max: 10_000 });

const citation = fc.record({
  url: fc.webUrl(),
  title: words,
  quote: fc.option(words),
  start: count,
  end: count,
  document: fc.constant(null),
});

const text = fc
  .record({ text: words, citations: fc.array(citation, { maxLength: 2 }) })
  .map(({ text, citations }): ReplyPart => {
    return citations.length === 0 ? { kind: "text", text } : { kind: "text", text, citations };
  });

const reasoning = fc
  .record({ text: words, data: fc.option(words) })
  .map(({ text, data }): ReplyPart => {
    const proof: Proof | null = data === null ? null : { dialect: "messages", data };
    return { kind: "reasoning", text, proof, isRedacted: false };
  });

const call = fc
  .record({ name: words, input: words, isCustom: fc.boolean() })
  .map((given): ReplyPart => ({ kind: "call", id: "", ...given }));

const image = fc.base64String({ minLength: 4, maxLength: 16 }).map((base64): ReplyPart => ({
  kind: "media",
  media: "image",
  source: { kind: "bytes", type: "image/webp", base64 },
  at: "output",
}));

const refusal = words.map((text): ReplyPart => ({ kind: "refusal", text }));

const search = fc
  .record({
    queries: fc.array(words, { minLength: 1, maxLength: 2 }),
    found: fc.array(
      fc.webUrl().map((url) => ({ url, title: null, age: null })),
      { maxLength: 2 },
    ),
  })
  .map((given): ReplyPart => ({ kind: "search", fault: null, ...given }));

/** Ids are unique, as vendors make them. */
const replyParts = fc
  .array(fc.oneof(text, reasoning, call, refusal, image, search), { maxLength: 6 })
  .map((parts) =>
    parts.map((part, at) => (part.kind === "call" ? { ...part, id: `call_${at}` } : part)),
  );

/** The parts of one block, each piece of text apart. */
function blockParts(part: ReplyPart, block: number): StreamPart[] {
  const start = (content: Extract<StreamPart, { kind: "block-start" }>["content"]): StreamPart => ({
    kind: "block-start",
    block,
    choice: 0,
    content,
  });
  const end: StreamPart = { kind: "block-end", block };
  if (part.kind === "media") return [start({ kind: "media", part }), end];
  if (part.kind === "search") return [start({ kind: "search", part }), end];
  const whole = part.kind === "call" ? part.input : part.text;
  const deltas = [...whole].map((piece): StreamPart => ({
    kind: "block-delta",
    block,
    text: piece,
  }));
  switch (part.kind) {
    case "call": {
      const { kind, id, name, isCustom } = part;
      return [start({ kind, id, name, isCustom }), ...deltas, end];
    }
    case "reasoning": {
      const { kind, isRedacted, proof } = part;
      const proven: StreamPart[] = proof ? [{ kind: "block-proof", block, proof }] : [];
      return [start({ kind, isRedacted }), ...deltas, ...proven, end];
    }
    case "text": {
      const cited = (part.citations ?? []).map((found): StreamPart => ({
        kind: "block-citation",
        block,
        citation: found,
      }));
      return [start({ kind: "text" }), ...deltas, ...cited, end];
    }
    default:
      return [start({ kind: part.kind }), ...deltas, end];
  }
}

/** Blocks start in their order and then go on side by side, as the dice say. */
function interleave(blocks: StreamPart[][], dice: readonly number[]): StreamPart[] {
  const waiting = blocks.map((parts) => [...parts]);
  const mixed: StreamPart[] = [];
  let started = 0;
  for (let roll = 0; waiting.some((parts) => parts.length > 0); roll++) {
    const open = waiting.filter((parts, at) => parts.length > 0 && at <= started);
    const chosen = open[(dice[roll % Math.max(1, dice.length)] ?? 0) % open.length];
    const part = chosen?.shift();
    if (!part) break;
    if (part.kind === "block-start") started = part.block + 1;
    mixed.push(part);
  }
  return mixed;
}

function streamOf(parts: ReplyPart[], dice: readonly number[]): StreamPart[] {
  return [
    { kind: "reply-start", id: "up" },
    ...interleave(parts.map(blockParts), dice),
    { kind: "usage", usage: usageOf(3, 5) },
    { kind: "choice-end", choice: 0, stop: stopOf(parts), stopSequence: null },
    { kind: "reply-end" },
  ];
}

function stopOf(parts: ReplyPart[]) {
  return parts.some(({ kind }) => kind === "call") ? "calls" : "stop";
}

/** The decoder takes our seal for the vendor's own data. */
function unsealed(part: ReplyPart): ReplyPart {
  if (part.kind !== "reasoning" || !part.proof) return part;
  return { ...part, proof: openProof(part.proof.data, "responses") };
}

function decode(written: string): StreamPart[] {
  const decoder = new ResponsesStreamDecoder();
  const block = new SseSplitter().push(new TextEncoder().encode(written));
  return (block?.events ?? []).flatMap((event) => decoder.push(event));
}

function checkStream(parts: ReplyPart[], stream: StreamPart[], isOrdered: boolean): void {
  const written = writeAll(new ResponsesStreamEncoder(frameOf()), stream);
  const reply = foldParts(decode(written));
  const read = reply?.choices[0]?.parts.map(unsealed) ?? [];
  if (isOrdered) expect(read).toEqual(parts);
  else expect(sorted(read)).toEqual(sorted(parts));
  expect(reply?.usage).toEqual(usageOf(3, 5));
  checkBalance(written);
}

function sorted(parts: readonly ReplyPart[]): string[] {
  return parts.map((part) => JSON.stringify(part, byName)).toSorted();
}

function byName(_: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byKey)) : value;
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Every added part is done, numbers rise, and the end repeats what was done. */
function checkBalance(written: string): void {
  const events = eventsOf(written);
  const places = (suffix: string) =>
    events
      .filter(({ type }) => type.endsWith(suffix))
      .map((event) => `${String(event["output_index"])}:${String(event["content_index"])}`)
      .toSorted();
  expect(places("output_item.added")).toEqual(places("output_item.done"));
  expect(places("content_part.added")).toEqual(places("content_part.done"));
  expect(places("summary_part.added")).toEqual(places("summary_part.done"));
  expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, at) => at));
  const done = events
    .filter(({ type }) => type === "response.output_item.done")
    .toSorted((one, other) => Number(one["output_index"]) - Number(other["output_index"]))
    .map((event) => event["item"]);
  expect(events.at(-1)).toMatchObject({ response: { output: done } });
}

describe("what goes through our encoder and decoder", () => {
  test("comes out as it was when streamed, block after block", () => {
    fc.assert(
      fc.property(replyParts, (parts) => {
        checkStream(parts, streamOf(parts, []), true);
      }),
      { numRuns: 200 },
    );
  });

  test("comes out as it was when streamed, with blocks side by side", () => {
    fc.assert(
      fc.property(replyParts, fc.array(fc.nat({ max: 5 }), { maxLength: 40 }), (parts, dice) => {
        checkStream(parts, streamOf(parts, dice), false);
      }),
      { numRuns: 200 },
    );
  });

  test("comes out as it was as a whole reply", () => {
    fc.assert(
      fc.property(replyParts, (parts) => {
        const choice = { parts, stop: stopOf(parts) as "stop", stopSequence: null };
        const reply = { id: "up", choices: [choice], usage: usageOf(3, 5) };
        const read = decodeResponsesReply(encodeResponsesReply(reply, frameOf()));
        expect(read?.choices[0]?.parts.map(unsealed)).toEqual(parts);
        expect(read?.choices[0]?.stop).toBe(choice.stop);
      }),
      { numRuns: 200 },
    );
  });
});
