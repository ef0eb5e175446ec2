import { expect, test } from "bun:test";
import { pages } from "./contract/basics.ts";
import { cutPage, pageOf } from "./page.ts";
import { parseQuery } from "./parse-query.ts";

const ask = (text: string) => pageOf(parseQuery(pages, new URLSearchParams(text)));

test("N10 pages count from 1 and have a size", () => {
  expect(ask("")).toEqual({ number: 1, limit: 20, offset: 0 });
  expect(ask("p=3&page_size=7")).toEqual({ number: 3, limit: 7, offset: 14 });
});

test("a page is cut out of a list, and the answer says which", () => {
  expect(cutPage(ask("page_size=100"), ["a", "b"])).toEqual({
    items: ["a", "b"],
    total: 2,
    page: 1,
    page_size: 100,
  });
  expect(cutPage(ask("p=2&page_size=1"), ["a", "b"]).items).toEqual(["b"]);
});

test("what is no page is refused by name", () => {
  for (const text of [
    "p=0",
    "p=-1",
    "p=x",
    "p=1.5",
    "p=99999999",
    "page_size=0",
    "page_size=101",
  ]) {
    expect(() => ask(text)).toThrow(text.split("=")[0] ?? "");
  }
});
