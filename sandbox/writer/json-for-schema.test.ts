import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compile, Type } from "../../src/core/schema.ts";
import { writeJsonFor } from "./json-for-schema.ts";

const style = { isStrict: false, text: (name: string) => `some ${name}` };
const strict = { ...style, isStrict: true };

/** The schema library reads plain JSON Schema. */
function fits(schema: object, value: unknown): boolean {
  return compile(Type.Unsafe<unknown>(schema)).is(value);
}

describe("a value for a schema", () => {
  test("has the required properties, and all of them when strict", () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
      required: ["city"],
    };
    expect(writeJsonFor(schema, style)).toEqual({ city: "some city" });
    expect(writeJsonFor(schema, strict)).toEqual({ city: "some city", days: 1 });
  });

  test("takes an enum's or a const's own value", () => {
    const schema = {
      type: "object",
      properties: {
        unit: { enum: ["celsius", "kelvin"] },
        kind: { const: 7 },
        none: { const: null },
      },
    };
    expect(writeJsonFor(schema, strict)).toEqual({ unit: "celsius", kind: 7, none: null });
  });

  test("follows references into $defs", () => {
    const schema = {
      type: "object",
      properties: { from: { $ref: "#/$defs/place" }, to: { $ref: "#/$defs/a~1b" } },
      $defs: {
        place: { type: "object", properties: { name: { type: "string" } } },
        "a/b": { type: "boolean" },
      },
    };
    expect(writeJsonFor(schema, strict)).toEqual({ from: { name: "some name" }, to: true });
  });

  test("joins the parts of allOf", () => {
    const schema = {
      allOf: [{ $ref: "#/$defs/named" }, { properties: { age: { type: "integer" } } }],
      $defs: { named: { type: "object", properties: { name: { type: "string" } } } },
    };
    expect(writeJsonFor(schema, strict)).toEqual({ name: "some name", age: 1 });
  });

  test("ends a recursive schema, however widely it branches", () => {
    const node = { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] };
    const children = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`child${at}`, node]),
    );
    const schema = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { ...children, list: { type: "array", items: { $ref: "#" } } },
          required: [...Object.keys(children), "list"],
        },
      },
    };
    const value = writeJsonFor(schema, strict);
    expect(JSON.stringify(value).length).toBeLessThan(100_000);
    expect(value).toMatchObject({ child0: { child0: {} } });
  });

  test("gives up on a schema that no finite value fits", () => {
    const endless = { type: "object", properties: { again: { $ref: "#" } }, required: ["again"] };
    expect(writeJsonFor(endless, strict)).toMatchObject({ again: { again: {} } });
    expect(writeJsonFor({ $ref: "#" }, strict)).toBeString();
    expect(writeJsonFor({ allOf: [{ $ref: "#" }, { $ref: "#" }] }, strict)).toBeString();
  });

  test("keeps a property whatever it is called", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}');
    expect(JSON.stringify(writeJsonFor(schema, strict))).toBe('{"__proto__":1}');
  });

  test("fits, for any schema built of the parts it knows", () => {
    expect(fits({ type: "array", items: { type: "integer" } }, ["x"])).toBeFalse();
    fc.assert(
      fc.property(schemas, fc.boolean(), (schema, isStrict) => {
        expect(fits(schema, writeJsonFor(schema, { ...style, isStrict }))).toBeTrue();
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});

const low = fc.integer({ min: -50, max: 50 });
const span = fc.integer({ min: 2, max: 50 });

const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<object>({ type: "boolean" }, { type: "null" }, { enum: ["a", 1, null] }, {}),
    fc.constantFrom<object>({ const: "x" }, { type: ["string", "null"] }, { type: "number" }),
    fc
      .record({ least: fc.nat(8), more: fc.nat(8) })
      .map(({ least, more }) => ({ type: "string", minLength: least, maxLength: least + more })),
    fc
      .record({ type: fc.constantFrom("integer", "number"), low, span })
      .map(({ type, low: minimum, span: by }) => ({ type, minimum, maximum: minimum + by })),
    fc
      .record({ type: fc.constantFrom("integer", "number"), low, span })
      .map(({ type, low: minimum, span: by }) => ({
        type,
        exclusiveMinimum: minimum,
        exclusiveMaximum: minimum + by,
      })),
    fc
      .record({ high: low, multipleOf: fc.integer({ min: 1, max: 9 }) })
      .map(({ high, multipleOf }) => ({ type: "integer", exclusiveMaximum: high, multipleOf })),
    fc
      .record({ items: tie("schema"), minItems: fc.nat(2), more: fc.nat(2) })
      .map(({ items, minItems, more }) => ({
        type: "array",
        items,
        minItems,
        maxItems: minItems + more,
      })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc
      .dictionary(fc.constantFrom("city", "days", "unit", "list"), tie("schema"))
      .chain((properties) =>
        fc.subarray(Object.keys(properties)).map((required) => ({
          type: "object",
          properties,
          required,
          additionalProperties: false,
        })),
      ),
  ),
}));
