// Random streams, written for a client and read as an upstream's.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readEvents } from "../../core/sse.ts";
import type { Reply } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { decodeChatReply } from "./decode-reply.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { ChatStreamDecoder } from "./decode-stream.ts";
import { encodeChatReply } from "./encode-reply.ts";
import { ChatStreamEncoder } from "./encode-stream.ts";
import { readChatRequest } from "./read.ts";

const body = {
  model: "m",
  messages: [{ role: "user", content: "hi" }],
  stream_options: { include_usage: true },
};
const request = readChatRequest(body);
const exchange = decodeChatRequest(body, request);
const frame = { requestId: "r", createdAtSeconds: 1, exchange, request, body };

const textKinds = ["text", "reasoning", "refusal"] as const;
type TextKind = (typeof textKinds)[number];

interface Sketch {
  choice: number;
  kind: TextKind | "call" | "custom";
  texts: string[];
}

const sketches = fc.array(
  fc.record({
    choice: fc.nat({ max: 2 }),
    kind: fc.constantFrom<Sketch["kind"]>(...textKinds, "call", "custom"),
    texts: fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }),
  }),
  { maxLength: 8 },
);

function contentOf(kind: Sketch["kind"], block: number): BlockContent {
  if (kind === "reasoning") return { kind, isRedacted: false };
  if (kind === "text" || kind === "refusal") return { kind };
  return { kind: "call", id: `call_${block}`, name: `tool_${block}`, isCustom: kind === "custom" };
}

/** The blocks of a reply, with the pieces of those that are open at once in random order. */
const streams = fc
  .record({ blocks: sketches, order: fc.infiniteStream(fc.nat()) })
  .map(({ blocks, order }): StreamPart[] => {
    const queues = blocks.map(({ choice, kind, texts }, block): StreamPart[] => [
      { kind: "block-start", block, choice, content: contentOf(kind, block) },
      ...texts.map((text): StreamPart => ({ kind: "block-delta", block, text })),
      { kind: "block-end", block },
    ]);
    // Blocks start in the order of their numbers; the rest of them is dealt at random.
    const parts: StreamPart[] = queues.flatMap((queue) => queue.splice(0, 1));
    for (const pick of order) {
      const open = queues.filter(({ length }) => length > 0);
      const queue = open[pick % Math.max(1, open.length)];
      if (!queue) break;
      parts.push(...queue.splice(0, 1));
    }
    const choices = [...new Set([0, ...blocks.map(({ choice }) => choice)])].sort();
    const stops = choices.map((choice): StreamPart => ({
      kind: "choice-end",
      choice,
      stop: "length",
      stopSequence: null,
    }));
    return [{ kind: "reply-start", id: "x" }, ...parts, ...stops, { kind: "reply-end" }];
  });

function throughWire(parts: readonly StreamPart[]): StreamPart[] {
  const encoder = new ChatStreamEncoder(frame);
  const decoder = new ChatStreamDecoder();
  const text = parts.map((part) => encoder.push(part)).join("");
  return readEvents(text).flatMap((event) => decoder.push(event));
}

/** Chat has one text of each kind in a choice. */
function gist(reply: Reply | null) {
  return reply?.choices.map(({ parts, stop }) => {
    const textOf = (kind: TextKind) =>
      parts.flatMap((part) => (part.kind === kind ? part.text : [])).join("");
    return {
      text: textOf("text"),
      reasoning: textOf("reasoning"),
      refusal: textOf("refusal"),
      calls: parts.filter((part) => part.kind === "call"),
      stop,
    };
  });
}

/** The text of a kind in each choice, in the order in which its pieces came. */
function joined(parts: readonly StreamPart[], kind: TextKind): string[] {
  const texts = ["", "", ""];
  const blocks = new Map<number, number>();
  for (const part of parts) {
    if (part.kind === "block-start" && part.content.kind === kind) {
      blocks.set(part.block, part.choice);
    }
    const choice = part.kind === "block-delta" ? blocks.get(part.block) : undefined;
    if (part.kind === "block-delta" && choice !== undefined) texts[choice] += part.text;
  }
  return texts;
}

test("a stream says the same on both sides of the wire", () => {
  fc.assert(
    fc.property(streams, (parts) => {
      const read = throughWire(parts);
      const [before, after] = [gist(foldParts(parts)), gist(foldParts(read))];
      expect(after?.map(({ calls, stop }) => ({ calls, stop }))).toEqual(
        before?.map(({ calls, stop }) => ({ calls, stop })) ?? [],
      );
      for (const kind of textKinds) {
        expect(joined(read, kind)).toEqual(joined(parts, kind));
      }
    }),
  );
});

test("what is read keeps the laws of streams", () => {
  fc.assert(
    fc.property(streams, (parts) => {
      const read = throughWire(parts);
      const open = new Map<number, number>();
      const ended = new Set<number>();
      let blocks = 0;
      for (const [at, part] of read.entries()) {
        expect(part.kind === "reply-start").toBe(at === 0);
        expect(part.kind === "reply-end").toBe(at === read.length - 1);
        if (part.kind === "block-start") {
          expect(part.block).toBe(blocks++);
          expect(ended.has(part.choice)).toBe(false);
          open.set(part.block, part.choice);
        } else if (part.kind === "choice-end") {
          expect(ended.has(part.choice)).toBe(false);
          expect([...open.values()]).not.toContain(part.choice);
          ended.add(part.choice);
        } else if ("block" in part) {
          expect(open.has(part.block)).toBe(true);
          if (part.kind === "block-end") open.delete(part.block);
        }
      }
      expect(open.size).toBe(0);
    }),
  );
});

test("a whole reply says the same on both sides of the wire", () => {
  fc.assert(
    fc.property(streams, (parts) => {
      const reply = foldParts(parts);
      expect(reply).not.toBeNull();
      if (!reply) return;
      expect(gist(decodeChatReply(encodeChatReply(reply, frame)))).toEqual(gist(reply) ?? []);
    }),
  );
});
