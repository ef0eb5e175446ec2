import { expect, test } from "bun:test";
import { chat } from "./index.ts";

test("the texts of a request are all that the model reads", () => {
  expect(
    chat.requestTexts({
      model: "m",
      temperature: 1,
      tools: [{ type: "function", function: { name: "look" } }],
      response_format: { type: "json_object" },
      messages: [
        { role: "system", content: "be brief" },
        {
          role: "user",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          reasoning_content: "hm",
          tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "sun" },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      ],
    }),
  ).toEqual([
    "be brief",
    "see",
    "hm",
    "look",
    "{}",
    "sun",
    "no",
    '[{"type":"function","function":{"name":"look"}}]',
    '{"type":"json_object"}',
  ]);
});

test("the texts of a reply and of a chunk are what was generated", () => {
  const message = {
    role: "assistant",
    reasoning: "hm",
    content: "a",
    refusal: "no",
    tool_calls: [
      { index: 0, function: { name: "look", arguments: "{}" } },
      { index: 1, custom: { name: "sql", input: "SELECT 1" } },
    ],
    function_call: { name: "go", arguments: "[]" },
  };
  const texts = ["hm", "a", "no", "look", "{}", "sql", "SELECT 1", "go", "[]"];
  expect(chat.replyTexts({ choices: [{ message }] })).toEqual(texts);
  expect(chat.replyTexts({ choices: [{ delta: message }, { delta: message }] })).toEqual([
    ...texts,
    ...texts,
  ]);
  expect(chat.replyTexts({ choices: [], usage: {} })).toEqual([]);
});

test("X-T23 what passes through keeps every field", () => {
  const body = {
    model: "public",
    messages: [{ role: "user", content: "hi", extra: 1 }],
    tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    unknown: { deep: [null] },
  };
  const target = { model: "own", stream: false, outputTokensMax: 1 };
  expect(chat.forward(body, target)).toEqual({ ...body, model: "own" });
});

test("a request goes best to who made the latest proof in it", () => {
  const details = (data: string) => [{ type: "reasoning.encrypted", data }];
  const read = (messages: { role: string }[]) => chat.read({ model: "m", messages }, null).origins;
  const made = {
    role: "assistant",
    content: "a",
    reasoning_details: details("sluice1:messages:::s"),
  };
  const called = {
    role: "assistant",
    tool_calls: [
      {
        id: "c",
        type: "function",
        function: { name: "f", arguments: "{}" },
        extra_content: { google: { thought_signature: "sluice1:content:call::t" } },
      },
    ],
  };
  const foreign = { role: "assistant", content: "b", reasoning_details: details("opaque") };
  expect(read([made, foreign])).toEqual({ required: null, preferred: "sluice1:messages:::s" });
  expect(read([made, called])).toEqual({ required: null, preferred: "sluice1:content:call::t" });
  expect(read([foreign])).toEqual({ required: null, preferred: null });
});
