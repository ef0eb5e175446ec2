import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOfGroup, listTestFiles, root } from "./files.ts";
import { nightlyCommands, testGroups } from "./plan.ts";

test("every test file is in exactly one group", () => {
  const counts = listTestFiles().map((file) => ({
    file,
    groups: testGroups.filter((group) => isOfGroup(file, group)).map(({ name }) => name),
  }));
  expect(counts.filter(({ groups }) => groups.length !== 1)).toEqual([]);
});

test("every path of a group is there, and no two groups have one name", () => {
  const paths = testGroups.flatMap(({ paths, except = [] }) => [...paths, ...except]);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(testGroups.map(({ name }) => name)).size).toBe(testGroups.length);
});

test("every command that runs at night is one of package.json", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(nightlyCommands.filter((command) => !(command in scripts))).toEqual([]);
});
