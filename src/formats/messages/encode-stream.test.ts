import { describe, expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { sealProof } from "../kit/proof.ts";
import { decodeRequest } from "./decode-request.ts";
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

function encode(...parts: StreamPart[]): JsonObject[] {
  const encoder = new MessagesStreamEncoder(frame);
  const text = parts.map((part) => encoder.push(part)).join("");
  return readEvents(text).map(({ event, data }) => {
    const body: unknown = JSON.parse(data);
    if (!isObject(body) || body["type"] !== event) throw new Error("an event has the wrong name");
    return body;
  });
}

/** Only the events between the start and the end of the message. */
function blocksOf(...parts: StreamPart[]): JsonObject[] {
  return encode(begin, ...parts, done).slice(1, -2);
}

const begin: StreamPart = { kind: "reply-start", id: "x" };
const done: StreamPart = { kind: "reply-end" };
const open = (block: number, content: BlockContent): StreamPart => ({
  kind: "block-start",
  block,
  choice: 0,
  content,
});
const say = (block: number, text: string): StreamPart => ({ kind: "block-delta", block, text });
const close = (block: number): StreamPart => ({ kind: "block-end", block });
const call = (id: string): BlockContent => ({ kind: "call", id, name: "f", isCustom: false });
const text: BlockContent = { kind: "text" };
const reasoning: BlockContent = { kind: "reasoning", isRedacted: false };

describe("a stream for a client", () => {
  test("T14 has the events that clients rely on, in their order", () => {
    const usage = {
      inputTokens: 12,
      outputTokens: 3,
      cacheReadTokens: 2,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    expect(
      encode(
        begin,
        open(0, text),
        say(0, "Hel"),
        say(0, "lo"),
        close(0),
        { kind: "choice-end", choice: 0, stop: "stop-sequence", stopSequence: "END" },
        { kind: "usage", usage },
        done,
      ),
    ).toEqual([
      {
        type: "message_start",
        message: {
          id: "msg_req1",
          type: "message",
          role: "assistant",
          model: "shown-model",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "stop_sequence", stop_sequence: "END" },
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 2,
          output_tokens: 3,
        },
      },
      { type: "message_stop" },
    ]);
  });

  test("X-S17 X-S25 begins once and ends once, and its end waits for the usage", () => {
    const usage = {
      inputTokens: 5,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    const events = encode(
      begin,
      { kind: "usage", usage },
      { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
      { kind: "usage", usage: { ...usage, outputTokens: 44 } },
      done,
    );
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
    expect(events[1]).toMatchObject({ usage: { input_tokens: 5, output_tokens: 44 } });
  });

  test("X-S16 opens with thinking when reasoning comes first, and never with an empty text", () => {
    const events = blocksOf(
      open(0, text),
      close(0),
      open(1, reasoning),
      say(1, "hm"),
      close(1),
      open(2, text),
      say(2, "a"),
      close(2),
    );
    const starts = events.filter(({ type }) => type === "content_block_start");
    expect(starts).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    ]);
  });

  test("X-H13 signs a thinking block right before its stop, also one without a proof", () => {
    const proof = { dialect: "chat", data: "" } as const;
    const signed = blocksOf(
      open(0, reasoning),
      { kind: "block-proof", block: 0, proof },
      say(0, "hm"),
      close(0),
    );
    expect(signed.slice(1)).toEqual([
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: sealProof(proof) },
      },
      { type: "content_block_stop", index: 0 },
    ]);
    expect(blocksOf(open(0, reasoning), say(0, "hm"), close(0)).at(-2)).toMatchObject({
      delta: { type: "signature_delta", signature: "sluice1:messages:::" },
    });
    expect(blocksOf(open(0, reasoning), close(0))).toEqual([]);
  });

  test("X-H07 shows redacted thinking whole in its start", () => {
    const redacted: BlockContent = { kind: "reasoning", isRedacted: true };
    const proof = { dialect: "messages", data: "red" } as const;
    expect(blocksOf(open(0, redacted), { kind: "block-proof", block: 0, proof }, close(0))).toEqual(
      [
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "redacted_thinking", data: "red" },
        },
        { type: "content_block_stop", index: 0 },
      ],
    );
    expect(blocksOf(open(0, redacted), close(0))).toEqual([]);
  });

  test("X-S01 has one block open at a time when calls come side by side", () => {
    const events = blocksOf(
      open(0, call("a")),
      open(1, call("b")),
      say(1, '{"b"'),
      say(0, '{"a"'),
      say(1, ":2}"),
      say(0, ":1}"),
      close(1),
      close(0),
    );
    expect(events).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "f", input: {} },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"a"' },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: ":1}" },
      },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "b", name: "f", input: {} },
      },
      {
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: '{"b":2}' },
      },
      { type: "content_block_stop", index: 1 },
    ]);
  });

  test("writes on with a waiting block as soon as the one before it has ended", () => {
    const encoder = new MessagesStreamEncoder(frame);
    for (const part of [begin, open(0, text), say(0, "a"), open(1, call("c")), say(1, "{")])
      encoder.push(part);
    expect(encoder.push(close(0))).toContain('"partial_json":"{"');
    expect(encoder.push(say(1, "}"))).toContain('"partial_json":"}"');
  });

  test("X-S05 a call without arguments is still a block", () => {
    expect(blocksOf(open(0, call("a")), close(0)).map(({ type }) => type)).toEqual([
      "content_block_start",
      "content_block_stop",
    ]);
  });

  test("X-S04 pieces of arguments that are JSON themselves are only pieces", () => {
    const events = blocksOf(
      open(0, call("a")),
      say(0, '{"cmd":"'),
      say(0, "{}"),
      say(0, '"}'),
      close(0),
    );
    const pieces = events.flatMap(({ delta }) => (isObject(delta) ? [delta["partial_json"]] : []));
    expect(pieces).toEqual(['{"cmd":"', "{}", '"}']);
  });

  test("X-S08 that ends with calls says tool_use", () => {
    const end: StreamPart = { kind: "choice-end", choice: 0, stop: "calls", stopSequence: null };
    expect(encode(begin, open(0, call("a")), close(0), end, done).at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use" },
    });
  });

  test("X-U08 a fault ends it without a natural end; the gateway writes the error", () => {
    const events = encode(begin, open(0, text), say(0, "a"), { kind: "fault", message: "broken" });
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
    ]);
  });

  test("that refuses says so in text and in its end", () => {
    const events = encode(begin, open(0, { kind: "refusal" }), say(0, "No."), close(0), done);
    expect(events[2]).toMatchObject({ delta: { type: "text_delta", text: "No." } });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "refusal" } });
  });

  test("X-H04 carries the proof of a call before it, or behind it when it comes late", () => {
    const proof = { dialect: "content", data: "g", on: "call" } as const;
    const prove: StreamPart = { kind: "block-proof", block: 0, proof };
    const early = blocksOf(open(0, call("a")), prove, say(0, "{}"), close(0));
    expect(early[0]).toMatchObject({ index: 0, content_block: { type: "thinking" } });
    expect(early[1]).toMatchObject({
      index: 0,
      delta: { type: "signature_delta", signature: sealProof(proof) },
    });
    expect(early[3]).toMatchObject({ index: 1, content_block: { type: "tool_use" } });
    const late = blocksOf(open(0, call("a")), say(0, "{}"), prove, close(0));
    expect(late[0]).toMatchObject({ index: 0, content_block: { type: "tool_use" } });
    expect(late[3]).toMatchObject({ index: 1, content_block: { type: "thinking" } });
    expect(late.at(-1)).toEqual({ type: "content_block_stop", index: 1 });
  });

  test("keeps citations that have an address, and shows media as links", () => {
    const citation = {
      url: "https://a",
      title: null,
      quote: "q",
      start: null,
      end: null,
      document: null,
    };
    const cited = blocksOf(
      open(0, text),
      say(0, "a"),
      { kind: "block-citation", block: 0, citation },
      close(0),
    );
    expect(cited[2]).toMatchObject({
      delta: { type: "citations_delta", citation: { url: "https://a", cited_text: "q" } },
    });
    const source = { kind: "url", url: "https://a/b.png", type: null } as const;
    const shown = blocksOf(
      open(0, { kind: "media", part: { kind: "media", media: "image", source, at: "" } }),
      close(0),
    );
    expect(shown[1]).toMatchObject({
      delta: { type: "text_delta", text: "![image](https://a/b.png)" },
    });
  });

  test("gives the free text of a custom tool as an object, piece by piece", () => {
    const custom: BlockContent = { kind: "call", id: "a", name: "shell", isCustom: true };
    const events = blocksOf(open(0, custom), say(0, 'say "'), say(0, '\n"'), close(0));
    const json = events
      .flatMap(({ delta }) => (isObject(delta) ? [delta["partial_json"]] : []))
      .join("");
    expect(JSON.parse(json)).toEqual({ input: 'say "\n"' });
  });

  test("has only the first of several answers", () => {
    const other: StreamPart = { kind: "block-start", block: 1, choice: 1, content: text };
    expect(blocksOf(other, say(1, "x"), close(1))).toEqual([]);
  });
});
