// Ids of calls that another vendor's model gave.
import { expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";
import { mendIds } from "./mend-ids.ts";

const refusal: RequestFault = {
  blame: "request",
  status: 400,
  type: "invalid_request_error",
  code: null,
  param: null,
  message: "Tool call id was toolu_01 but must be a-z, A-Z, 0-9, with a length of 9.",
};
const plain = expect.stringMatching(/^[a-z0-9]{9}$/);

test("X-T27 every wire's calls and results get the same plain ids", () => {
  const question = { role: "user", content: "Hi" };
  const chat: JsonObject = {
    messages: [
      question,
      { role: "assistant", tool_calls: [{ id: "toolu_01", type: "function" }] },
      { role: "tool", tool_call_id: "toolu_01", content: "a" },
    ],
  };
  const before = structuredClone(chat);
  const mended = mendIds(chat, refusal);
  expect(mended).toEqual({
    messages: [
      question,
      { role: "assistant", tool_calls: [{ id: plain, type: "function" }] },
      { role: "tool", tool_call_id: plain, content: "a" },
    ],
  });
  expect(chat).toEqual(before);
  expect(mended && mendIds(mended, refusal)).toBeNull();
  const input = [
    { type: "function_call", id: "fc_1", call_id: "toolu_01" },
    { type: "function_call_output", call_id: "toolu_01" },
  ];
  const message = "Invalid 'input[0].call_id': string too long.";
  expect(mendIds({ input }, { ...refusal, message })).toEqual({
    input: [
      { type: "function_call", id: "fc_1", call_id: plain },
      { type: "function_call_output", call_id: plain },
    ],
  });
  const text = { type: "text", text: "" };
  const blocks = [
    { type: "tool_use", id: "a.b" },
    { type: "tool_result", tool_use_id: "a.b" },
    text,
  ];
  const words = "messages.0.content.0.tool_use.id: String should match pattern";
  expect(mendIds({ messages: [{ content: blocks }] }, { ...refusal, message: words })).toEqual({
    messages: [
      {
        content: [
          { type: "tool_use", id: plain },
          { type: "tool_result", tool_use_id: plain },
          text,
        ],
      },
    ],
  });
});

test("X-T27 other refusals are left alone", () => {
  const body: JsonObject = { messages: [{ role: "tool", tool_call_id: "toolu_01" }] };
  expect(mendIds(body, { ...refusal, message: "Invalid model." })).toBeNull();
  expect(mendIds(body, { ...refusal, status: 413 })).toBeNull();
  expect(mendIds({}, refusal)).toBeNull();
});
