// Every language against the English: whether it says the same of the same things. Types have
// missing, unknown and wrong words refused by `npm run check`; what they do not see is seen here.
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { basename, join } from "node:path";
import { pluralsOf } from "../core/plural.ts";
import { language, putWords, words, type Text, type Texts, type Words } from "../core/words.ts";
import type { About } from "./texts.ts";

type Part = Readonly<Record<string, Texts>>;
type LanguageFile = { about: About } & Readonly<Record<string, Part>>;

const web = join(import.meta.dir, "..");
const english = await englishWords();
const languages = await Promise.all(
  [...new Glob("*.ts").scanSync(import.meta.dir)]
    .filter((name) => /^[a-z]{2,3}(?:-[A-Za-z]+)*\.ts$/.test(name))
    .map(async (name) => {
      const { about, ...parts } = (await import(join(import.meta.dir, name))) as LanguageFile;
      return { tag: basename(name, ".ts"), about, parts: parts as Readonly<Record<string, Part>> };
    }),
);

async function englishWords(): Promise<Words<Texts, unknown>[]> {
  const files = [...new Glob("**/{*words,titles,refusals}.ts").scanSync(web)];
  const modules = await Promise.all(
    files.map((file) => import(join(web, file)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isWords);
}

function isWords(value: unknown): value is Words<Texts, unknown> {
  return typeof value === "function" && "section" in value;
}

/** Texts of a table by their path, `frame.kit.close`. */
function flat(table: Text | undefined, path: string): [string, Text][] {
  if (typeof table !== "object") return table === undefined ? [] : [[path, table]];
  return Object.entries(table).flatMap(([name, text]) => flat(text, `${path}.${name}`));
}

const originals = new Map(
  english.flatMap(({ part, section, en }) => flat(en, `${part}.${section}`)),
);
const textsOf = (parts: Readonly<Record<string, Part>>) =>
  new Map(
    Object.entries(parts).flatMap(([part, sections]) =>
      Object.entries(sections).flatMap(([section, table]) => flat(table, `${part}.${section}`)),
    ),
  );

/** A text with its values, each of which is marked. */
function said(text: Text, source: Text): string {
  if (typeof text !== "function" || typeof source !== "function") return String(text);
  const names = new Proxy({}, { get: (_, name) => `«${String(name)}»` });
  const marks = Array.from({ length: 4 }, (_, at) => `«${at}»`);
  const values = String(source).startsWith("({") ? [names] : marks;
  return text(...(values as never[]));
}

const marksIn = (text: string) => [...new Set(text.match(/«\w+»/g))].toSorted();

test("every file of words is known, and no two have one place", () => {
  expect(english.length).toBeGreaterThan(30);
  const places = english.map(({ part, section }) => `${part}.${section}`);
  expect(new Set(places).size).toBe(places.length);
});

describe.each(languages)("$tag", ({ tag, about, parts }) => {
  const texts = textsOf(parts);

  test("has a name and a locale that the platform knows", () => {
    expect(about.name).not.toBe("");
    expect(Intl.DateTimeFormat.supportedLocalesOf(about.locale)).toEqual([about.locale]);
    expect(about.locale).toStartWith(tag);
  });

  test("has no word that the English lacks, and of each the same values", () => {
    for (const [path, text] of texts) {
      const source = originals.get(path);
      expect([path, typeof source]).toEqual([path, typeof text]);
      if (source === undefined) continue;
      expect([path, marksIn(said(text, source))]).toEqual([path, marksIn(said(source, source))]);
      expect([path, said(text, source) === ""]).toEqual([path, source === ""]);
    }
  });

  test("never says undefined, whatever is counted", () => {
    for (const [path, text] of texts) {
      if (typeof text !== "function" || String(originals.get(path)).startsWith("({")) continue;
      for (const count of [0, 1, 2, 5, 1_000_000, "1", "1,234", "1.06K"]) {
        const values = [count, count, count, count] as never[];
        // Names are no numbers; what takes one may refuse it.
        const isName = /\.\w+\(\)/.test(String(text)) && typeof count === "number";
        if (!isName) expect([path, text(...values)]).not.toMatchObject([path, /undefined|NaN/]);
      }
    }
  });
});

test.each([
  ["requests.page.inAll", ["1"], "1 request"],
  ["requests.page.inAll", ["1,024"], "1,024 requests"],
  ["channels.page.successOf", ["100 %", "1"], "100 % of 1 attempt"],
  ["channels.form.fetchedVendor", [1], "The vendor lists 1 model. Choose which to serve."],
  ["channels.form.fetchedList", [1], "the price list has 1 model for this address."],
  ["channels.tool.attempts", [1], "1 attempt at most"],
  ["overview.page.ofAttempts", ["1", "1"], "1 of 1 attempt failed"],
  ["start.page.foundModels", ["1"], "1 model added from the vendor."],
  ["live.page.days", ["1"], "1 day"],
  ["kitBudget.page.hoursOf", [1], "1 hour"],
])("English counts %s of %p", (path, values, expected) => {
  const text = originals.get(path);
  expect(typeof text === "function" && text(...(values as never[]))).toEndWith(expected);
});

test("Chinese lacks nothing", () => {
  const chinese = textsOf(languages.find(({ tag }) => tag === "zh")?.parts ?? {});
  expect([...originals.keys()].filter((path) => !chinese.has(path))).toEqual([]);
});

test("what two pages say alike in English and Chinese stands once", () => {
  const chinese = textsOf(languages.find(({ tag }) => tag === "zh")?.parts ?? {});
  const homes = new Map<string, string>();
  const twice: string[] = [];
  for (const [path, text] of originals) {
    const [part = "", section = "", name = "", ...deeper] = path.split(".");
    // Titles are names of pages; groups are of those who have them.
    if (typeof text !== "string" || section === "titles" || deeper.length > 0) continue;
    const pair = `${name} ${text} ${String(chinese.get(path))}`;
    const home = homes.get(pair) ?? `${part}.${section}`;
    homes.set(pair, home);
    if (home !== `${part}.${section}`) twice.push(`${path} is in ${home}`);
  }
  expect(twice).toEqual([]);
});

test("English stands in for a word that is lacking, also inside a group", () => {
  const t = words("tried", "page", { save: "Save", states: { on: "On", off: "Off" } });
  putWords("xx", "tried", { page: { states: { on: "Ein" } } });
  language.value = "xx";
  try {
    expect(t()).toEqual({ save: "Save", states: { on: "Ein", off: "Off" } });
    expect(t()).toBe(t());
  } finally {
    language.value = "en";
  }
  expect(t()).toBe(t.en);
});

test.each([
  ["en", ["one", "other", "other", "other"]],
  ["zh", ["other", "other", "other", "other"]],
  ["ja", ["other", "other", "other", "other"]],
  ["es", ["one", "other", "other", "many"]],
  ["ru", ["one", "few", "many", "many"]],
])("forms of a count are those of %s", (locale, expected) => {
  const forms = { one: "one", few: "few", many: "many", other: "other" };
  const plural = pluralsOf(locale);
  expect([1, 2, 5, 1_000_000].map((count) => plural(count, forms))).toEqual(expected);
  expect(["1", "2", "5", "1,000,000"].map((count) => plural(count, forms))).toEqual(expected);
  expect(plural(5, { other: "all" })).toBe("all");
});
