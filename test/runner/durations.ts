// Durations of the test files when they ran last: the slowest files begin first.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./files.ts";

const cacheFile = join(root, "node_modules", ".cache", "sluice-tests", "durations.json");
/** A file that has never run. */
const unknownMs = 1000;

/** Milliseconds by path. */
export type Durations = Readonly<Record<string, number>>;

export function readDurations(file = cacheFile): Durations {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isDurations(read) ? read : {};
  } catch {
    return {};
  }
}

export function writeDurations(durations: Durations, file = cacheFile): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...readDurations(file), ...durations }, null, 2)}\n`);
}

function isDurations(value: unknown): value is Durations {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((ms) => typeof ms === "number");
}

/** Files in parts that take about as long as each other, each with its slowest file first. */
export function splitEvenly(
  files: readonly string[],
  partCount: number,
  durations: Durations,
): string[][] {
  const ms = (file: string): number => durations[file] ?? unknownMs;
  const parts = Array.from({ length: partCount }, () => ({ files: [] as string[], ms: 0 }));
  for (const file of files.toSorted((one, other) => ms(other) - ms(one))) {
    const shortest = parts.reduce((best, part) => (part.ms < best.ms ? part : best));
    shortest.files.push(file);
    shortest.ms += ms(file);
  }
  return parts.map((part) => part.files).filter((part) => part.length > 0);
}
