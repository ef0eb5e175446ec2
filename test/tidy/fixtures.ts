// Code that tests beside the code share is a fixture: it holds no test, and only tests know of it.
import { readImports } from "./imports.ts";
import { type Finding, findInCode, isTest, type SourceFile } from "./source.ts";

const testCall = /(?<![.\w$])(?:test|it|describe)\s*(?:\.\s*(?:each|concurrent|serial)\b|\()/;

export function fixtureFindings(files: readonly SourceFile[]): Finding[] {
  const fixtures = files.filter(({ path }) => isFixture(path));
  const imported = new Set(files.flatMap((file) => readImports(file).map(({ target }) => target)));
  return [
    ...files.flatMap(importFaults),
    ...fixtures.flatMap((file) => findInCode(file, testCall, "a fixture that holds a test")),
    ...fixtures
      .filter(({ path }) => !imported.has(path))
      .map(({ path }) => ({ path, line: 1, what: "a fixture that nothing imports" })),
  ];
}

function importFaults(file: SourceFile): Finding[] {
  const mayImportFixtures = isTest(file.path) || file.path.startsWith("test/");
  return readImports(file).flatMap(({ target, line }) => {
    if (target === null || !isTest(target)) return [];
    if (isFixture(target) && mayImportFixtures) return [];
    const what = isFixture(target)
      ? `imports ${target}, which is for tests alone`
      : `imports the test ${target}: move what is shared to a fixture`;
    return [{ path: file.path, line, what }];
  });
}

function isFixture(path: string): boolean {
  return isTest(path) && !/\.test\.tsx?$/.test(path);
}
