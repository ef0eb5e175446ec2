import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Reply, ReplyChoice, ReplyPart, StopReason } from "../exchange.ts";
import { sealProof } from "../kit/proof.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeReply } from "./encode-reply.ts";
import { readMessagesRequest } from "./read.ts";
import { toCarrier } from "./wire/proof-slot.ts";

const body = {
  model: "shown-model",
  messages: [{ role: "user", content: "hi" }],
  thinking: { type: "adaptive" },
};
const request = readMessagesRequest(body);
const exchange = decodeRequest(body, request);
const frame = { requestId: "req1", createdAtSeconds: 0, exchange, request, body };

function encode(parts: ReplyPart[], set: Partial<ReplyChoice> = {}, usage: Reply["usage"] = null) {
  const choice: ReplyChoice = { parts, stop: "stop", stopSequence: null, ...set };
  return encodeReply({ id: "vendor-id", choices: [choice], usage }, frame);
}

function contentOf(...parts: ReplyPart[]): JsonObject[string] {
  return encode(parts)["content"];
}

describe("a whole reply", () => {
  test("T13 is a message", () => {
    const usage = {
      inputTokens: 30,
      outputTokens: 9,
      cacheReadTokens: 5,
      cacheWriteTokens: 4,
      reasoningTokens: 2,
    };
    expect(encode([{ kind: "text", text: "hi" }], {}, usage)).toEqual({
      id: "msg_req1",
      type: "message",
      role: "assistant",
      model: "shown-model",
      content: [{ type: "text", text: "hi" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 21,
        cache_creation_input_tokens: 4,
        cache_read_input_tokens: 5,
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 2 },
      },
    });
  });

  test("counts zeros where the vendor counted nothing, because clients need numbers", () => {
    expect(encode([])["usage"]).toEqual({ input_tokens: 0, output_tokens: 0 });
  });

  test("X-S08 with calls ends with tool_use, and each input is an object", () => {
    const call = { kind: "call", id: "call_1", name: "f", isCustom: false } as const;
    const reply = encode(
      [
        { ...call, input: '{"a":1}' },
        { ...call, input: "" },
        { ...call, input: '{"a":' },
      ],
      {
        stop: "calls",
      },
    );
    expect(reply["stop_reason"]).toBe("tool_use");
    expect(reply["content"]).toMatchObject([
      { input: { a: 1 } },
      { input: {} },
      { input: { input: '{"a":' } },
    ]);
  });

  test.each<[StopReason, string]>([
    ["stop-sequence", "stop_sequence"],
    ["length", "max_tokens"],
    ["context", "model_context_window_exceeded"],
    ["filter", "refusal"],
    ["pause", "pause_turn"],
    ["malformed", "refusal"],
    ["other", "refusal"],
  ])("that ended with %s says %s", (stop, word) => {
    expect(encode([], { stop })["stop_reason"]).toBe(word);
  });

  test("names the sequence that ended it", () => {
    const reply = encode([], { stop: "stop-sequence", stopSequence: "END" });
    expect(reply).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  test("that refuses says so in text and in its end", () => {
    const reply = encode([{ kind: "refusal", text: "No." }]);
    expect(reply).toMatchObject({
      content: [{ type: "text", text: "No." }],
      stop_reason: "refusal",
    });
  });

  test("always has a signature on its thinking, sealed when it is another vendor's", () => {
    const proof = { dialect: "responses", data: "enc", id: "rs_1" } as const;
    const thinking = { kind: "reasoning", text: "hm", isRedacted: false } as const;
    expect(contentOf({ ...thinking, proof }, { ...thinking, proof: null })).toEqual([
      { type: "thinking", thinking: "hm", signature: sealProof(proof) },
      { type: "thinking", thinking: "hm", signature: "sluice1:messages:::" },
    ]);
    expect(contentOf({ ...thinking, text: "", proof: null })).toEqual([]);
  });

  test("X-H07 shows redacted thinking as such", () => {
    const proof = { dialect: "messages", data: "red" } as const;
    expect(contentOf({ kind: "reasoning", text: "", proof, isRedacted: true })).toEqual([
      { type: "redacted_thinking", data: "red" },
    ]);
  });

  test("X-H04 carries the proof of a call and of a text in front of them", () => {
    const proof = { dialect: "content", data: "g", on: "call" } as const;
    const onText = { ...proof, on: "text" } as const;
    expect(
      contentOf(
        { kind: "call", id: "1", name: "f", input: "{}", isCustom: false, proof },
        { kind: "text", text: "a", proof: onText },
        { kind: "text", text: "", proof: onText },
      ),
    ).toEqual([
      { type: "thinking", thinking: "", signature: sealProof(proof) },
      { type: "tool_use", id: "1", name: "f", input: {} },
      { type: "thinking", thinking: "", signature: sealProof(onText) },
      { type: "text", text: "a" },
      toCarrier(onText, true),
    ]);
  });

  test("keeps citations that have an address", () => {
    const none = { quote: null, start: 0, end: 1, document: null };
    const citations = [
      { url: "https://a", title: "A", ...none },
      { url: null, title: "B", ...none },
    ];
    expect(contentOf({ kind: "text", text: "a", citations })).toEqual([
      {
        type: "text",
        text: "a",
        citations: [
          {
            type: "web_search_result_location",
            url: "https://a",
            title: "A",
            cited_text: "",
            encrypted_index: "",
          },
        ],
      },
    ]);
  });

  test("shows an image that was made as a link to it", () => {
    const source = { kind: "bytes", type: "image/png", base64: "AAAA" } as const;
    expect(contentOf({ kind: "media", media: "image", source, at: "" })).toEqual([
      { type: "text", text: "![image](data:image/png;base64,AAAA)" },
    ]);
  });
});

test("thinking that was not asked for is not shown, so that the first block is the answer", () => {
  const plain = { model: "shown-model", messages: [{ role: "user", content: "hi" }] };
  const asked = readMessagesRequest(plain);
  const proof = { dialect: "content", data: "c2ln", on: "text" } as const;
  const parts: ReplyPart[] = [
    { kind: "reasoning", text: "Hm.", proof: null, isRedacted: false },
    { kind: "text", text: "Yes.", proof },
  ];
  const silent = { ...frame, request: asked, exchange: decodeRequest(plain, asked), body: plain };
  const choice: ReplyChoice = { parts, stop: "stop", stopSequence: null };
  const shown = encodeReply({ id: null, choices: [choice], usage: null }, silent);
  expect(shown["content"]).toEqual([{ type: "text", text: "Yes." }]);
});
