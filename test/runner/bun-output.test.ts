import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BunOutput } from "./bun-output.ts";
import { runProcess } from "./run-process.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-runner-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(source: string, ...words: string[]): Promise<BunOutput> {
  const file = join(folder, `${Bun.hash(source)}.test.ts`);
  writeFileSync(file, source);
  const output = new BunOutput();
  const { exitCode } = await runProcess({
    command: [process.execPath, "test", ...words, file],
    variables: {},
    onLine: (line) => void output.addLine(line),
    signal: new AbortController().signal,
  });
  output.finish(exitCode);
  return output;
}

const importLine = 'import { describe, expect, test } from "bun:test";\n';

test("results are counted once, and a failure has its error and its file", async () => {
  const passing = Array.from({ length: 30 }, (_, index) => `test("ok ${index}", () => {});`);
  const output = await run(`${importLine}${passing.join("\n")}
    describe("group", () => {
      test("fails", () => expect("one").toBe("other"));
      test.${"skip"}("is left out", () => {});
    });`);
  expect(output.passCount).toBe(30);
  expect(output.skipped.map((skipped) => skipped.test)).toEqual(["group > is left out"]);
  expect(output.failures.map((failure) => failure.test)).toEqual(["group > fails"]);
  expect(output.failures[0]?.file).toEndWith(".test.ts");
  expect(output.failures[0]?.lines.join("\n")).toContain('Expected: "other"');
});

test("a file that does not load is a failure", async () => {
  const { failures } = await run(`${importLine}import "./missing.ts";\ntest("a", () => {});`);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.lines.join("\n")).toContain("Cannot find module");
});

test("a process that dies is a failure", async () => {
  const { failures } = await run(`${importLine}test("dies", () => process.exit(7));`);
  expect(failures.map((failure) => failure.test)).toEqual([expect.stringContaining("ended with")]);
});

test("a pattern that fits no test of a file is none", async () => {
  const output = await run(`${importLine}test("a", () => {});`, "-t", "nothing");
  expect([output.passCount, output.failures]).toEqual([0, []]);
});
