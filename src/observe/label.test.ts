// Labels as they come: by the header, and in metadata.
import { describe, expect, test } from "bun:test";
import { labelIn, readLabel } from "./label.ts";

const byHeader = (text: string) => readLabel(new Headers({ "x-sluice-label": text }));

describe("labels", () => {
  test("are words of letters, digits and four marks", () => {
    for (const label of ["a", "Feature_7", "team:search-v2.1", "x".repeat(64)]) {
      expect(byHeader(label)).toBe(label);
      expect(labelIn({ label })).toBe(label);
    }
    expect(readLabel(new Headers())).toBeNull();
    expect(byHeader("")).toBeNull();
  });

  test("a header that is no label names itself", () => {
    for (const text of ["two words", "x".repeat(65), "a,b", "caf\u00e9", "<b>", "a/b"]) {
      expect(() => byHeader(text)).toThrow("x-sluice-label must be");
    }
  });

  test("what is no label in metadata is the client's own affair", () => {
    for (const metadata of [
      null,
      undefined,
      "label",
      [],
      {},
      { label: 7 },
      { label: "two words" },
    ]) {
      expect(labelIn(metadata)).toBeNull();
    }
  });
});
