import { expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { withThoughtNames } from "./thought-names.ts";

const tools = [{ type: "function", function: { name: "look" } }];
const [user, plain] = [
  { role: "user", content: "hi" },
  { role: "assistant", content: "a" },
];
const content = { ...plain, reasoning_content: "so" };
const named = { ...plain, reasoning: "so" };

const sent = (
  base: string,
  model: string,
  turn: JsonObject,
  body: JsonObject = { tools },
): Json => {
  const made = withThoughtNames({ ...body, messages: [user, turn] }, model, base)["messages"];
  return Array.isArray(made) ? (made[1] ?? null) : null;
};

test.each<[string, string, JsonObject, JsonObject]>([
  ["https://api.cerebras.ai/v1", "gpt-oss-120b", content, named],
  ["https://api.cerebras.ai/v1", "gpt-oss-120b", plain, plain],
  ["https://api.moonshot.ai/v1", "kimi-k2.6", named, content],
  ["https://open.bigmodel.cn/api/paas/v4", "glm-5", named, content],
  ["https://api.deepseek.com/v1", "deepseek-v4-pro", named, content],
  ["https://api.deepseek.com/v1", "deepseek-v4-pro", plain, { ...plain, reasoning_content: "" }],
  ["https://api.deepseek.com/v1", "deepseek-reasoner", plain, plain],
  ["https://api.groq.com/openai/v1", "openai/gpt-oss-120b", content, named],
  ["https://api.groq.com/openai/v1", "moonshotai/kimi-k2-instruct", content, plain],
  ["https://api.groq.com/openai/v1", "llama-3.3-70b-versatile", named, plain],
  ["https://api.openai.com/v1", "gpt-5", named, named],
])("at %s, %s is told %j as %j", (base, model, turn, told) => {
  expect(sent(base, model, turn)).toEqual(told);
});

test("a turn without thoughts stays as it is where no tools are offered", () => {
  expect(sent("https://api.deepseek.com/v1", "deepseek-v4-pro", plain, {})).toEqual(plain);
});

test("what a user says is never touched", () => {
  const body = { tools, messages: [{ ...user, reasoning: "x" }] };
  expect(withThoughtNames(body, "m", "https://api.cerebras.ai/v1")).toEqual(body);
});
