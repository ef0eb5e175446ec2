import { describe, expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ReplyChoice, ReplyPart, SearchPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { encodeChatReply } from "./encode-reply.ts";
import { readChatRequest } from "./read.ts";

function frameOf(fields: JsonObject = {}): ReplyFrame {
  const body = { model: "public", messages: [{ role: "user", content: "hi" }], ...fields };
  const request = readChatRequest(body);
  const exchange = decodeChatRequest(body, request);
  return { requestId: "r1", createdAtSeconds: 17, exchange, request, body };
}

function choice(parts: ReplyPart[], stop: StopReason = "stop"): ReplyChoice {
  return { parts, stop, stopSequence: null };
}

function messageOf(parts: ReplyPart[], fields?: JsonObject): JsonObject {
  const reply = { id: null, choices: [choice(parts)], usage: null };
  const { choices } = encodeChatReply(reply, frameOf(fields));
  const first = Array.isArray(choices) ? choices[0] : null;
  return isObject(first) && isObject(first["message"]) ? first["message"] : {};
}

const call = { kind: "call", id: "c", name: "look", input: '{"a":1}', isCustom: false } as const;

test("a reply has the shape of a chat completion", () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 7,
    cacheReadTokens: 4,
    cacheWriteTokens: 3,
    reasoningTokens: 2,
  };
  const choices = [choice([{ kind: "text", text: "a" }]), choice([], "length")];
  expect(encodeChatReply({ id: "msg_1", choices, usage }, frameOf())).toEqual({
    id: "chatcmpl-r1",
    object: "chat.completion",
    created: 17,
    model: "public",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "a", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
      {
        index: 1,
        message: { role: "assistant", content: "", refusal: null },
        logprobs: null,
        finish_reason: "length",
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 7,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  });
});

test.each<[string, StopReason, string]>([
  ["a natural end", "stop", "stop"],
  ["a stop sequence", "stop-sequence", "stop"],
  ["the bound", "length", "length"],
  ["X-U02 a full window", "context", "length"],
  ["X-S07 calls", "calls", "tool_calls"],
  ["the filter", "filter", "content_filter"],
  ["X-U03 a pause, which is not a natural end,", "pause", "length"],
  ["something that the vendor could not read", "malformed", "content_filter"],
  ["X-U30 a word of the vendor's own", "other", "content_filter"],
])("%s is told", (_, stop, finishReason) => {
  const reply = { id: null, choices: [choice([], stop)], usage: null };
  expect(encodeChatReply(reply, frameOf())).toMatchObject({
    choices: [{ finish_reason: finishReason }],
  });
});

describe("calls", () => {
  test("X-S07 fill tool_calls, and the content beside them is null", () => {
    expect(messageOf([call, { ...call, id: "d", input: "" }])).toEqual({
      role: "assistant",
      content: null,
      refusal: null,
      tool_calls: [
        { id: "c", type: "function", function: { name: "look", arguments: '{"a":1}' } },
        { id: "d", type: "function", function: { name: "look", arguments: "{}" } },
      ],
    });
  });

  test("X-S22 that were cut off are kept as they are", () => {
    expect(messageOf([{ ...call, input: '{"a":' }])).toMatchObject({
      tool_calls: [{ function: { arguments: '{"a":' } }],
    });
  });

  test("X-T26 of custom tools have their own form", () => {
    expect(
      messageOf([
        { kind: "text", text: "a" },
        { ...call, isCustom: true },
      ]),
    ).toMatchObject({
      content: "a",
      tool_calls: [{ id: "c", type: "custom", custom: { name: "look", input: '{"a":1}' } }],
    });
  });

  test("are one function call for a client of functions", () => {
    const fields = { functions: [{ name: "look" }] };
    const proof = { dialect: "content", data: "s", on: "call" } as const;
    const message = messageOf(
      [
        { ...call, proof },
        { ...call, id: "d", proof },
      ],
      fields,
    );
    expect(message).toEqual({
      role: "assistant",
      content: null,
      refusal: null,
      reasoning_details: [{ type: "reasoning.encrypted", data: "sluice1:content:call::s" }],
      function_call: { name: "look", arguments: '{"a":1}' },
    });
    expect(decodeMessages([message]).turns[0]?.parts).toMatchObject([{ kind: "call", proof }]);
    const reply = { id: null, choices: [choice([call], "calls")], usage: null };
    expect(encodeChatReply(reply, frameOf(fields))).toMatchObject({
      choices: [{ finish_reason: "function_call" }],
    });
  });
});

describe("texts", () => {
  test("are put together, and citations count from the start of all of them", () => {
    const citation = { url: "u", title: "t", quote: "q", start: null, end: null, document: null };
    const message = messageOf([
      { kind: "text", text: "abc" },
      {
        kind: "text",
        text: "def",
        citations: [
          citation,
          { ...citation, start: 1, end: 2, title: null },
          { ...citation, url: null },
        ],
      },
    ]);
    expect(message["content"]).toBe("abcdef");
    expect(message["annotations"]).toEqual([
      {
        type: "url_citation",
        url_citation: { start_index: 3, end_index: 6, title: "t", url: "u" },
      },
      { type: "url_citation", url_citation: { start_index: 4, end_index: 5, title: "", url: "u" } },
    ]);
  });

  test("have images as Markdown", () => {
    const image: ReplyPart = {
      kind: "media",
      media: "image",
      source: { kind: "bytes", type: "image/png", base64: "AAAA" },
      at: "",
    };
    expect(messageOf([{ kind: "text", text: "see " }, image])).toMatchObject({
      content: "see ![image](data:image/png;base64,AAAA)",
    });
  });

  test("of a refusal stand apart", () => {
    expect(messageOf([{ kind: "refusal", text: "no" }])).toEqual({
      role: "assistant",
      content: null,
      refusal: "no",
    });
  });
});

describe("reasoning", () => {
  test("X-H15 never stands in the content", () => {
    const reasoning = { kind: "reasoning", text: "hm", proof: null, isRedacted: false } as const;
    expect(messageOf([reasoning, { kind: "text", text: "a" }])).toEqual({
      role: "assistant",
      content: "a",
      refusal: null,
      reasoning_content: "hm",
    });
  });

  test("X-H04 comes back with the proofs that it, the text and the calls had", () => {
    const parts: Exclude<ReplyPart, SearchPart>[] = [
      { kind: "reasoning", text: "", proof: { dialect: "messages", data: "r" }, isRedacted: true },
      {
        kind: "reasoning",
        text: "hm",
        proof: { dialect: "responses", data: "s", id: "rs_1" },
        isRedacted: false,
      },
      { kind: "reasoning", text: "so", proof: { dialect: "chat", data: "" }, isRedacted: false },
      { kind: "text", text: "a", proof: { dialect: "content", data: "t", on: "text" } },
      { ...call, proof: { dialect: "content", data: "c", on: "call" } },
    ];
    expect(decodeMessages([messageOf(parts)]).turns).toEqual([{ role: "assistant", parts }]);
  });
});
