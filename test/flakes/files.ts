// Files of tests that depend on something other than their own steps: browsers, nodes, processes,
// and whatever they wait for.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folders = /^test\/(?:e2e|cluster|crash|deploy|conformance\/lifecycle)\//;
const waits = /\b(?:eventually|Bun\.sleep|performance\.now|startProcess|spawnGateway)\(/;

/** All of them, or those whose path has one of these words. */
export function chanceFiles(root: string, words: readonly string[]): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: root })]
    .filter((path) => !path.includes("node_modules") && !path.startsWith("test/flakes/"))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .filter((path) => words.length > 0 || isByChance(root, path))
    .map((path) => `./${path}`)
    .sort();
}

function isByChance(root: string, path: string): boolean {
  return folders.test(path) || waits.test(readFileSync(join(root, path), "utf8"));
}
