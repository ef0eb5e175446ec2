import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { refusedParam } from "../kit/fixtures/shapes.ts";
import { decodeToolFields } from "./decode-tools.ts";

const look = { type: "function", function: { name: "look", parameters: { type: "object" } } };

function refusal(body: JsonObject): string | null {
  return refusedParam(() => decodeToolFields(body));
}

describe("tools", () => {
  test("X-T22 a tool without strict says nothing of it", () => {
    expect(decodeToolFields({ tools: [look] }).tools).toEqual([
      {
        name: "look",
        description: null,
        schema: { type: "object" },
        isStrict: null,
        custom: null,
      },
    ]);
  });

  test("X-T23 empty parameters are parameters, absent ones are none", () => {
    const tools = [
      { type: "function", function: { name: "a", parameters: {}, strict: false } },
      { type: "function", function: { name: "b", description: "d" } },
    ];
    expect(decodeToolFields({ tools }).tools).toMatchObject([
      { schema: {}, isStrict: false },
      { schema: null, description: "d" },
    ]);
  });

  test("X-T26 custom tools have the neutral form of a grammar", () => {
    const format = { type: "grammar", grammar: { syntax: "lark", definition: "start: A" } };
    const tools = [
      { type: "custom", custom: { name: "sql", description: "d", format } },
      { type: "custom", custom: { name: "free", format: { type: "text" } } },
      { type: "custom", custom: { name: "bare" } },
    ];
    expect(decodeToolFields({ tools }).tools.map(({ custom }) => custom)).toEqual([
      { format: { type: "grammar", syntax: "lark", definition: "start: A" } },
      { format: { type: "text" } },
      { format: null },
    ]);
  });

  test("may carry a mark of the prompt's cache", () => {
    const tools = [{ ...look, cache_control: { type: "ephemeral" } }];
    expect(decodeToolFields({ tools }).tools).toMatchObject([{ cache: { ttl: null } }]);
  });

  test("that their vendor runs are left out and told", () => {
    expect(decodeToolFields({ tools: [look, { type: "web_search" }] })).toMatchObject({
      tools: [{ name: "look" }],
      ignored: ["tools.1"],
    });
  });

  test.each<[JsonObject, string]>([
    [{ type: "function" }, "tools.0.function"],
    [{ type: "function", function: {} }, "tools.0.function.name"],
    [{ type: "function", function: { name: "f", parameters: "x" } }, "tools.0.function.parameters"],
    [{ type: "custom", custom: {} }, "tools.0.custom.name"],
  ])("that cannot be read are refused by their place: %j", (tool, param) => {
    expect(refusal({ tools: [tool] })).toBe(param);
  });
});

describe("the choice among tools", () => {
  const choose = (tool_choice: JsonObject | string) =>
    decodeToolFields({ tools: [look], tool_choice }).toolChoice;

  test("X-T01 X-T02 none is none, and one call at a time is kept apart from it", () => {
    expect(
      decodeToolFields({ tools: [look], tool_choice: "none", parallel_tool_calls: false }),
    ).toMatchObject({ toolChoice: { kind: "none" }, parallelCalls: false });
  });

  test("is auto, required, or absent", () => {
    expect(choose("auto")).toEqual({ kind: "auto" });
    expect(choose("required")).toEqual({ kind: "required" });
    expect(decodeToolFields({ tools: [look] })).toMatchObject({
      toolChoice: null,
      parallelCalls: null,
    });
  });

  test("X-T25 names one tool", () => {
    expect(choose({ type: "function", function: { name: "look" } })).toEqual({
      kind: "tool",
      name: "look",
      isCustom: false,
    });
    expect(choose({ type: "custom", custom: { name: "sql" } })).toEqual({
      kind: "tool",
      name: "sql",
      isCustom: true,
    });
  });

  test("X-T05 names some of the tools", () => {
    const tools = [
      { type: "function", function: { name: "look" } },
      { type: "custom", custom: { name: "sql" } },
      { type: "web_search" },
    ];
    expect(choose({ type: "allowed_tools", allowed_tools: { mode: "required", tools } })).toEqual({
      kind: "some",
      names: ["look", "sql"],
      isRequired: true,
    });
    expect(choose({ type: "allowed_tools", allowed_tools: { mode: "auto", tools } })).toMatchObject(
      { isRequired: false },
    );
  });

  test("among tools of which none is left is none, unless one must be called", () => {
    const allow = (mode: string) => ({
      type: "allowed_tools",
      allowed_tools: { mode, tools: [{ type: "web_search" }] },
    });
    expect(choose(allow("auto"))).toEqual({ kind: "none" });
    expect(refusal({ tools: [look], tool_choice: allow("required") })).toBe("tool_choice");
    expect(refusal({ tools: [{ type: "web_search" }], tool_choice: "required" })).toBe(
      "tool_choice",
    );
  });

  test.each<[JsonObject | string, string]>([
    ["always", "tool_choice"],
    [{ type: "web_search" }, "tool_choice"],
    [{ type: "function", function: {} }, "tool_choice.function.name"],
    [{ type: "allowed_tools" }, "tool_choice.allowed_tools.tools"],
  ])("that cannot be made is refused by name: %j", (tool_choice, param) => {
    expect(refusal({ tools: [look], tool_choice })).toBe(param);
  });
});

describe("functions", () => {
  const functions = [{ name: "look", parameters: { type: "object" } }];

  test("are tools that are called one at a time", () => {
    expect(decodeToolFields({ functions, function_call: "auto" })).toMatchObject({
      tools: [{ name: "look", schema: { type: "object" } }],
      toolChoice: { kind: "auto" },
      parallelCalls: false,
    });
    expect(decodeToolFields({ functions, function_call: { name: "look" } }).toolChoice).toEqual({
      kind: "tool",
      name: "look",
      isCustom: false,
    });
    expect(decodeToolFields({ functions }).toolChoice).toBeNull();
  });

  test("that cannot be read are refused by name", () => {
    expect(refusal({ functions: [{}] })).toBe("functions.0.name");
    expect(refusal({ functions, function_call: "required" })).toBe("function_call");
  });
});
