// The index of docs/decisions: every number up to the last one, also those that were never used.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { layOut } from "./conversion-table.ts";

const folder = join(import.meta.dir, "..", "..", "docs", "decisions");

export function decisionsTable(): string {
  const files = [...new Bun.Glob("[0-9]*.md").scanSync({ cwd: folder })].toSorted();
  const rows = files.map(decisionRow);
  const numbers = new Set(rows.map(([number]) => number));
  const gaps = Array.from({ length: Number(rows.at(-1)?.[0] ?? 0) }, (_, at) => numberText(at + 1))
    .filter((number) => !numbers.has(number))
    .map((number) => [number, "Not used: there is no such decision."]);
  const all = [...rows, ...gaps].toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
  return layOut([["Number", "Decision"], ...all]);
}

function numberText(number: number): string {
  return String(number).padStart(4, "0");
}

function decisionRow(file: string): [string, string] {
  const [, number = "", title = ""] =
    /^# (\d{4}):? (.+)$/m.exec(readFileSync(join(folder, file), "utf8")) ?? [];
  if (!file.startsWith(`${number}-`)) throw new Error(`${file} has not its own number as a title`);
  return [number, `[${title}](${file})`];
}
