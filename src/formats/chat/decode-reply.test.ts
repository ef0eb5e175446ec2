import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { decodeChatReply } from "./decode-reply.ts";

function replyOf(message: JsonObject, finishReason: string | null = "stop"): JsonObject {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
  };
}

test("a reply has its text, its id and its usage", () => {
  expect(decodeChatReply(replyOf({ role: "assistant", content: "a", refusal: null }))).toEqual({
    id: "chatcmpl-1",
    choices: [{ parts: [{ kind: "text", text: "a" }], stop: "stop", stopSequence: null }],
    usage: {
      inputTokens: 5,
      outputTokens: 3,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
  });
});

test("everything in a message has its part", () => {
  const url_citation = { start_index: 0, end_index: 1, title: "t", url: "u" };
  const reply = decodeChatReply(
    replyOf({
      reasoning: "hm",
      content: [{ type: "text", text: "a" }],
      annotations: [{ type: "url_citation", url_citation }],
      refusal: "no",
    }),
  );
  expect(reply?.choices[0]?.parts).toMatchObject([
    { kind: "reasoning", text: "hm", proof: { dialect: "chat", data: "" } },
    { kind: "text", text: "a", citations: [{ url: "u", start: 0, end: 1 }] },
    { kind: "refusal", text: "no" },
  ]);
});

describe("calls", () => {
  const called = (name: string) => ({ type: "function", function: { name, arguments: "" } });

  test("X-S08 end the turn, whatever the vendor calls it", () => {
    const tool_calls = [{ id: "c", ...called("f") }];
    expect(decodeChatReply(replyOf({ content: null, tool_calls }, "stop"))?.choices).toEqual([
      {
        parts: [{ kind: "call", id: "c", name: "f", input: "{}", isCustom: false }],
        stop: "calls",
        stopSequence: null,
      },
    ]);
  });

  test("of the same tool without ids or numbers are still several", () => {
    const tool_calls = [called("f"), called("f")];
    expect(decodeChatReply(replyOf({ tool_calls }))?.choices[0]?.parts).toMatchObject([
      { id: "call_chatcmpl-1_0" },
      { id: "call_chatcmpl-1_1" },
    ]);
  });
});

describe("vendors of their own mind", () => {
  const partsOf = (message: JsonObject) => decodeChatReply(replyOf(message))?.choices[0]?.parts;

  test("X-S29 put an empty custom beside a function: the type says which it is", () => {
    const custom = { name: "", input: "" };
    const called = { name: "f", arguments: '{"a":1}' };
    const call = { id: "c", type: "function", function: called, custom };
    const read = { kind: "call", id: "c", name: "f", input: '{"a":1}', isCustom: false };
    expect(partsOf({ tool_calls: [call] })).toEqual([read] as never);
    expect(partsOf({ tool_calls: [{ ...call, type: undefined as never }] })).toEqual([
      read,
    ] as never);
    const free = { id: "c", type: "custom", function: { name: "", arguments: "" } };
    const tool_calls = [{ ...free, custom: { name: "g", input: "x" } }];
    expect(partsOf({ tool_calls })).toMatchObject([{ name: "g", input: "x", isCustom: true }]);
  });

  test("X-H21 think in parts of the content", () => {
    const thinking = [{ type: "text", text: "hm" }, { type: "reference" }];
    const content = [
      { type: "thinking", thinking },
      { type: "text", text: "a" },
      { type: "thinking", thinking: "oh" },
    ];
    expect(partsOf({ content })).toMatchObject([
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "a" },
      { kind: "reasoning", text: "oh" },
    ]);
  });

  test("X-H22 tell their reasoning in details alone, or there and elsewhere", () => {
    const reasoning_details = [
      { type: "reasoning.summary", summary: "h", index: 0 },
      { type: "reasoning.text", text: "m", signature: "s", index: 1 },
    ];
    const read = { kind: "reasoning", text: "hm", proof: { dialect: "chat" } };
    expect(partsOf({ reasoning_details })).toMatchObject([read]);
    expect(partsOf({ reasoning: "hm", reasoning_details })).toMatchObject([read]);
  });

  test("X-M23 show pictures beside the content or in it", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const there = { type: "image_url", image_url: { url: "https://x.test/a.png" } };
    const source = { kind: "bytes", type: "image/png", base64: "iVBORw0KGgo=" };
    expect(partsOf({ content: "a", images: [image, {}] })).toMatchObject([
      { kind: "text", text: "a" },
      { kind: "media", media: "image", source },
    ]);
    expect(partsOf({ content: [there] })).toMatchObject([
      { kind: "media", media: "image", source: { kind: "url", url: "https://x.test/a.png" } },
    ]);
  });
});

test("several choices stand in their order", () => {
  const body = {
    choices: [
      { index: 1, message: { content: "b" }, finish_reason: "length" },
      { index: 0, message: { content: "a" }, finish_reason: "stop" },
    ],
  };
  expect(decodeChatReply(body)?.choices).toMatchObject([
    { parts: [{ text: "a" }], stop: "stop" },
    { parts: [{ text: "b" }], stop: "length" },
  ]);
  const unnumbered = body.choices.map(({ message }) => ({ message }));
  expect(decodeChatReply({ choices: unnumbered })?.choices).toMatchObject([
    { parts: [{ text: "b" }] },
    { parts: [{ text: "a" }] },
  ]);
});

test.each<[unknown]>([
  [null],
  ["text"],
  [[]],
  [{}],
  [{ choices: [] }],
  [{ choices: [{}] }],
  [{ choices: [{ message: "a" }] }],
  [{ choices: [{ message: { content: "a" } }], error: { message: "broken" } }],
])("what is not a chat completion is not taken for one: %j", (body) => {
  expect(decodeChatReply(body)).toBeNull();
});
