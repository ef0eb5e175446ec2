// Pages for people and those of the rooms: invariants stand beside the code they rule, each file
// that is named is there, no sentence is too long, and no private word stands for a usual one.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { privateWords } from "../tidy/glossary.ts";

const root = join(import.meta.dir, "..", "..");
const sentenceLengthMax = 400;
/** Shorter ones may be the same by chance. */
const repeatLengthMin = 70;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const glossary = "docs/glossary.md";
/** Words that pages have usual ones for, beside the private names of the glossary. */
const usualWords = new Map([
  ["told", "reported, sent or notified"],
  ["tells", "reports, shows or says"],
  ["beat", "heartbeat"],
  ...privateWords(read(glossary)),
]);
const rooms = ["src/*/README.md", "web/README.md", "bin/README.md"].flatMap((pattern) =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root })].toSorted(),
);
const named = /(?<![\w.*/-])(?:[\w-]+\/)*[\w-]+\.(?:ts|tsx|mjs|css)\b/g;
const pages = ["*.md", "docs/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  .filter((page) => page !== "CHANGELOG.md");
const files = ["src", "web", "bin", "test", "sandbox", "bench"].flatMap((folder) =>
  [...new Bun.Glob("**/*.{ts,tsx,mjs,css}").scanSync({ cwd: join(root, folder) })].map(
    (path) => `/${folder}/${path}`,
  ),
);

describe("the rooms", () => {
  test("ARCHITECTURE.md leads to the page of each, and leaves the invariants to them", () => {
    const map = read("ARCHITECTURE.md");
    expect(rooms.length).toBeGreaterThan(20);
    expect(rooms.filter((page) => !map.includes(`](${page})`))).toEqual([]);
    expect(map).not.toContain("**Invariant");
  });

  test.each(rooms)("%s has invariants", (page) => {
    const [, listed = ""] = /^## Invariants$([^]*)/m.exec(read(page)) ?? [];
    expect(listed).toContain("\n- ");
  });

  test.each(["ARCHITECTURE.md", ...rooms])("every file that %s names is there", (page) => {
    const missing = (read(page).match(named) ?? []).filter(
      (name) => !files.some((file) => file.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
  });
});

const prosePages = [...pages, ...rooms].filter(
  (page) => !page.startsWith("docs/decisions/") && page !== glossary,
);

test.each(prosePages.toSorted())("%s uses the usual words", (page) => {
  // The last column of money.md has titles of tests, and code keeps its own names.
  const rowsEnd = page === "docs/money.md" ? /[^|\n]*\|$/gm : /$^/;
  // The tables of configure.md are the words of the schemas.
  const tables = /<!-- table: [^]*?<!-- end of table -->/g;
  const prose = read(page)
    .replace(tables, "")
    .replace(/^```[^]*?^```$/gm, "")
    .replace(rowsEnd, "")
    .replace(/`[^`\n]+`/g, "");
  const words = new RegExp(`\\b(?:${[...usualWords.keys()].join("|")})\\b`, "g");
  const found = (prose.match(words) ?? []).map((word) => `${word}: ${usualWords.get(word)}`);
  expect(found).toEqual([]);
});

/** Without code, pictures and the rules of tables; lists of names are looked at, not read. */
function sentencesOf(page: string): string[] {
  return read(page)
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/^[| -]+$|^!\[.*$/gm, "")
    .replace(/`[^`\n]+`(?:, `[^`\n]+`)+/g, "`names`")
    .split(/\n|(?<!\\)\||(?<=[.?!]) /)
    .map((sentence) => sentence.trim().replace(/\]\([^)]*\)/g, "]"));
}

test.each([...pages, ...rooms].toSorted())("no sentence of %s is too long", (page) => {
  expect(sentencesOf(page).filter(({ length }) => length > sentenceLengthMax)).toEqual([]);
});

test("no sentence stands in two pages", () => {
  const homes = new Map<string, Set<string>>();
  for (const page of prosePages) {
    for (const sentence of sentencesOf(page)) {
      if (sentence.length < repeatLengthMin || sentence.includes("[ARCHITECTURE.md]")) continue;
      homes.set(sentence, (homes.get(sentence) ?? new Set()).add(page));
    }
  }
  const repeated = [...homes].filter(([, all]) => all.size > 1);
  expect(repeated.map(([sentence, all]) => [sentence, ...all])).toEqual([]);
});
