// Every message that the page on troubleshooting explains is one that the program can write.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const fragmentLengthMin = 5;

const rows = readFileSync(join(root, "docs/troubleshooting.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** The texts of a source file as they are written out: pieces that are added up are one text. */
const sources = [...new Bun.Glob("{src,bin}/**/*.{ts,mjs}").scanSync({ cwd: root })]
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(root, path), "utf8").replace(/["'`]\s*\+\s*["'`]/g, ""));

test("the page has a meaning and a remedy for each of its messages", () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const [, message = "", meaning = "", remedy = ""] of rows) {
    expect([message, meaning !== "", remedy !== ""]).toEqual([message, true, true]);
  }
});

test.each(rows.map(([, message = ""]) => message))("the program can write %s", (message) => {
  const fragments = message
    .replace(/^`|`$/g, "")
    .split("...")
    .map((fragment) => fragment.trim())
    .filter((fragment) => fragment.length >= fragmentLengthMin);
  expect(fragments).not.toEqual([]);
  const found = sources.some((text) => fragments.every((fragment) => text.includes(fragment)));
  expect([message, found]).toEqual([message, true]);
});
