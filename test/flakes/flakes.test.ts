// `npm run flakes` names a test that fails now and then, with how often, and no other.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../harness/folder.ts";
import { chanceFiles } from "./files.ts";
import { runRounds } from "./runs.ts";

const root = join(import.meta.dir, "..", "..");

/** Fails at every second run, by what the run before has left. */
const flaky = `
import { expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
const mark = new URL("./mark", import.meta.url).pathname;
test("steady", () => expect(1).toBe(1));
test("now and then", () => {
  const isSecond = existsSync(mark);
  if (isSecond) rmSync(mark);
  else writeFileSync(mark, "");
  expect(isSecond).toBe(false);
});
`;
const files = {
  "flaky.test.ts": flaky,
  "steady.test.ts":
    'import { expect, test } from "bun:test";\ntest("x", () => expect(1).toBe(1));\n',
  "dying.test.ts": 'import { test } from "bun:test";\ntest("x", () => process.exit(0));\n',
};

test("what ever failed is named with how often and under which load, and its output is kept", async () => {
  using folder = new Folder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  const said: string[] = [];
  const failures = await runRounds({
    root: folder.path,
    files: Object.keys(files).map((name) => `./${name}`),
    loads: ["disk"],
    rounds: 3,
    outputFolder: join(folder.path, "kept"),
    say: (line) => said.push(line),
  });
  const told = failures.map(({ file, test: name, counts }) => [file, name, counts.get("disk")]);
  expect(told).toEqual([
    ["./dying.test.ts", "its end", 3],
    ["./flaky.test.ts", "now and then", 1],
  ]);
  expect(readFileSync(failures[1]?.outputs[0] ?? "", "utf8")).toContain("(fail) now and then");
  expect(said.at(-1)).toBe("round 3 of 3, disk: 3 files ran");
});

test("tests of browsers, of nodes and of what is waited for are among those that run", () => {
  const all = chanceFiles(root, []);
  for (const part of ["test/e2e/", "test/cluster/", "test/deploy/", "test/conformance/"]) {
    expect([part, all.some((path) => path.startsWith(`./${part}`))]).toEqual([part, true]);
  }
  expect(chanceFiles(root, ["test/e2e/console/codes"])).toEqual([
    "./test/e2e/console/codes.test.ts",
  ]);
});
