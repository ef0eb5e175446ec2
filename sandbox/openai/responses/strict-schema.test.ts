import { expect, test } from "bun:test";
import { strictProblem } from "./strict-schema.ts";

const leaf = { type: "string" };
const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

test("a closed schema that requires everything may be used strictly", () => {
  const inner = object({ name: leaf });
  const list = { type: "array", items: inner };
  const union = { anyOf: [inner, { type: "null" }] };
  const schema = object({ list, union, self: { $ref: "#" } }, { $defs: { inner } });
  expect(strictProblem(schema)).toBeNull();
  expect(strictProblem(object({}))).toBeNull();
});

test("anything else is told by where it is", () => {
  const open = { type: "object", properties: {} };
  const closing = "'additionalProperties' is required to be supplied and to be false.";
  expect(strictProblem(open)).toBe(`In context=(), ${closing}`);
  for (const [place, schema] of Object.entries({
    "'properties', 'a'": object({ a: open }),
    "'properties', 'a', 'items'": object({ a: { type: "array", items: open } }),
    "'properties', 'a', 'anyOf', '1'": object({ a: { anyOf: [leaf, open] } }),
    "'$defs', 'a'": object({}, { $defs: { a: open } }),
  })) {
    expect(strictProblem(schema)).toBe(`In context=(${place}), ${closing}`);
  }
  expect(strictProblem(object({ a: leaf }, { required: [] }))).toContain("Missing 'a'.");
  for (const schema of [null, undefined, leaf, [], { anyOf: [] }]) {
    expect(strictProblem(schema)).toContain("must have type 'object'");
  }
});
