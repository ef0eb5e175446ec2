import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { formats } from "../index.ts";
import { writtenBytes } from "./written-bytes.ts";

function written(name: "chat" | "responses", body: JsonObject): number {
  const { client, read } = formats[name];
  if (!client) throw new TypeError(`nobody speaks ${name}`);
  return writtenBytes(client, body, read(body, null));
}

const said = { role: "user", content: "hi" };
const call = { id: "call_a", type: "function", function: { name: "look", arguments: "{}" } };
const called = { role: "assistant", content: null, tool_calls: [call] };
const tools = [{ type: "function", function: { name: "look" } }];

describe("what conversion adds to a body", () => {
  test("is nothing without calls, and nothing where each has its result", () => {
    const result = { role: "tool", tool_call_id: "call_a", content: "seen" };
    expect(written("chat", { model: "m", messages: [said], tools })).toBe(0);
    expect(written("chat", { model: "m", messages: [said, called, result], tools })).toBe(0);
  });

  test("is the id and the name of each call without a result, and the words around them", () => {
    const one = written("chat", { model: "m", messages: [said, called], tools });
    expect(one).toBeGreaterThan("call_alookThe tool gave no result.".length);
    const name = "look".repeat(10);
    const named = { ...call, function: { name, arguments: "{}" } };
    const messages = [said, { ...called, tool_calls: [named] }];
    expect(written("chat", { model: "m", messages, tools })).toBe(one + name.length - 4);
  });

  test("is the name of a namespace for each of its tools", () => {
    const group = (names: string[]) => ({
      model: "m",
      input: "hi",
      tools: [
        {
          type: "namespace",
          name: "shop",
          tools: names.map((name) => ({ type: "function", name })),
        },
      ],
    });
    expect(written("responses", group(["buy"]))).toBe("shop__".length);
    expect(written("responses", group(["buy", "sell"]))).toBe(2 * "shop__".length);
  });
});
