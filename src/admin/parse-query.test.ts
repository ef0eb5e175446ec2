import { expect, test } from "bun:test";
import type { QueryEntry } from "../core/reference-entry.ts";
import { text, whole, word } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";
import { pages } from "./contract/basics.ts";
import { thrown } from "./fixtures/control-plane.ts";
import { parseQuery } from "./parse-query.ts";
import { byName, bySort } from "./search.ts";
import { span } from "./span.ts";

const entry = {
  ...pages,
  ...byName,
  ...bySort(["name"]),
  ...span,
  all: { schema: word("true"), isFlag: true },
  account: { schema: text() },
  kind: { schema: word("a", "b") },
  failed: { schema: Type.Boolean() },
  least: { schema: whole() },
} as const satisfies QueryEntry;

const parse = (query: string) => parseQuery(entry, new URLSearchParams(query));
const usual = { p: 1, page_size: 20, all: false };

test("each parameter becomes a value of its kind, and what is missing its default or nothing", () => {
  expect(parse("")).toEqual(usual);
  expect(parse("p=2&page_size=100&all=true&kind=b&sort=-name&q=la")).toEqual({
    p: 2,
    page_size: 100,
    all: true,
    kind: "b",
    sort: "-name",
    q: "la",
  });
  expect(parse("failed=0&least=7&from=10&to=1970-01-02")).toEqual({
    ...usual,
    failed: false,
    least: 7,
    from: 10_000,
    to: 86_400_000,
  });
});

test("empty counts as none, but of a text; a flag is on where it is true alone", () => {
  expect(parse("p=&kind=&failed=&least=&from=&sort=&account=")).toEqual({ ...usual, account: "" });
  expect(parse("all=false")).toEqual(usual);
  expect(parse("all=yes&unknown=1")).toEqual(usual);
});

test("a text that does not fit is refused with its parameter", async () => {
  const refused = {
    p: ["0", "-1", "1e3", "1000001", "must be a whole number from 1 to 1000000."],
    page_size: ["101", "must be a whole number from 1 to 100."],
    kind: ["c", "must be one of a, b"],
    sort: ["-id", "must be one of name, -name"],
    failed: ["yes", "must be true or false"],
    least: ["-1", "1.5", "must be a whole number"],
    from: ["yesterday", "must be Unix seconds or a day such as 2026-11-30"],
    q: ["x".repeat(65), "must have at most 64 characters"],
  };
  for (const [name, texts] of Object.entries(refused)) {
    const words = texts.at(-1);
    for (const one of texts.slice(0, -1)) {
      expect(await thrown(() => parse(`${name}=${one}`))).toBe(`${name} ${words}`);
    }
  }
});
