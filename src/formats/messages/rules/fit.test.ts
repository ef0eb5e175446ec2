import { expect, test } from "bun:test";
import { fitMessages } from "./fit.ts";

const messages = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

function fitted(model: string, fields: object) {
  const body = { model, max_tokens: 10_000, messages, thinking: { type: "adaptive" }, ...fields };
  const left = fitMessages(body, model).map(({ name }) => name);
  return { body, left };
}

test("thinking that is left to the model stays where the model takes that", () => {
  const { body, left } = fitted("claude-opus-5", { output_config: { effort: "high" } });
  expect(body).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
  expect(left).toEqual([]);
});

test("thinking that is left to a model which wants a budget has one, and no effort", () => {
  const { body, left } = fitted("claude-sonnet-4-5", { output_config: { effort: "high" } });
  expect(body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 3000 } });
  expect(body).not.toHaveProperty("output_config");
  expect(left).toEqual(["output_config.effort"]);
});

test("thinking goes, and is told, where an answer goes on without its thoughts", () => {
  const call = { type: "tool_use", id: "toolu_1", name: "a", input: {} };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "b" };
  const going = [
    ...messages,
    { role: "assistant", content: [call] },
    { role: "user", content: [result] },
  ];
  const { body, left } = fitted("claude-sonnet-4-5", { messages: going });
  expect(body).not.toHaveProperty("thinking");
  expect(left).toEqual(["thinking"]);
});

test("a model that cannot think is not asked to", () => {
  expect(fitted("claude-3-5-haiku-20241022", {}).left).toEqual(["thinking"]);
});
