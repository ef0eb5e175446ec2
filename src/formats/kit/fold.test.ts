import { expect, test } from "bun:test";
import type { StreamPart } from "../stream-part.ts";
import { foldParts } from "./fold.ts";

const usage = {
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const citation = { url: "u", title: null, quote: null, start: 0, end: 1, document: null };
const start: StreamPart = { kind: "reply-start", id: "r" };
const end: StreamPart = { kind: "reply-end" };

test("blocks that are open side by side are gathered each on its own, in the order of starts", () => {
  const reply = foldParts([
    start,
    { kind: "block-start", block: 0, choice: 0, content: { kind: "reasoning", isRedacted: false } },
    { kind: "block-start", block: 1, choice: 0, content: { kind: "text" } },
    { kind: "block-delta", block: 1, text: "a" },
    { kind: "block-delta", block: 0, text: "x" },
    { kind: "block-delta", block: 1, text: "b" },
    { kind: "block-citation", block: 1, citation },
    { kind: "block-citation", block: 1, citation },
    { kind: "block-proof", block: 0, proof: { dialect: "messages", data: "s" } },
    { kind: "block-end", block: 0 },
    { kind: "block-end", block: 1 },
    { kind: "choice-end", choice: 0, stop: "stop-sequence", stopSequence: "\n" },
    { kind: "usage", usage },
    end,
  ]);
  expect(reply).toEqual({
    id: "r",
    usage,
    choices: [
      {
        parts: [
          {
            kind: "reasoning",
            text: "x",
            proof: { dialect: "messages", data: "s" },
            isRedacted: false,
          },
          { kind: "text", text: "ab", citations: [citation, citation] },
        ],
        stop: "stop-sequence",
        stopSequence: "\n",
      },
    ],
  });
});

test("a function's call without input has an empty object, a custom one has nothing", () => {
  const call = (block: number, isCustom: boolean): StreamPart[] => [
    {
      kind: "block-start",
      block,
      choice: 0,
      content: { kind: "call", id: `c${block}`, name: "f", isCustom },
    },
    { kind: "block-end", block },
  ];
  const reply = foldParts([start, ...call(0, false), ...call(1, true), end]);
  expect(reply?.choices[0]?.parts).toEqual([
    { kind: "call", id: "c0", name: "f", isCustom: false, input: "{}" },
    { kind: "call", id: "c1", name: "f", isCustom: true, input: "" },
  ]);
});

test("media comes whole, refusals in pieces, and a choice may come before an earlier one", () => {
  const part = {
    kind: "media",
    media: "image",
    source: { kind: "url", url: "u", type: null },
    at: "",
  } as const;
  const reply = foldParts([
    start,
    { kind: "block-start", block: 0, choice: 1, content: { kind: "media", part } },
    { kind: "block-end", block: 0 },
    { kind: "block-start", block: 1, choice: 0, content: { kind: "refusal" } },
    { kind: "block-delta", block: 1, text: "no" },
    { kind: "block-end", block: 1 },
    end,
  ]);
  expect(reply?.choices.map(({ parts }) => parts)).toEqual([
    [{ kind: "refusal", text: "no" }],
    [part],
  ]);
});

test("a stream that was cut or reported a fault is no reply", () => {
  expect(foldParts([start])).toBeNull();
  expect(foldParts([start, { kind: "fault", message: "m" }, end])).toBeNull();
});
