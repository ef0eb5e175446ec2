import { expect, test } from "bun:test";
import { replyTexts, requestTexts } from "./texts.ts";

test("everything a model reads of a request is counted, and media are not", () => {
  const texts = requestTexts({
    system: [{ type: "text", text: "be brief" }],
    tools: [{ name: "weather" }],
    messages: [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "long signature" },
          { type: "tool_use", id: "t", name: "weather", input: { city: "Bern" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "rain" }] },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "document", title: "T", source: { type: "text", data: "words" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "BBBB" },
          },
        ],
      },
    ],
  });
  expect(texts).toEqual([
    "be brief",
    '{"name":"weather"}',
    "hi",
    "hm",
    "weather",
    '{"city":"Bern"}',
    "rain",
    "T",
    "words",
  ]);
});

test("what was generated is found in whole replies and in events", () => {
  const call = { type: "tool_use", id: "t", name: "f", input: { a: 1 } };
  expect(replyTexts({ content: [{ type: "text", text: "a" }, call] })).toEqual([
    "a",
    "f",
    '{"a":1}',
  ]);
  expect(
    replyTexts({ type: "content_block_start", content_block: { ...call, input: {} } }),
  ).toEqual(["f"]);
  const delta = (content: object) =>
    replyTexts({ type: "content_block_delta", delta: { ...content } });
  expect(delta({ type: "text_delta", text: "a" })).toEqual(["a"]);
  expect(delta({ type: "thinking_delta", thinking: "b" })).toEqual(["b"]);
  expect(delta({ type: "input_json_delta", partial_json: "{" })).toEqual(["{"]);
  expect(delta({ type: "signature_delta", signature: "s" })).toEqual([]);
  expect(replyTexts({ type: "message_stop" })).toEqual([]);
});
