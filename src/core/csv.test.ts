// Cells of CSV.
import { expect, test } from "bun:test";
import { csvLine } from "./csv.ts";

test("cells with commas, quotes and breaks are quoted, and numbers are themselves", () => {
  expect(csvLine(["a,b", 'say "x"', "two\nlines", -5, null])).toBe(
    '"a,b","say ""x""","two\nlines",-5,\r\n',
  );
});

test("what a spreadsheet would compute is text", () => {
  expect(csvLine(["=1+1", "+1", "-1", "@a", "plain"])).toBe("'=1+1,'+1,'-1,'@a,plain\r\n");
});
