import { expect, test } from "bun:test";
import { toJsonSchema } from "./json-schema.ts";

test("types are written in lower case, at every depth", () => {
  expect(
    toJsonSchema({
      type: "OBJECT",
      properties: {
        type: { type: "STRING", description: "its TYPE" },
        list: { type: "ARRAY", items: { anyOf: [{ type: "NUMBER" }, { type: "BOOLEAN" }] } },
      },
      required: ["type"],
      propertyOrdering: ["type", "list"],
    }),
  ).toEqual({
    type: "object",
    properties: {
      type: { type: "string", description: "its TYPE" },
      list: { type: "array", items: { anyOf: [{ type: "number" }, { type: "boolean" }] } },
    },
    required: ["type"],
  });
});

test("what may be null says so as JSON Schema does", () => {
  expect(toJsonSchema({ type: "STRING", nullable: true, enum: ["a"], format: "enum" })).toEqual({
    type: ["string", "null"],
    enum: ["a", null],
  });
  expect(toJsonSchema({ anyOf: [{ type: "STRING" }], nullable: true })).toEqual({
    anyOf: [{ type: "string" }, { type: "null" }],
  });
  expect(toJsonSchema({ type: "STRING", nullable: false })).toEqual({ type: "string" });
});

test("counts that Google writes as texts are numbers, and its own spellings are undone", () => {
  expect(
    toJsonSchema({ type: "ARRAY", min_items: "1", maxItems: 3, items: { ref: "#/$defs/a" } }),
  ).toEqual({ type: "array", minItems: 1, maxItems: 3, items: { $ref: "#/$defs/a" } });
  expect(toJsonSchema({ type: "TYPE_UNSPECIFIED", any_of: [{ type: "STRING" }] })).toEqual({
    anyOf: [{ type: "string" }],
  });
});

test("a property may have any name", () => {
  const named = JSON.parse('{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}');
  expect(JSON.stringify(toJsonSchema(named))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
  );
});
