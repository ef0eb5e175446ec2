import { expect, test } from "bun:test";
import { toObjectSchema } from "./object-schema.ts";

test("an input without properties lists none", () => {
  const empty = { type: "object", properties: {} };
  expect(toObjectSchema({})).toEqual(empty);
  expect(toObjectSchema({ type: "object" })).toEqual(empty);
  expect(toObjectSchema({ additionalProperties: false })).toEqual({
    ...empty,
    additionalProperties: false,
  });
});

test("an input that does not say that it is an object says so", () => {
  const properties = { city: { type: "string" } };
  expect(toObjectSchema({ properties })).toEqual({ type: "object", properties });
});

test("what is said in another way stays as it is", () => {
  const whole = { type: "object", properties: { a: {} }, required: ["a"] };
  const union = { anyOf: [{ type: "object" }] };
  const reference = { $ref: "#/$defs/a", $defs: { a: {} } };
  for (const schema of [whole, union, reference, { type: "string" }]) {
    expect(toObjectSchema(schema)).toEqual(schema);
  }
});
