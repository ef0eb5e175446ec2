import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { decodeTools } from "./decode-tools.ts";

const declared = { functionDeclarations: [{ name: "f" }, { name: "g" }] };

function choice(config: JsonObject): unknown {
  return decodeTools({ tools: [declared], toolConfig: { functionCallingConfig: config } })
    .toolChoice;
}

describe("tools", () => {
  test("declarations are read in both spellings, from a list or alone", () => {
    const tool = {
      name: "f",
      description: "does it",
      schema: { type: "object", properties: { a: { type: "string" } } },
      isStrict: null,
      custom: null,
    };
    const parameters = { type: "OBJECT", properties: { a: { type: "STRING" } } };
    const declaration = { name: "f", description: "does it", parameters };
    expect(decodeTools({ tools: [{ functionDeclarations: [declaration] }] }).tools).toEqual([tool]);
    expect(decodeTools({ tools: { function_declarations: [declaration] } }).tools).toEqual([tool]);
  });

  test("a JSON Schema is taken as it is, and none is none", () => {
    const schema = { type: "object", properties: {}, additionalProperties: { type: "string" } };
    const [one, other] = decodeTools({
      tools: [
        { functionDeclarations: [{ name: "f", parametersJsonSchema: schema }, { name: "g" }] },
      ],
    }).tools;
    expect(one?.schema).toEqual(schema);
    expect(other?.schema).toBeNull();
  });

  test("a JSON Schema with Google's types in it becomes one without", () => {
    const schema = { type: "OBJECT", properties: { a: { type: "STRING" } } };
    const declaration = { name: "f", parametersJsonSchema: schema };
    const { tools } = decodeTools({ tools: [{ functionDeclarations: [declaration] }] });
    expect(tools[0]?.schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });

  test("tools that Google runs are left out and told, but for its search", () => {
    const tools = [
      { googleSearch: { timeRangeFilter: {}, exclude_domains: ["a.example"] } },
      { ...declared, url_context: {} },
      { codeExecution: {}, google_search: {} },
    ];
    expect(decodeTools({ tools })).toMatchObject({
      tools: [{ name: "f" }, { name: "g" }],
      search: { at: "tools.0.googleSearch", blockedDomains: ["a.example"] },
      ignored: [
        "tools.0.googleSearch.timeRangeFilter",
        "tools.1.url_context",
        "tools.2.codeExecution",
        "tools.2.google_search",
      ],
    });
  });

  test("tools that Google runs cannot be forced on another vendor", () => {
    const forced = {
      tools: [{ googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
    };
    expect(() => decodeTools(forced)).toThrow("toolConfig.functionCallingConfig.mode");
  });
});

describe("the choice of tools", () => {
  test("X-T05 ANY with names is a call that is required, of one of them", () => {
    expect(choice({ mode: "ANY", allowedFunctionNames: ["f", "g"] })).toEqual({
      kind: "some",
      names: ["f", "g"],
      isRequired: true,
    });
    expect(choice({ mode: "ANY", allowed_function_names: ["f"] })).toEqual({
      kind: "tool",
      name: "f",
      isCustom: false,
    });
  });

  test("the other modes have their like", () => {
    expect(choice({ mode: "ANY" })).toEqual({ kind: "required" });
    expect(choice({ mode: "ANY", allowedFunctionNames: [] })).toEqual({ kind: "required" });
    expect(choice({ mode: "AUTO" })).toEqual({ kind: "auto" });
    expect(choice({ mode: "none" })).toEqual({ kind: "none" });
    expect(choice({ mode: "VALIDATED" })).toEqual({ kind: "auto" });
    expect(choice({ mode: "VALIDATED", allowedFunctionNames: ["f"] })).toEqual({
      kind: "some",
      names: ["f"],
      isRequired: false,
    });
    expect(choice({ mode: "MODE_UNSPECIFIED" })).toBeNull();
    expect(choice({})).toBeNull();
    expect(() => choice({ mode: "PERHAPS" })).toThrow("mode must be");
  });
});
