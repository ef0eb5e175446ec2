import { describe, expect, test } from "bun:test";
import { compile, Type } from "../schema.ts";

const Person = Type.Object(
  { name: Type.String(), age: Type.Optional(Type.Integer({ minimum: 0 })) },
  { additionalProperties: false },
);

describe("a partial object", () => {
  const partial = Type.Partial(Person);

  test("may lack any field, and checks those that are there", () => {
    const checker = compile(partial);
    expect([{}, { age: 1 }, { name: "Ann" }].map((value) => checker.is(value))).toEqual([
      true,
      true,
      true,
    ]);
    expect(checker.faults({ name: 1 })).toEqual([{ path: "name", message: "must be string" }]);
  });

  test("is written as the standard has it, without what else the object was told", () => {
    expect(JSON.parse(JSON.stringify(partial))).toEqual({
      type: "object",
      properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } },
    });
  });
});

describe("a whole object", () => {
  const whole = Type.Required(Person);

  test("has every field", () => {
    const { is, faults } = compile(whole);
    expect(is({ name: "Ann", age: 1 })).toBe(true);
    expect(faults({ name: "Ann" })).toEqual([{ path: "age", message: "is required" }]);
    expect(JSON.parse(JSON.stringify(whole))["required"]).toEqual(["name", "age"]);
  });

  test("leaves the object it was made of as it was", () => {
    expect(compile(Person).is({ name: "Ann" })).toBe(true);
  });
});

describe("a record", () => {
  test("has any fields of one kind", () => {
    const { is, faults } = compile(Type.Record(Type.String(), Type.Integer()));
    expect([is({}), is({ a: 1, b: 2 })]).toEqual([true, true]);
    expect(faults({ a: 1, b: "x" })).toEqual([{ path: "b", message: "must be integer" }]);
  });

  test("may demand a pattern of their names", () => {
    const closed = { additionalProperties: false };
    const names = Type.String({ pattern: "^[a-z]+$" });
    const { is, faults } = compile(Type.Record(names, Type.Integer(), closed));
    expect(is({ a: 1 })).toBe(true);
    expect(faults({ A: 1 })[0]).toEqual({ path: "A", message: "is not known" });
  });
});
