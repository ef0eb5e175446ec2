import { expect, test } from "bun:test";
import { describeRun, repeatWords, type RunResults } from "./summary.ts";

const results: RunResults = {
  passCount: 3,
  failures: [{ file: "a.test.ts", test: "g > it's 1+1", lines: ["error: seed 42 failed"] }],
  skipped: [{ file: "b.test.ts", test: "redis [needs redis: none]" }],
  skippedGroups: [{ name: "console", fileCount: 4, reason: "There is no Chromium." }],
  failedChecks: [],
  fileCount: 2,
  durations: { "a.test.ts": 1500, "b.test.ts": 20 },
  wallMs: 2100,
  cpuMs: 900,
};

test("a summary has the seed and the command of a failure, what was skipped, and the sums", () => {
  const text = describeRun(results);
  expect(text).toContain("Seed: 42");
  expect(text).toContain("Repeat: npm test -- a.test.ts -t ");
  expect(text).toContain("console: 4 files. There is no Chromium.");
  expect(text).toContain("redis [needs redis: none]");
  expect(text).toEndWith("3 pass, 1 fail, 1 skipped, 2 files, 2 s, CPU 1 s\n");
});

test("the words that repeat a test survive a shell and a pattern", () => {
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${repeatWords("f", "g > it's 1+1")}`]);
  expect(stdout.toString()).toBe("f-tg it's 1\\+1");
});
