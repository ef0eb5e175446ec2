import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { plainRequest } from "../kit/fixtures/shapes.ts";
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

test("the texts of vendors with ways of their own are texts as well", () => {
  const thinking = [{ type: "text", text: "hm" }];
  const message = {
    content: [
      { type: "thinking", thinking },
      { type: "text", text: "a" },
    ],
    reasoning_details: [{ type: "reasoning.summary", summary: "so" }],
    tool_calls: [{ type: "function", function: { name: "f" }, custom: { name: "", input: "" } }],
  };
  expect(chat.replyTexts({ choices: [{ message }] })).toEqual(["so", "hm", "a", "f"]);
});

describe("an end", () => {
  const chunk = (delta: JsonObject, finish: string | null, index = 0) => ({
    choices: [{ index, delta, finish_reason: finish }],
  });
  const bytesOf = (body: object) => new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`);
  const watch = (choices: number, ...chunks: object[]) => {
    const observer = chat.observe({ ...plainRequest, stream: true, choices });
    const skimmed = chunks.map((body) => {
      const isSkimmed = observer.skim(bytesOf(body));
      if (!isSkimmed) observer.see({ event: null, data: JSON.stringify(body) });
      return isSkimmed;
    });
    return { observer, skimmed };
  };

  test("X-U29 is seen at the close, though it passed unread", () => {
    const said = chunk({ content: "Some words." }, null);
    const whole = watch(1, said, said, chunk({}, "stop"));
    expect(whole.skimmed).toEqual([false, true, true]);
    expect(whole.observer.isWhole()).toBe(true);
    expect(watch(1, said, said).observer.isWhole()).toBe(false);
    expect(watch(1, said, chunk({}, ""), said).observer.isWhole()).toBe(false);
  });

  test("X-U29 of each of several answers is seen", () => {
    const said = [0, 1].map((index) => chunk({ content: "Some words." }, null, index));
    const ends = [0, 1].map((index) => chunk({}, "stop", index));
    expect(watch(2, ...said, ...ends).observer.isWhole()).toBe(true);
    expect(watch(2, ...said, ends[0] ?? {}, said[1] ?? {}).observer.isWhole()).toBe(false);
  });

  test.each<[JsonObject, string | null, boolean]>([
    [{ role: "assistant", content: "" }, "stop", true],
    [{ content: [{ type: "text", text: "" }] }, "tool_calls", true],
    [{ content: "", refusal: null, tool_calls: [], reasoning: "" }, null, true],
    [{ content: "a" }, "stop", false],
    [{ refusal: "no" }, "stop", false],
    [{ reasoning: "hm" }, "stop", false],
    [{ reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }, "stop", false],
    [{ images: [{ image_url: { url: "u" } }] }, "stop", false],
    [{ tool_calls: [{ function: { name: "" } }] }, "tool_calls", false],
    [{ audio: { data: "x" } }, "stop", false],
    [{ content: "" }, "length", false],
    [{ content: null }, "content_filter", false],
  ])("X-U28 %j with %p is empty: %p", (said, finish, isEmpty) => {
    const whole = { choices: [{ index: 0, message: said, finish_reason: finish }] };
    expect(chat.readReply(whole)?.isEmpty ?? false).toBe(isEmpty);
    expect(watch(1, chunk(said, finish)).observer.isEmpty()).toBe(isEmpty);
  });
});

test("a first event without choices waits for the next, and a later one passes", () => {
  const see = (...chunks: object[]) => {
    const observer = chat.observe({ ...plainRequest, stream: true });
    return chunks.map((chunk) => observer.see({ event: null, data: JSON.stringify(chunk) }).kind);
  };
  const bare = { id: "", choices: [], prompt_filter_results: [] };
  const said = { choices: [{ index: 0, delta: { content: "a" } }] };
  expect(see(bare, said, bare)).toEqual(["wait", "pass", "pass"]);
  expect(see(said, bare)).toEqual(["pass", "pass"]);
});
