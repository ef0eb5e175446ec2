import { expect, test } from "bun:test";
import { renderCsv } from "./csv.ts";

test("rows become lines with a head, quoted where they must be", () => {
  const rows = [
    { name: 'a "b", c', micros: 5, note: null },
    { name: "plain", micros: -5, more: "line\nbreak" },
  ];
  expect(renderCsv(rows)).toBe(
    'name,micros,note,more\r\n"a ""b"", c",5,,\r\nplain,-5,,"line\nbreak"\r\n',
  );
});

test("no name is a formula to a spreadsheet", () => {
  const names = ["=1+1", "+1", "-1", "@x"];
  const [, ...lines] = renderCsv(names.map((name) => ({ name }))).split("\r\n");
  expect(lines.slice(0, -1)).toEqual(names.map((name) => `'${name}`));
});
