import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, JsonError, parseJson } from "./json.ts";

const encoder = new TextEncoder();
const depthMax = 64;

function parseText(text: string): unknown {
  return parseJson(encoder.encode(text));
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

describe("parseJson", () => {
  test("agrees with JSON.parse on any JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseText(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("agrees with JSON.parse on any text about what is JSON", () => {
    const signs = fc.constantFrom(...'{}[]",:\\ \n1ae\u00e9'.split(""), "true", '\\"', "\\\\");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        expect(resultOf(() => parseText(text))).toEqual(resultOf(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  test("takes the deepest nesting that is allowed and nothing deeper", () => {
    expect(() => parseText(nested(depthMax))).not.toThrow();
    expect(() => parseText(nested(depthMax + 1))).toThrow(JsonError);
    const mixed = `${'{"a":['.repeat(depthMax / 2)}0${"]}".repeat(depthMax / 2)}`;
    expect(() => parseText(mixed)).not.toThrow();
    expect(() => parseText(`[${mixed}]`)).toThrow(JsonError);
  });

  test("counts depth, not the number of brackets", () => {
    const flat = Array.from({ length: 1000 }, () => [{}]);
    expect(parseText(JSON.stringify(flat))).toEqual(flat);
  });

  test.each([
    ["brackets", "[".repeat(500)],
    ["quotes and brackets", '"[{'.repeat(500)],
    ["backslashes and brackets", "\\[".repeat(500)],
    ["backslashes before quotes", '\\\\"["'.repeat(500)],
    ["characters of several bytes", "\u{1f600}\u00e9[".repeat(500)],
  ])("%s inside a string are text", (_name, text) => {
    expect(parseText(JSON.stringify({ [text]: text }))).toEqual({ [text]: text });
  });

  test("an escaped quote does not hide nesting behind it", () => {
    expect(() => parseText(`["\\"",${nested(depthMax)}]`)).toThrow(/levels deep/);
    expect(() => parseText(`["\\\\",${nested(depthMax)}]`)).toThrow(/levels deep/);
  });

  test.each(["[", '{"a":'])(
    "50 000 levels of %s are refused before the parser sees them",
    (open) => {
      expect(() => parseText(open.repeat(50_000))).toThrow(/levels deep/);
    },
  );

  test.each([
    ["a lone continuation byte", [0x22, 0x80, 0x22]],
    ["an overlong encoding", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a character that was cut", [0x22, 0xe2, 0x82, 0x22]],
    ["a byte that never occurs", [0x22, 0xff, 0x22]],
  ])("%s is refused", (_name, bytes) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(JsonError);
  });

  test.each(["", " ", "{", '{"a":1,}', "nul", '"', "'a'", "[1]]", "NaN", "01", '"\n"'])(
    "%p is not JSON",
    (text) => {
      expect(() => parseText(text)).toThrow(JsonError);
    },
  );

  test("a name such as __proto__ is data and changes no prototype", () => {
    const value = parseText('{"__proto__":{"isAdmin":true}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
  });
});

test("isObject tells objects from lists, null and the rest", () => {
  expect([{}, [], null, "a", 1, undefined].map(isObject)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

function resultOf(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch {
    return "refused";
  }
}
