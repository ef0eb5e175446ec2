// Converse as anybody could send it: whatever comes, a reply or a clear fault is read from it, no
// count is negative, and where its bytes are cut changes nothing.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeFrame, FrameSplitter } from "../../core/frames/event-stream.ts";
import { decodeConverseReply } from "../../formats/converse/decode-reply.ts";
import { ConverseStreamDecoder } from "../../formats/converse/decode-stream.ts";
import type { StreamPart } from "../../formats/stream-part.ts";
import { readBedrockFrame } from "./frames.ts";

interface Event {
  name: string;
  body: unknown;
}

const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 1e308, "", null, [], {}));
const count = fc.oneof(fc.integer({ min: -5, max: 5000 }), junk);
const usage = fc.oneof(
  junk,
  fc.record(
    {
      inputTokens: count,
      outputTokens: count,
      totalTokens: count,
      cacheReadInputTokens: count,
      cacheWriteInputTokens: count,
      cacheDetails: fc.oneof(
        junk,
        fc.array(fc.record({ ttl: fc.constantFrom("1h", "5m"), inputTokens: count })),
      ),
    },
    { requiredKeys: [] },
  ),
);
const text = fc.oneof(fc.string(), fc.constantFrom("", "Wehr – 堰", "{"));
const toolUse = fc.oneof(
  junk,
  fc.record({ toolUseId: text, name: text, input: junk }, { requiredKeys: [] }),
);
const reasoning = fc.oneof(
  junk,
  fc.record({ reasoningText: fc.record({ text, signature: text }) }),
  fc.record({ redactedContent: text }),
);
const image = fc.oneof(
  junk,
  fc.record({ format: fc.constant("png"), source: fc.record({ bytes: text }) }),
);
const block = fc.oneof(
  junk,
  fc.record({ text: fc.oneof(text, junk) }),
  fc.record({ toolUse }),
  fc.record({ reasoningContent: reasoning }),
  fc.record({ image }),
  fc.record({
    citationsContent: fc.record({
      content: fc.array(fc.oneof(junk, fc.record({ text }))),
      citations: fc.array(junk),
    }),
  }),
);
const stopReason = fc.oneof(fc.constantFrom("end_turn", "tool_use", "max_tokens"), junk);

const reply = fc.record(
  {
    output: fc.oneof(
      junk,
      fc.record({
        message: fc.oneof(junk, fc.record({ content: fc.oneof(junk, fc.array(block)) })),
      }),
    ),
    stopReason,
    usage,
    additionalModelResponseFields: junk,
  },
  { requiredKeys: [] },
);

const contentBlockIndex = fc.oneof(fc.integer({ min: 0, max: 2 }), junk);
const delta = fc.oneof(
  junk,
  fc.record({ text }),
  fc.record({ toolUse: fc.record({ input: text }) }),
  fc.record({ reasoningContent: fc.record({ text, signature: text }, { requiredKeys: [] }) }),
  fc.record({ citation: junk }),
  fc.record({ image }),
);

const eventOf = (name: string, body: fc.Arbitrary<unknown>): fc.Arbitrary<Event> =>
  fc.record({ name: fc.constant(name), body });

const event = fc.oneof(
  eventOf("messageStart", fc.constant({ role: "assistant" })),
  eventOf("contentBlockStart", fc.record({ contentBlockIndex, start: fc.record({ toolUse }) })),
  { weight: 4, arbitrary: eventOf("contentBlockDelta", fc.record({ contentBlockIndex, delta })) },
  eventOf("contentBlockStop", fc.record({ contentBlockIndex })),
  eventOf("messageStop", fc.record({ stopReason })),
  eventOf("metadata", fc.record({ usage })),
  eventOf("somethingNew", junk),
  eventOf("contentBlockDelta", junk),
);

function frameOf({ name, body }: Event): Uint8Array {
  const headers = { ":message-type": "event", ":event-type": name };
  return encodeFrame(headers, Buffer.from(JSON.stringify(body) ?? "null"));
}

function read(chunks: Iterable<Uint8Array>): StreamPart[] {
  const [splitter, decoder] = [new FrameSplitter(), new ConverseStreamDecoder()];
  const parts: StreamPart[] = [];
  for (const chunk of chunks) {
    for (const frame of splitter.push(chunk)) parts.push(...decoder.push(readBedrockFrame(frame)));
  }
  expect([splitter.fault, splitter.pendingBytes]).toEqual([null, 0]);
  return [...parts, ...decoder.close()];
}

function expectCounts(counts: object | null): void {
  for (const value of Object.values(counts ?? {})) {
    if (value !== null) expect(value).toBeWithin(0, Number.MAX_SAFE_INTEGER);
  }
}

test("any whole reply is read or is none, and no count of it is negative", () => {
  fc.assert(
    fc.property(fc.oneof(reply, junk), (body) => {
      const decoded = decodeConverseReply(body);
      if (decoded === null) return;
      expect(decoded.choices).toHaveLength(1);
      expectCounts(decoded.usage);
    }),
    { numRuns: 500 },
  );
});

test("any stream keeps the laws of a stream, and no count of it is negative", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const parts = read(events.map(frameOf));
      const open = new Set<number>();
      const ends = new Set(["reply-end", "fault"]);
      let hasChoiceEnded = false;
      for (const [at, part] of parts.entries()) {
        expect(part.kind === "reply-start").toBe(at === 0 && part.kind !== "fault");
        if (ends.has(part.kind)) expect(at).toBe(parts.length - 1);
        if (part.kind === "usage") expectCounts(part.usage);
        if (part.kind === "choice-end") [hasChoiceEnded] = [true, expect(open.size).toBe(0)];
        if (part.kind === "block-start") open.add(part.block);
        if (!part.kind.startsWith("block-") || !("block" in part)) continue;
        expect([hasChoiceEnded, open.has(part.block)]).toEqual([false, true]);
        if (part.kind === "block-end") open.delete(part.block);
      }
    }),
    { numRuns: 500 },
  );
});

test("a stream that is cut at any byte is the whole", () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 5 }), (events) => {
      const bytes = Buffer.concat(events.map(frameOf));
      const whole = read([bytes]);
      for (let at = 1; at < bytes.length; at++) {
        expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
      }
    }),
    { numRuns: 40 },
  );
});
