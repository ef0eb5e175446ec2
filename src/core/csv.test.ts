import { expect, test } from "bun:test";
import { csvLine } from "./csv.ts";

test("cells are quoted where they must be, and numbers stay numbers", () => {
  expect(csvLine(["a", 1, -2, true, null, undefined])).toBe("a,1,-2,true,,\r\n");
  expect(csvLine(['say "hi", then', "two\nlines"])).toBe('"say ""hi"", then","two\nlines"\r\n');
});

test("no text is a formula in a spreadsheet", () => {
  expect(csvLine(["=1+1", "+1", "-1", "@a", "\t=1", "a=1"])).toBe(
    "'=1+1,'+1,'-1,'@a,'\t=1,a=1\r\n",
  );
  expect(csvLine(['=HYPERLINK("x","y")'])).toBe(`"'=HYPERLINK(""x"",""y"")"\r\n`);
});
