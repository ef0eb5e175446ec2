// Finds the test files that are named on the command line: by a file, a folder or a part of a path.
import { isWithin } from "./files.ts";

export type NamedFiles = { files: string[] } | { unknown: string; near: string[] };

const nearMax = 3;

/** A name that is no path is looked for in all paths. */
export function findNamedFiles(all: readonly string[], names: readonly string[]): NamedFiles {
  const found = new Set<string>();
  for (const name of names) {
    const path = name.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/$/, "");
    const within = all.filter((file) => isWithin(file, path));
    const matches = within.length > 0 ? within : all.filter((file) => file.includes(path));
    if (matches.length === 0) return { unknown: name, near: findNear(all, path) };
    for (const file of matches) found.add(file);
  }
  return { files: all.filter((file) => found.has(file)) };
}

/** The files whose names share the most with the given one. */
function findNear(all: readonly string[], name: string): string[] {
  const wanted = letterPairs(name);
  const scored = all.map((file) => {
    const score = Math.max(similarity(wanted, file), similarity(wanted, lastPart(file)));
    return { file, score };
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, nearMax)
    .map(({ file }) => file);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function similarity(wanted: ReadonlySet<string>, text: string): number {
  const pairs = letterPairs(text);
  const shared = [...wanted].filter((pair) => pairs.has(pair)).length;
  return (2 * shared) / (wanted.size + pairs.size);
}

function letterPairs(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/\.test\.tsx?$/, "");
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
