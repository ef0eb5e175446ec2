import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Exchange, ResultPart, Tool } from "../exchange.ts";
import { exchangeWith } from "./fixtures/shapes.ts";
import { aliasNames, aliasOf } from "./tool-names.ts";

const rule = { nameCharactersMax: 64, nameCharacters: /^[\w-]+$/ };

function tool(name: string): Tool {
  return { name, description: null, schema: null, isStrict: null, custom: null };
}

function called(name: string, id: string): Partial<Exchange> {
  const call = { kind: "call", id, name, input: "{}", isCustom: false } as const;
  const result: ResultPart = {
    kind: "result",
    callId: id,
    name,
    content: [],
    isError: false,
    isCustom: false,
  };
  return {
    tools: [tool(name)],
    turns: [
      { role: "assistant", parts: [call] },
      { role: "user", parts: [result] },
    ],
  };
}

test("what fits goes out as it is, in the very same exchange", () => {
  const exchange = exchangeWith(called("get-weather", "call_1"));
  expect(aliasNames(exchange, rule).exchange).toBe(exchange);
  expect(aliasNames(exchange, rule).names.size).toBe(0);
});

test("X-T08 a name that is too long is cut, told apart by a digest, and known again", () => {
  const name = `mcp__plugin_${"x".repeat(80)}`;
  const { exchange, names } = aliasNames(
    exchangeWith({
      ...called(name, "call_1"),
      toolChoice: { kind: "some", names: [name, "other"], isRequired: true },
    }),
    rule,
  );
  const alias = exchange.tools[0]?.name ?? "";
  expect(alias).toHaveLength(64);
  expect(alias).toStartWith("mcp__plugin_");
  expect(names).toEqual(new Map([[alias, name]]));
  expect(exchange.turns.flatMap(({ parts }) => parts)).toMatchObject([
    { id: "call_1", name: alias },
    { callId: "call_1", name: alias },
  ]);
  expect(exchange.toolChoice).toEqual({ kind: "some", names: [alias, "other"], isRequired: true });
});

test("X-T07 an id that is too long gets the same alias on the call and on its result", () => {
  const id = `call_1_ts_${"A/".repeat(100)}`;
  const { exchange } = aliasNames(exchangeWith(called("f", id)), rule);
  const [call, result] = exchange.turns.flatMap(({ parts }) => parts);
  const alias = call?.kind === "call" ? call.id : "";
  expect(alias).toMatch(/^[\w-]{1,64}$/);
  expect(result).toMatchObject({ callId: alias });
});

test("a tool that must be called is named by its alias too", () => {
  const toolChoice = { kind: "tool", name: "a.b", isCustom: false } as const;
  const { exchange } = aliasNames(exchangeWith({ tools: [tool("a.b")], toolChoice }), rule);
  expect(exchange.toolChoice).toMatchObject({ name: exchange.tools[0]?.name ?? "" });
  expect(exchange.tools[0]?.name).toMatch(/^a_b_[0-9a-f]{10}$/);
});

test("every alias is valid, the same each time, and different for different names", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (first, second) => {
      const alias = aliasOf(first, rule);
      expect(alias).toMatch(/^[\w-]{1,64}$/);
      expect(aliasOf(first, rule)).toBe(alias);
      expect(aliasOf(alias, rule)).toBe(alias);
      if (first !== second) expect(aliasOf(second, rule)).not.toBe(alias);
    }),
  );
});
