// The rooms' own pages and the map of them: invariants stand beside the code they rule, each file
// that is named is there, and no sentence is too long to be read.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const sentenceLengthMax = 400;

const read = (path: string) => readFileSync(join(root, path), "utf8");
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

test.each([...pages, ...rooms].toSorted())("no sentence of %s is too long", (page) => {
  // Lists of names in the type of code are looked at, not read.
  const text = read(page)
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/`[^`\n]+`(?:, `[^`\n]+`)+/g, "`names`");
  const sentences = text
    .split(/\n|(?<!\\)\||(?<=[.?!]) /)
    .map((sentence) => sentence.trim().replace(/\]\([^)]*\)/g, "]"));
  const long = sentences.filter(({ length }) => length > sentenceLengthMax);
  expect(long.filter((sentence) => !/^-+$/.test(sentence))).toEqual([]);
});
