import { expect, test } from "bun:test";
import type { ReplyChoice } from "../exchange.ts";
import { decodeContentReply } from "./decode-reply.ts";

test("a whole reply has what a stream of it would have", () => {
  expect(
    decodeContentReply({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "hm", thought: true },
              { text: "a" },
              { functionCall: { name: "f", args: {} }, thoughtSignature: "QUJD" },
              { text: "b" },
            ],
          },
          finishReason: "STOP",
          safetyRatings: [],
        },
        { content: { parts: [{ text: "other" }] }, finishReason: "MAX_TOKENS", index: 1 },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
      responseId: "R",
    }),
  ).toEqual({
    id: "R",
    choices: [
      {
        parts: [
          { kind: "reasoning", text: "hm", proof: null, isRedacted: false },
          { kind: "text", text: "a" },
          {
            kind: "call",
            id: "call_R_0",
            name: "f",
            input: "{}",
            isCustom: false,
            proof: { dialect: "content", data: "QUJD", on: "call" },
          },
          { kind: "text", text: "b" },
        ],
        stop: "calls",
        stopSequence: null,
      },
      { parts: [{ kind: "text", text: "other" }], stop: "length", stopSequence: null },
    ],
    usage: {
      inputTokens: 1,
      outputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 3,
    },
  });
});

test("X-U24 what is left out has its default", () => {
  const empty: ReplyChoice = { parts: [], stop: "stop", stopSequence: null };
  expect(decodeContentReply({ candidates: [{}] })?.choices).toEqual([empty]);
  expect(decodeContentReply({ usageMetadata: {} })).toMatchObject({
    id: null,
    choices: [empty],
    usage: null,
  });
  expect(
    decodeContentReply({ candidates: [{ content: { parts: [{ text: "a" }] } }] }),
  ).toMatchObject({
    choices: [{ parts: [{ text: "a" }], stop: "stop" }],
  });
});

test("a blocked prompt is one answer of nothing, filtered", () => {
  const reply = decodeContentReply({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } });
  expect(reply?.choices).toEqual([{ parts: [], stop: "filter", stopSequence: null }]);
});

test("sources are read from both places", () => {
  const [choice] =
    decodeContentReply({
      candidates: [
        {
          content: { parts: [{ text: "sun" }] },
          citationMetadata: { citationSources: [{ endIndex: 3, uri: "https://a.example" }] },
          groundingMetadata: { groundingChunks: [{ retrievedContext: { title: "B", text: "b" } }] },
        },
      ],
    })?.choices ?? [];
  expect(choice?.parts).toMatchObject([
    {
      citations: [
        { url: "https://a.example", start: 0, end: 3 },
        { url: null, title: "B", quote: "b", start: null },
      ],
    },
  ]);
});

test("what is no reply is null", () => {
  for (const body of [null, {}, [], { error: { code: 500 } }, { choices: [] }]) {
    expect(decodeContentReply(body)).toBeNull();
  }
});
