import { describe, expect, test } from "bun:test";
import { decodeResponsesReply } from "./decode-reply.ts";

const response = (fields: object) => ({ id: "resp_1", status: "completed", output: [], ...fields });

describe("a whole response", () => {
  test("an empty output is an answer without parts", () => {
    expect(decodeResponsesReply(response({}))).toEqual({
      id: "resp_1",
      choices: [{ parts: [], stop: "stop", stopSequence: null }],
      usage: null,
    });
  });

  test("its items become parts, and what the vendor's other tools did is left out", () => {
    const action = { type: "search", query: "q", sources: [{ type: "url", url: "https://a" }, {}] };
    const output = [
      { type: "web_search_call", id: "ws_1", status: "completed", action },
      { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page" } },
      { type: "file_search_call", id: "fs_1", status: "completed" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
      { type: "reasoning", id: "rs_2", summary: [] },
      {
        type: "message",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "refusal", refusal: "no" },
        ],
      },
      { type: "custom_tool_call", id: "ctc_1", call_id: "c1", name: "sql", input: "" },
      { type: "function_call", id: "fc_1", call_id: "c2", name: "f", arguments: "" },
    ];
    expect(decodeResponsesReply(response({ output }))?.choices).toEqual([
      {
        parts: [
          {
            kind: "search",
            queries: ["q"],
            found: [{ url: "https://a", title: null, age: null }],
            fault: null,
          },
          {
            kind: "reasoning",
            text: "",
            proof: { dialect: "responses", data: "gAAAA", id: "rs_1" },
            isRedacted: false,
          },
          { kind: "text", text: "a" },
          { kind: "refusal", text: "no" },
          { kind: "call", id: "c1", name: "sql", input: "", isCustom: true },
          { kind: "call", id: "c2", name: "f", input: "{}", isCustom: false },
        ],
        stop: "calls",
        stopSequence: null,
      },
    ]);
  });

  test("X-U06 a cut answer with a call in it was cut", () => {
    const output = [{ type: "function_call", call_id: "c", name: "f", arguments: '{"a' }];
    const details = { incomplete_details: { reason: "max_output_tokens" } };
    const reply = decodeResponsesReply(response({ status: "incomplete", output, ...details }));
    expect(reply?.choices[0]).toMatchObject({ stop: "length", parts: [{ input: '{"a' }] });
  });

  test("X-U18 usage is read with its details, under either set of names", () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 5 },
    };
    expect(decodeResponsesReply(response({ usage }))?.usage).toEqual({
      inputTokens: 10,
      outputTokens: 6,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
    });
    const chatNames = { prompt_tokens: 1, completion_tokens: 2 };
    expect(decodeResponsesReply(response({ usage: chatNames }))?.usage).toMatchObject({
      inputTokens: 1,
      outputTokens: 2,
    });
  });

  test("a citation of a file has its name", () => {
    const annotations = [{ type: "file_citation", file_id: "file-1", filename: "a.pdf", index: 3 }];
    const output = [
      { type: "message", content: [{ type: "output_text", text: "a", annotations }] },
    ];
    expect(decodeResponsesReply(response({ output }))?.choices[0]?.parts).toMatchObject([
      { citations: [{ url: null, title: "a.pdf", start: 3, document: null }] },
    ]);
  });

  test.each([
    ["no object", "hello"],
    ["no output", { id: "resp_1", status: "completed" }],
    ["an error", { error: { message: "no" } }],
    ["one that failed", response({ status: "failed", error: { message: "no" } })],
    ["one that was cancelled", response({ status: "cancelled" })],
  ])("%s is no reply", (_, body) => {
    expect(decodeResponsesReply(body)).toBeNull();
  });
});
