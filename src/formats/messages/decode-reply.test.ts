import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Reply, ReplyChoice } from "../exchange.ts";
import { decodeReply } from "./decode-reply.ts";

function replyOf(set: JsonObject): Reply {
  const body = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
    ...set,
  };
  const reply = decodeReply(body);
  if (!reply) throw new Error("it is no reply");
  return reply;
}

function choiceOf(set: JsonObject): ReplyChoice {
  const [choice] = replyOf(set).choices;
  if (!choice) throw new Error("it has no choice");
  return choice;
}

const call = { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } };

describe("a whole reply", () => {
  test("T16 has text, thinking, redacted thinking and calls", () => {
    const { parts } = choiceOf({
      content: [
        { type: "thinking", thinking: "hm", signature: "sig" },
        { type: "thinking", thinking: "unsigned", signature: "" },
        { type: "redacted_thinking", data: "red" },
        { type: "redacted_thinking", data: "" },
        { type: "text", text: "hi" },
        { type: "text", text: "" },
        call,
      ],
    });
    expect(parts).toEqual([
      {
        kind: "reasoning",
        text: "hm",
        proof: { dialect: "messages", data: "sig" },
        isRedacted: false,
      },
      { kind: "reasoning", text: "unsigned", proof: null, isRedacted: false },
      {
        kind: "reasoning",
        text: "",
        proof: { dialect: "messages", data: "red" },
        isRedacted: true,
      },
      { kind: "text", text: "hi" },
      { kind: "call", id: "toolu_1", name: "f", input: '{"a":1}', isCustom: false },
    ]);
  });

  test("X-M09 X-S32 keeps citations, and what was searched for and found", () => {
    const page = { type: "web_search_result", url: "https://a", title: "A", page_age: "today" };
    const failure = { type: "web_search_tool_result_error", error_code: "too_many_requests" };
    const { parts } = choiceOf({
      content: [
        { type: "server_tool_use", id: "s", name: "web_search", input: { query: "rain" } },
        { type: "web_search_tool_result", tool_use_id: "s", content: [page] },
        { type: "web_search_tool_result", tool_use_id: "t", content: failure },
        { type: "server_tool_use", id: "b", name: "bash_code_execution", input: {} },
        {
          type: "text",
          text: "It rained.",
          citations: [
            {
              type: "web_search_result_location",
              url: "https://a",
              title: "A",
              cited_text: "rain",
              encrypted_index: "x",
            },
            {
              type: "char_location",
              document_index: 1,
              document_title: "D",
              cited_text: "wet",
              start_char_index: 3,
              end_char_index: 6,
            },
          ],
        },
      ],
    });
    const none = { start: null, end: null };
    const found = [{ url: "https://a", title: "A", age: "today" }];
    expect(parts).toEqual([
      { kind: "search", queries: ["rain"], found, fault: null },
      { kind: "search", queries: [], found: [], fault: "too_many_requests" },
      {
        kind: "text",
        text: "It rained.",
        citations: [
          { url: "https://a", title: "A", quote: "rain", document: null, ...none },
          { url: null, title: "D", quote: "wet", document: 1, ...none },
        ],
      },
    ]);
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop-sequence"],
    ["max_tokens", "length"],
    ["tool_use", "calls"],
    ["refusal", "filter"],
    ["something_new", "other"],
    ["", "stop"],
    [null, "stop"],
  ])("that ends with %s ended with %s", (word, stop) => {
    expect(choiceOf({ stop_reason: word }).stop).toBe(stop as ReplyChoice["stop"]);
  });

  test("X-U02 that fills the window did not stop by itself", () => {
    expect(choiceOf({ stop_reason: "model_context_window_exceeded" }).stop).toBe("context");
  });

  test("X-U03 that pauses is not at its end", () => {
    expect(choiceOf({ stop_reason: "pause_turn" }).stop).toBe("pause");
  });

  test("names the sequence that ended it", () => {
    expect(choiceOf({ stop_reason: "stop_sequence", stop_sequence: "END" }).stopSequence).toBe(
      "END",
    );
  });

  test("X-S07 that ends with calls has them", () => {
    const choice = choiceOf({ content: [call], stop_reason: "tool_use" });
    expect(choice).toMatchObject({ stop: "calls", parts: [{ kind: "call", name: "f" }] });
  });

  test("X-S22 that was cut inside a call keeps it", () => {
    const choice = choiceOf({ content: [{ ...call, input: {} }], stop_reason: "max_tokens" });
    expect(choice).toMatchObject({ stop: "length", parts: [{ kind: "call", input: "{}" }] });
  });

  test("X-P03 an answer that came as the input of our tool is text and a natural end", () => {
    const answer = { type: "tool_use", id: "t", name: "sluice_json_output", input: { tags: [] } };
    expect(choiceOf({ content: [answer], stop_reason: "tool_use" })).toEqual({
      parts: [{ kind: "text", text: '{"tags":[]}' }],
      stop: "stop",
      stopSequence: null,
    });
    expect(choiceOf({ content: [answer], stop_reason: "max_tokens" }).stop).toBe("length");
    expect(choiceOf({ content: [answer, call], stop_reason: "tool_use" }).stop).toBe("calls");
  });

  test("has the whole input in its usage", () => {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 20,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 4 },
    };
    expect(replyOf({ usage }).usage).toEqual({
      inputTokens: 33,
      outputTokens: 7,
      cacheReadTokens: 10,
      cacheWriteTokens: 20,
      reasoningTokens: 4,
    });
    expect(replyOf({ usage: { output_tokens: 7 } }).usage).toBeNull();
    expect(replyOf({ usage: null }).usage).toBeNull();
  });
});

test("what is no reply is none", () => {
  for (const body of [null, "a", [], {}, { type: "error", error: {} }, { content: "text" }]) {
    expect(decodeReply(body)).toBeNull();
  }
});
