import { expect, test } from "bun:test";
import { findReachedTests, ImportGraph } from "./changed-files.ts";
import type { TestGroup } from "./plan.ts";

const graph = new ImportGraph();
graph.addFile("src/b.ts", 'import { a } from "./a.ts";');
graph.addFile("src/b.test.ts", 'import {\n  b,\n} from "./b.ts";');
graph.addFile("test/c.test.ts", 'const loaded = await import("../src/a.ts");');
graph.addFile("test/d.test.ts", 'import { d } from "./d.ts";');
const testFiles = ["src/b.test.ts", "test/c.test.ts", "test/d.test.ts"];
const groups: TestGroup[] = [
  { name: "units", half: "fast", paths: ["src"], processes: 1 },
  { name: "pages", half: "fast", paths: ["test/d.test.ts"], processes: 1, reads: ["docs/*.md"] },
];
const reach = (...changed: string[]) => findReachedTests(changed, { testFiles, groups, graph });

test("a change reaches the tests that import the file, also through others", () => {
  expect(reach("src/a.ts")).toEqual(["src/b.test.ts", "test/c.test.ts"]);
  expect(reach("src/b.ts")).toEqual(["src/b.test.ts"]);
  expect(reach("test/c.test.ts")).toEqual(["test/c.test.ts"]);
});

test("a file that is read without an import reaches the group that names it", () => {
  expect(reach("docs/money.md")).toEqual(["test/d.test.ts"]);
  expect(reach("docs/decisions/0001.md")).toEqual([]);
});
