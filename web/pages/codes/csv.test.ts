import { expect, test } from "bun:test";
import { csvCell } from "./csv.ts";

test("a cell that a spreadsheet would take for a formula is plain text", () => {
  expect(["=1+1", "-2", "@x", 'say "hi"', "plain"].map(csvCell)).toEqual([
    "'=1+1",
    "'-2",
    "'@x",
    '"say ""hi"""',
    "plain",
  ]);
  expect([-2, null, true].map(csvCell)).toEqual(["-2", "", "true"]);
});
