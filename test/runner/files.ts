// Test files of the repository, and which group each is of.
import { join } from "node:path";
import type { TestGroup } from "./plan.ts";

export const root = join(import.meta.dir, "..", "..");

const folders = ["src", "sandbox", "web", "test", "bench"];

/** Paths from the root of the repository, in order. */
export function listTestFiles(folder = root): string[] {
  return [...new Bun.Glob(`{${folders.join(",")}}/**/*.test.{ts,tsx}`).scanSync({ cwd: folder })]
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

export function isOfGroup(path: string, { paths, except = [] }: TestGroup): boolean {
  const isNamed = (place: string): boolean => isWithin(path, place);
  return paths.some(isNamed) && !except.some(isNamed);
}

export interface GroupFiles {
  group: TestGroup;
  files: readonly string[];
}

/** Groups with those of the files that are theirs; without the groups that have none. */
export function groupFiles(files: readonly string[], groups: readonly TestGroup[]): GroupFiles[] {
  return groups
    .map((group) => ({ group, files: files.filter((file) => isOfGroup(file, group)) }))
    .filter((part) => part.files.length > 0);
}
