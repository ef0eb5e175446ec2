import { expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { sealProof } from "../kit/proof.ts";
import { forwardMessages } from "./forward.ts";

const target = { model: "claude-opus-4-6", stream: false, outputTokensMax: 4000 };
const hello = [{ role: "user", content: "hi" }];

function forward(body: JsonObject): JsonObject {
  return forwardMessages({ model: "public", messages: hello, ...body }, target);
}

test("T13 the bound on the output is set where the client gave none", () => {
  expect(forward({})).toMatchObject({ model: "claude-opus-4-6", max_tokens: 4000 });
  expect(forward({ max_tokens: null })["max_tokens"]).toBe(4000);
});

test("a bound that the gateway sets is none that the vendor's model refuses", () => {
  const plenty = { model: "claude-sonnet-4-5", stream: false, outputTokensMax: 128_000 };
  const body = { model: "public", messages: hello };
  expect(forwardMessages(body, plenty)["max_tokens"]).toBe(64_000);
  expect(forwardMessages({ ...body, max_tokens: 70_000 }, plenty)["max_tokens"]).toBe(70_000);
  expect(forwardMessages(body, { ...plenty, model: "my-model" })["max_tokens"]).toBe(128_000);
});

test("a bound of the client stays unless it is more than was paid for", () => {
  expect(forward({ max_tokens: 10 })["max_tokens"]).toBe(10);
  expect(forward({ max_tokens: 0 })["max_tokens"]).toBe(0);
  expect(forward({ max_tokens: 9000 })["max_tokens"]).toBe(4000);
});

test("T13 effort goes where the vendor reads it, and never over what stands there", () => {
  expect(forward({ effort: "low" })).toMatchObject({ output_config: { effort: "low" } });
  expect(forward({ effort: "low" })).not.toHaveProperty("effort");
  expect(forward({ effort: null })).not.toHaveProperty("output_config");
  const format = { type: "json_schema", schema: {} };
  expect(forward({ effort: "low", output_config: { format } })["output_config"]).toEqual({
    format,
    effort: "low",
  });
  expect(forward({ effort: "low", output_config: { effort: "max" } })["output_config"]).toEqual({
    effort: "max",
  });
});

test("X-T27 ids that another vendor's model gave have an alias, on calls and on results", () => {
  const id = "functions.Bash:0";
  const call = { type: "tool_use", id, name: "n", input: {} };
  const result = { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "a" }] };
  const own = { type: "tool_use", id: "toolu_1", name: "n", input: {} };
  const messages = [
    { role: "assistant", content: [own, call] },
    { role: "user", content: [result] },
  ];
  const alias = "functions_Bash_0_a97d15071f";
  expect(forward({ messages })["messages"]).toEqual([
    { role: "assistant", content: [own, { ...call, id: alias }] },
    { role: "user", content: [{ ...result, tool_use_id: alias }] },
  ]);
});

test("unknown fields and sampling stay as they are, until the body is fitted to its model", () => {
  const body = {
    temperature: 0.3,
    top_p: 0,
    top_k: 0,
    container: "c",
    something_new: { a: [null] },
  };
  expect(forward(body)).toMatchObject(body);
});

test("X-H01 signed thinking goes on byte for byte", () => {
  const messages = [
    { role: "user", content: [{ type: "text", text: "a", unknown: 1 }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: " \u2028 thoughts\n", signature: "Eq+/==" },
        { type: "redacted_thinking", data: "Em" },
        { type: "tool_use", id: "t", name: "n", input: { b: 1, a: { "": 0.1 } } },
      ],
    },
  ];
  expect(JSON.stringify(forward({ messages })["messages"])).toBe(JSON.stringify(messages));
});

test("thinking that another vendor signed is taken out, and a message of nothing else with it", () => {
  const sealed = sealProof({ dialect: "content", data: "x" });
  const foreign = { type: "thinking", thinking: "a", signature: sealed };
  const hidden = { type: "redacted_thinking", data: sealed };
  const own = { type: "thinking", thinking: "b", signature: "own" };
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [foreign, own, hidden, { type: "text", text: "c" }] },
    { role: "user", content: "more" },
    { role: "assistant", content: [foreign] },
  ];
  expect(forward({ messages })["messages"]).toEqual([
    { role: "user", content: "hi" },
    { role: "assistant", content: [own, { type: "text", text: "c" }] },
    { role: "user", content: "more" },
  ]);
  expect(messages[1]?.content).toHaveLength(4);
});

test("X-H10 an open turn whose thinking was taken out is not to begin with thinking", () => {
  const signature = sealProof({ dialect: "chat", data: "" });
  const foreign = { type: "thinking", thinking: "hm", signature };
  const own = { type: "thinking", thinking: "hm", signature: "c2lnbmVk" };
  const call = { type: "tool_use", id: "t1", name: "f", input: {} };
  const result = { type: "tool_result", tool_use_id: "t1", content: "done" };
  const budget = { type: "enabled", budget_tokens: 1024 };
  const history = (...content: JsonObject[]): JsonObject[] => [
    ...hello,
    { role: "assistant", content },
    { role: "user", content: [result] },
  ];
  const thinkingOf = (messages: JsonObject[], thinking: JsonObject = budget) =>
    forward({ messages, thinking })["thinking"];
  expect(thinkingOf(history(foreign, call))).toBeUndefined();
  expect(thinkingOf(history(own, call))).toEqual(budget);
  // The client's own mistake is the vendor's to refuse.
  expect(thinkingOf(history(call))).toEqual(budget);
  expect(thinkingOf([...history(foreign, call), ...hello])).toEqual(budget);
  expect(thinkingOf(history(foreign, call), { type: "adaptive" })).toEqual({ type: "adaptive" });
});

test("thoughts that nobody signed stay with the client, as foreign ones do", () => {
  const text = { type: "text", text: "a" };
  const unsigned = { type: "thinking", thinking: "hm", signature: "sluice1:messages:::" };
  const messages = [...hello, { role: "assistant", content: [unsigned, text] }];
  expect(forward({ messages })["messages"]).toEqual([
    ...hello,
    { role: "assistant", content: [text] },
  ]);
});

test("citations of another vendor's answer stay with the client", () => {
  const own = { type: "web_search_result_location", url: "https://a", encrypted_index: "Eo" };
  const foreign = { ...own, encrypted_index: "" };
  const text = { type: "text", text: "a" };
  const ownCited = { ...text, citations: [own] };
  const content = [
    { ...text, citations: [own, foreign] },
    { ...text, citations: [foreign] },
    ownCited,
  ];
  expect(forward({ messages: [{ role: "assistant", content }] })["messages"]).toEqual([
    { role: "assistant", content: [ownCited, text, ownCited] },
  ]);
});
