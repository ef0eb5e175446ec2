import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { describeJsonFault } from "./json-fault.ts";

const told = (text: string) => describeJsonFault(new TextEncoder().encode(text));

describe("where a text stops being JSON", () => {
  test.each([
    ["", "line 1, column 1 (byte 0) a value was expected, and the end of the body was found"],
    ['{"a": 1,}', 'line 1, column 9 (byte 8) a name in double quotes was expected, and "}"'],
    ["{'a': 1}", 'line 1, column 2 (byte 1) a name in double quotes was expected, and "\'"'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3 (byte 13) "," or "}" was expected, and "\\""'],
    ['{"é": x}', 'line 1, column 7 (byte 7) a value was expected, and "x"'],
    ["[1 2]", 'line 1, column 4 (byte 3) "," or "]" was expected, and "2"'],
    ['{"a" 1}', 'line 1, column 6 (byte 5) ":" was expected, and "1"'],
    ['{"a": "b', "column 9 (byte 8) a closing quote was expected, and the end of the body"],
    ['{"a": "b\nc"}', "column 9 (byte 8) an escape such as \\n was expected, and the character"],
    ['{"a": "\\x"}', 'column 9 (byte 8) one of "\\/bfnrtu behind a \\ was expected, and "x"'],
    ["{} {}", 'column 4 (byte 3) the end of the body was expected, and "{"'],
    ["NaN", 'column 1 (byte 0) a value was expected, and "N"'],
  ])("of %j is told with what was expected there", (text, expected) => {
    expect(told(text)).toContain(expected);
  });

  test("a byte that is no UTF-8 is named", () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"a": "é'), 0xff, 0x22, 0x7d]);
    expect(describeJsonFault(bytes)).toBe("The body is not valid UTF-8 at byte 9.");
  });

  test("what is far behind is not looked for", () => {
    const far = `{"a": "${"x".repeat(2_000_000)}", }`;
    expect(told(far)).toBe("The body is not valid JSON.");
  });

  test("every text that the platform refuses has a place, and no other has", () => {
    const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "-0.5e3", "null", " ");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect(told(text).includes("(byte ")).toBe(!isValid);
      }),
    );
  });
});
