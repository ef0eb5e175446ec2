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

test("unknown fields and sampling stay as they are (T17: the vendor's refusal is relayed)", () => {
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
