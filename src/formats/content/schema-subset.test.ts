import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { toSubset } from "./schema-subset.ts";

const text = { type: "string" };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

describe("what the subset holds", () => {
  test("X-T20 a type or null is the type, nullable", () => {
    expect(toSubset(object({ a: { type: ["integer", "null"], description: "how many" } }))).toEqual(
      {
        type: "OBJECT",
        properties: { a: { type: "INTEGER", nullable: true, description: "how many" } },
      },
    );
  });

  test("X-T20 a union with null is nullable too", () => {
    const union = {
      anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }],
      title: "A",
      default: null,
    };
    expect(toSubset(object({ a: union }))).toMatchObject({
      properties: { a: { type: "INTEGER", minimum: 0, nullable: true, title: "A" } },
    });
  });

  test("several types are a union of them", () => {
    expect(toSubset(object({ a: { type: ["string", "number", "null"] } }))).toEqual({
      type: "OBJECT",
      properties: { a: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }], nullable: true } },
    });
    expect(toSubset(object({ a: { oneOf: [text, { type: "boolean" }] } }))).toEqual({
      type: "OBJECT",
      properties: { a: { anyOf: [{ type: "STRING" }, { type: "BOOLEAN" }] } },
    });
  });

  test("what Google does not know and what only narrows is left out", () => {
    expect(
      toSubset(
        object(
          {
            a: { type: "string", format: "email", default: "x", examples: ["y"] },
            b: { type: "string", format: "date-time", minLength: 1, pattern: "^a" },
            c: { type: "array", items: text, uniqueItems: true, minItems: 1 },
            d: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
          },
          {
            $schema: "https://json-schema.org/draft/2020-12/schema",
            $id: "x",
            additionalProperties: false,
            required: ["a", "missing"],
          },
        ),
      ),
    ).toEqual({
      type: "OBJECT",
      properties: {
        a: { type: "STRING" },
        b: { type: "STRING", format: "date-time", minLength: 1, pattern: "^a" },
        c: { type: "ARRAY", items: { type: "STRING" }, minItems: 1 },
        d: { type: "INTEGER", minimum: 1, maximum: 9 },
      },
      required: ["a"],
    });
  });

  test("texts to choose from are an enum, also a single one", () => {
    expect(toSubset(object({ a: { enum: ["x", null] }, b: { const: "y" } }))).toEqual({
      type: "OBJECT",
      properties: {
        a: { type: "STRING", enum: ["x"], nullable: true },
        b: { type: "STRING", enum: ["y"] },
      },
    });
  });

  test("references are written out", () => {
    const schema = object(
      { a: { $ref: "#/$defs/b~1c", description: "mine" }, d: { $ref: "#/definitions/e" } },
      { $defs: { "b/c": { ...text, description: "theirs" } }, definitions: { e: text } },
    );
    expect(toSubset(schema)).toEqual({
      type: "OBJECT",
      properties: { a: { type: "STRING", description: "mine" }, d: { type: "STRING" } },
    });
  });

  test("schemas that all hold are one where they speak of different things", () => {
    const schema = {
      allOf: [object({ a: text }, { required: ["a"] }), { $ref: "#/$defs/b" }],
      $defs: { b: object({ b: text }, { required: ["b"] }) },
    };
    expect(toSubset(schema)).toEqual({
      type: "OBJECT",
      properties: { a: { type: "STRING" }, b: { type: "STRING" } },
      required: ["a", "b"],
    });
    expect(toSubset({ allOf: [object({ a: text }), object({ a: text })] })).toBeNull();
  });

  test("a property may have any name", () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(toSubset(schema))).toBe(
      '{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}',
    );
  });
});

describe("what the subset cannot hold", () => {
  test("meanings that would be lost are not written", () => {
    const lost: JsonObject[] = [
      object({ a: { type: "integer", enum: [1, 2] } }),
      object({ a: { const: true } }),
      object({ a: { type: "object", additionalProperties: text } }),
      object({ a: { type: "object", patternProperties: { "^x": text } } }),
      object({ a: { type: "object" } }),
      object({ a: { type: "array" } }),
      object({ a: { type: "array", items: text, prefixItems: [text] } }),
      object({ a: {} }),
      object({ a: true }),
      object({ a: { $ref: "https://example.com/schema" } }),
      object({ a: { $ref: "#/$defs/none" } }),
      object({ a: text }, { anyOf: [{ required: ["a"] }] }),
      object({ a: { type: "null" } }),
    ];
    for (const schema of lost) expect(toSubset(schema)).toBeNull();
  });

  test("what refers to itself never ends and is not written", () => {
    const node = object({ next: { $ref: "#/$defs/node" } });
    expect(toSubset(object({ a: { $ref: "#/$defs/node" } }, { $defs: { node } }))).toBeNull();
    expect(toSubset(object({ a: { $ref: "#" } }))).toBeNull();
    expect(toSubset({ $ref: "#" })).toBeNull();
    expect(toSubset({ allOf: [{ $ref: "#" }] })).toBeNull();
  });

  test("references that unfold without end in sight are given up", () => {
    const defs: JsonObject = { d0: text };
    for (let depth = 1; depth < 30; depth++) {
      const ref = { $ref: `#/$defs/d${depth - 1}` };
      defs[`d${depth}`] = object({ a: ref, b: ref });
    }
    expect(toSubset({ $ref: "#/$defs/d29", $defs: defs })).toBeNull();
  });
});
