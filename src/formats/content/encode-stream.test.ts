import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readEvents } from "../../core/sse.ts";
import type { Proof, Reply } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { foldParts } from "../kit/fold.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { ContentStreamDecoder } from "./decode-stream.ts";
import { ContentStreamEncoder } from "./encode-stream.ts";
import { readContentRequest } from "./read.ts";

function frameOf(isShown: boolean = true): ReplyFrame {
  const body = {
    contents: [{ parts: [{ text: "x" }] }],
    generationConfig: { thinkingConfig: { includeThoughts: isShown } },
  };
  const address = { model: "public-name", stream: true, framing: "events" } as const;
  const request = readContentRequest(body, address);
  const exchange = decodeContentRequest(body, request);
  return { requestId: "req1", createdAtSeconds: 1, exchange, request, body };
}

function encode(parts: readonly StreamPart[], isShown: boolean = true): string {
  const encoder = new ContentStreamEncoder(frameOf(isShown));
  return parts.map((part) => encoder.push(part)).join("");
}

function decode(text: string): StreamPart[] {
  const decoder = new ContentStreamDecoder();
  return [...readEvents(text).flatMap((event) => decoder.push(event)), ...decoder.close()];
}

function events(text: string): unknown[] {
  return readEvents(text).map(({ data }): unknown => JSON.parse(data));
}

function start(block: number, content: BlockContent, choice: number = 0): StreamPart {
  return { kind: "block-start", block, choice, content };
}

function delta(block: number, text: string): StreamPart {
  return { kind: "block-delta", block, text };
}

function end(block: number): StreamPart {
  return { kind: "block-end", block };
}

const text: BlockContent = { kind: "text" };
const call: BlockContent = { kind: "call", id: "c1", name: "f", isCustom: false };
const reasoning: BlockContent = { kind: "reasoning", isRedacted: false };
const replyStart: StreamPart = { kind: "reply-start", id: "theirs" };
const names = { modelVersion: "public-name", responseId: "req1" };

function finish(stop: "stop" | "calls" | "length" = "stop", choice: number = 0): StreamPart[] {
  return [{ kind: "choice-end", choice, stop, stopSequence: null }, { kind: "reply-end" }];
}

/** Never without a part: Google's own client would forget the whole answer. */
const lastCandidate = {
  content: { parts: [{ text: "" }], role: "model" },
  finishReason: "STOP",
  index: 0,
  safetyRatings: [],
};

describe("events", () => {
  test("N5 texts go on as they come, and the last event has the reason and the usage", () => {
    const usage = {
      inputTokens: 3,
      outputTokens: 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    const written = encode([
      replyStart,
      start(0, text),
      delta(0, "Hel"),
      delta(0, "lo"),
      end(0),
      { kind: "usage", usage },
      ...finish(),
    ]);
    const chunk = (piece: string) => ({
      candidates: [{ content: { parts: [{ text: piece }], role: "model" }, index: 0 }],
      ...names,
    });
    expect(events(written)).toEqual([
      chunk("Hel"),
      chunk("lo"),
      {
        candidates: [lastCandidate],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
        ...names,
      },
    ]);
  });

  test("N5 every event is one bare data line, and there is no end marker", () => {
    const written = encode([replyStart, start(0, text), delta(0, 'a\n\n"b'), end(0), ...finish()]);
    const blocks = written.split("\n\n");
    expect(blocks.pop()).toBe("");
    for (const block of blocks) expect(block).toMatch(/^data: \{.*\}$/);
    expect(written).not.toContain("[DONE]");
    expect(written).not.toContain("event:");
  });

  test("X-S23 a turn of calls has no filler text, and each call comes whole", () => {
    const written = encode([
      replyStart,
      start(0, call),
      delta(0, '{"a"'),
      delta(0, ":1}"),
      end(0),
      ...finish("calls"),
    ]);
    expect(events(written)).toEqual([
      {
        candidates: [
          {
            content: {
              parts: [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }],
              role: "model",
            },
            index: 0,
          },
        ],
        ...names,
      },
      {
        candidates: [lastCandidate],
        ...names,
      },
    ]);
  });

  test("X-U05 length is MAX_TOKENS, and a refusal ends for safety", () => {
    const long = encode([replyStart, start(0, text), delta(0, "a"), end(0), ...finish("length")]);
    expect(long).toContain('"finishReason":"MAX_TOKENS"');
    const refused = encode([
      replyStart,
      start(0, { kind: "refusal" }),
      delta(0, "no"),
      end(0),
      ...finish(),
    ]);
    expect(refused).toContain('{"text":"no"}');
    expect(refused).toContain('"finishReason":"SAFETY"');
  });

  test("blocks that are open side by side are written one after the other, in their order", () => {
    const encoder = new ContentStreamEncoder(frameOf());
    const push = (part: StreamPart) => events(encoder.push(part)).length;
    encoder.push(replyStart);
    const counts = [
      start(0, text),
      start(1, call),
      start(2, text),
      delta(0, "a"),
      delta(2, "c"),
      delta(1, "{}"),
      end(1),
      delta(0, "b"),
      end(0),
      delta(2, "d"),
      end(2),
    ].map(push);
    expect(counts).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 2, 1, 0]);
  });

  test("choices do not wait for each other", () => {
    const written = encode([
      replyStart,
      start(0, text, 0),
      start(1, text, 1),
      delta(1, "b"),
      delta(0, "a"),
      end(0),
      end(1),
      { kind: "choice-end", choice: 1, stop: "length", stopSequence: null },
      ...finish("stop", 0),
    ]);
    expect(events(written)).toMatchObject([
      { candidates: [{ index: 1, content: { parts: [{ text: "b" }] } }] },
      { candidates: [{ index: 0, content: { parts: [{ text: "a" }] } }] },
      {
        candidates: [
          { index: 0, finishReason: "STOP" },
          { index: 1, finishReason: "MAX_TOKENS" },
        ],
      },
    ]);
  });

  test("thoughts are shown to who asked, and what the vendor wants back to everyone", () => {
    const proof: Proof = { dialect: "messages", data: "sig" };
    const parts: StreamPart[] = [
      replyStart,
      start(0, reasoning),
      delta(0, "hm"),
      { kind: "block-proof", block: 0, proof },
      end(0),
      ...finish(),
    ];
    expect(events(encode(parts))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: "hm", thought: true }] } }] },
      { candidates: [{ content: { parts: [{ text: "", thought: true }] } }] },
      { candidates: [{ finishReason: "STOP" }] },
    ]);
    const hidden = encode(parts, false);
    expect(events(hidden)).toMatchObject([
      {
        candidates: [
          {
            content: { parts: [{ text: "", thought: true, thoughtSignature: expect.any(String) }] },
          },
        ],
      },
      { candidates: [{ finishReason: "STOP" }] },
    ]);
    expect(hidden).not.toContain("hm");
    const unsigned = parts.filter(({ kind }) => kind !== "block-proof");
    expect(events(encode(unsigned, false))).toHaveLength(1);
  });

  test("sources come with the last event", () => {
    const written = encode([
      replyStart,
      start(0, text),
      delta(0, "ä sun"),
      {
        kind: "block-citation",
        block: 0,
        citation: {
          url: "https://a.example",
          title: "A",
          quote: null,
          start: 2,
          end: 5,
          document: null,
        },
      },
      end(0),
      ...finish(),
    ]);
    expect(events(written).at(-1)).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
            groundingSupports: [{ segment: { startIndex: 3, endIndex: 6, text: "sun" } }],
          },
        },
      ],
    });
  });
});

interface Draft {
  content: BlockContent;
  pieces: string[];
  proof: Proof | null;
}

const pieces = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 4,
});
const signature = fc.option(fc.constantFrom("QUJD", "REVG+/=="), { nil: null });

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ content: fc.constant(text), pieces, proof: fc.constant(null) }),
  fc.record({
    content: fc.constant(reasoning),
    pieces,
    proof: signature.map((data): Proof | null => data && { dialect: "content", data }),
  }),
  fc
    .record({
      id: fc.integer({ min: 0, max: 999 }),
      args: fc.dictionary(fc.string(), fc.string()),
      data: signature,
    })
    .map(({ id, args, data }): Draft => {
      const input = JSON.stringify(args);
      const middle = Math.floor(input.length / 2);
      return {
        content: { kind: "call", id: `c${id}`, name: "f", isCustom: false },
        pieces: [input.slice(0, middle), input.slice(middle)],
        proof: data && { dialect: "content", data, on: "call" },
      };
    }),
);

/** The blocks of a reply, started in their order, with their pieces shuffled among each other. */
function interleave(drafts: readonly Draft[], dice: readonly number[]): StreamPart[] {
  const parts: StreamPart[] = [replyStart];
  const waiting = drafts.map(({ content, pieces: texts, proof }, block): StreamPart[] => [
    start(block, content),
    ...texts.map((piece) => delta(block, piece)),
    ...(proof ? [{ kind: "block-proof", block, proof } satisfies StreamPart] : []),
    end(block),
  ]);
  let opened = 0;
  for (let step = 0; waiting.some((queue) => queue.length > 0); step++) {
    const live = waiting.flatMap((queue, block) =>
      queue.length > 0 && block <= opened ? [queue] : [],
    );
    const queue = live[(dice[step % dice.length] ?? 0) % live.length] ?? live[0];
    const part = queue?.shift();
    if (!part) break;
    if (part.kind === "block-start") opened = Math.max(opened, part.block + 1);
    parts.push(part);
  }
  return [...parts, ...finish()];
}

/** Neighbours of one kind are one block for Google, unless a signature sets them apart. */
function merged(reply: Reply | null): unknown[] {
  const parts: { kind: string; text: string; proof: unknown }[] = [];
  for (const part of reply?.choices[0]?.parts ?? []) {
    if (part.kind !== "text" && part.kind !== "reasoning" && part.kind !== "call") continue;
    const piece = part.kind === "call" ? `${part.id}${part.input}` : part.text;
    const last = parts.at(-1);
    if (part.kind !== "call" && last?.kind === part.kind && !last.proof) {
      last.text += piece;
      last.proof = part.proof ?? null;
    } else {
      parts.push({ kind: part.kind, text: piece, proof: part.proof ?? null });
    }
  }
  return parts;
}

describe("any stream", () => {
  test("reads back as it was written, however its blocks were interleaved", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 6 }),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }),
        (drafts, dice) => {
          const parts = interleave(drafts, dice);
          expect(merged(foldParts(decode(encode(parts))))).toEqual(merged(foldParts(parts)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("starts and ends of what is read back balance", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 6 }),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }),
        (drafts, dice) => {
          const open = new Set<number>();
          const back = decode(encode(interleave(drafts, dice)));
          for (const part of back) {
            if (part.kind === "block-start") open.add(part.block);
            else if ("block" in part) expect(open.has(part.block)).toBe(true);
            if (part.kind === "block-end") open.delete(part.block);
            if (part.kind === "choice-end") expect(open.size).toBe(0);
          }
          expect(back[0]?.kind).toBe("reply-start");
          expect(back.at(-1)).toEqual({ kind: "reply-end" });
        },
      ),
      { numRuns: 200 },
    );
  });

  test("no event but the last is without a part", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 6 }), fc.boolean(), (drafts, isShown) => {
        const written = events(encode(interleave(drafts, [0, 3, 1]), isShown));
        for (const event of written.slice(0, -1)) {
          expect(JSON.stringify(event)).not.toContain('"parts":[]');
        }
        expect(JSON.stringify(written.at(-1))).toContain('"finishReason"');
      }),
      { numRuns: 100 },
    );
  });
});
