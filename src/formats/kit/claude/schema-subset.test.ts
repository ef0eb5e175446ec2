import { expect, test } from "bun:test";
import { toSchemaSubset } from "./schema-subset.ts";

test("X-P01 keywords that the vendor refuses become words to the model, at every depth", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    minProperties: 1,
    required: ["a"],
    properties: {
      a: { type: "string", minLength: 2, maxLength: 9, description: "A name", format: "uuid" },
      b: {
        type: "array",
        minItems: 2,
        contains: { type: "null" },
        items: { type: "integer", maximum: 5 },
      },
      c: {
        oneOf: [
          { type: "object", properties: {} },
          { type: "string", format: "regex" },
        ],
      },
      minimum: { type: "number" },
    },
    $defs: { d: { type: "array", minItems: 1, uniqueItems: true } },
  };
  expect(toSchemaSubset(schema)).toEqual({
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "string", description: "A name (minLength: 2, maxLength: 9)", format: "uuid" },
      b: {
        type: "array",
        items: { type: "integer", description: "(maximum: 5)" },
        description: '(minItems: 2, contains: {"type":"null"})',
      },
      c: {
        anyOf: [
          { type: "object", properties: {}, additionalProperties: false },
          { type: "string", description: '(format: "regex")' },
        ],
      },
      minimum: { type: "number" },
    },
    $defs: { d: { type: "array", minItems: 1, description: "(uniqueItems: true)" } },
    additionalProperties: false,
    description: "(minProperties: 1)",
  });
});

test("objects are closed, and what else they might have held is said", () => {
  const map = { type: ["object", "null"], additionalProperties: { type: "number" } };
  expect(toSchemaSubset(map)).toEqual({
    type: ["object", "null"],
    additionalProperties: false,
    description: '(additionalProperties: {"type":"number"})',
  });
  expect(toSchemaSubset({ type: "string" })).not.toHaveProperty("additionalProperties");
});

test("the client's schema is not changed", () => {
  const schema = { type: "object", properties: { a: { type: "string", minLength: 1 } } };
  const before = JSON.stringify(schema);
  toSchemaSubset(schema);
  expect(JSON.stringify(schema)).toBe(before);
});
