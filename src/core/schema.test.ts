import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GatewayError } from "./errors.ts";
import { type Checker, compile, parseWith, Type } from "./schema.ts";

const order = compile(
  Type.Object({
    model: Type.String(),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    parts: Type.Optional(
      Type.Array(Type.Object({ text: Type.String() }, { additionalProperties: false })),
    ),
  }),
);

function refusal<Value>(checker: Checker<Value>, value: unknown): GatewayError {
  try {
    parseWith(checker, value);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("the value was taken");
}

describe("a value that fits its schema", () => {
  test.each<unknown>([
    { model: "a" },
    { model: "a", count: 1, parts: [] },
    { model: "a", parts: [{ text: "b" }], unknown: true },
  ])("%j is returned as it is", (value) => {
    expect(order.is(value)).toBeTrue();
    expect(order.faults(value)).toEqual([]);
    const parsed: unknown = parseWith(order, value);
    expect(parsed).toBe(value);
  });
});

describe("a value that does not fit", () => {
  test.each<[unknown, string | null, string]>([
    [null, null, "The body must be object"],
    ["text", null, "The body must be object"],
    [[], null, "The body must be object"],
    [{}, "model", "model is required"],
    [{ model: 1 }, "model", "model must be string"],
    [{ model: "a", count: 0 }, "count", "count must be >= 1"],
    [{ model: "a", count: 1.5 }, "count", "count must be integer"],
    [{ model: "a", parts: {} }, "parts", "parts must be array"],
    [{ model: "a", parts: [{ text: "b" }, {}] }, "parts.1.text", "parts.1.text is required"],
    [{ model: "a", parts: [{ text: 1 }] }, "parts.0.text", "parts.0.text must be string"],
    [{ model: "a", parts: [{ text: "b", size: 1 }] }, "parts.0.size", "parts.0.size is not known"],
  ])("%j is refused with its place", (value, param, message) => {
    expect(order.is(value)).toBeFalse();
    const error = refusal(order, value);
    expect([error.code, error.param, error.message]).toEqual(["invalid_request", param, message]);
  });

  test("is told with all its faults", () => {
    const faults = order.faults({ count: "a", parts: [{ text: 1 }, {}] });
    expect(faults.map(({ path }) => path)).toEqual([
      "model",
      "count",
      "parts.0.text",
      "parts.1.text",
    ]);
  });

  test("is refused also when nobody can say why", () => {
    const checker: Checker<string> = {
      schema: Type.String(),
      is: (value): value is string => value === "a",
      faults: () => [],
    };
    expect(refusal(checker, 1).message).toBe("The body is not valid");
    expect(refusal(checker, 1).param).toBeNull();
  });
});

describe("a name with a slash or a tilde", () => {
  const odd = compile(
    Type.Object({ "a/b~c": Type.String(), "~1": Type.Optional(Type.Object({})) }),
  );

  test("is named as it is, whether its value is wrong or missing", () => {
    expect(refusal(odd, { "a/b~c": 1 }).param).toBe("a/b~c");
    expect(refusal(odd, { "a/b~c": 1 }).message).toBe("a/b~c must be string");
    expect(refusal(odd, {}).param).toBe("a/b~c");
    expect(refusal(odd, { "a/b~c": "", "~1": 1 }).param).toBe("~1");
  });

  test("is named as it is when it is not known, whatever it is", () => {
    const closed = compile(Type.Object({}, { additionalProperties: false }));
    const name = fc.string({ unit: fc.constantFrom("~", "/", "0", "1", "a"), minLength: 1 });
    fc.assert(
      fc.property(name, (text) => {
        expect(refusal(closed, { [text]: 1 }).param).toBe(text);
      }),
    );
  });

  test("stays escaped in a fault", () => {
    expect(odd.faults({ "a/b~c": 1 })).toEqual([{ path: "a~1b~0c", message: "must be string" }]);
    expect(odd.faults({})).toEqual([{ path: "a~1b~0c", message: "is required" }]);
  });
});
