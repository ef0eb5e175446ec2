// The end of a test run: the slowest files, what failed and how to repeat it, what was skipped and
// why, and the sums.
import type { SkippedTest, TestFailure } from "./bun-output.ts";
import type { Durations } from "./durations.ts";

export interface RunResults {
  passCount: number;
  failures: readonly TestFailure[];
  skipped: readonly SkippedTest[];
  /** Whole groups that were left out, by the reason. */
  skippedGroups: readonly { name: string; fileCount: number; reason: string }[];
  /** Failed checks beside the tests: format, lint, types. */
  failedChecks: readonly { name: string; lines: readonly string[] }[];
  fileCount: number;
  durations: Durations;
  wallMs: number;
  cpuMs: number;
}

const slowestMax = 10;

export function describeRun(results: RunResults): string {
  const parts = [
    describeSlowest(results),
    ...results.failedChecks.map(({ name, lines }) => `FAILED ${name}\n${lines.join("\n")}`),
    ...results.failures.map(describeFailure),
    describeSkipped(results),
    describeSums(results),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function describeSlowest({ durations }: RunResults): string {
  const slowest = Object.entries(durations)
    .sort(([, one], [, other]) => other - one)
    .slice(0, slowestMax);
  if (slowest.length < 2) return "";
  const lines = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);
  return ["The slowest files:", ...lines].join("\n");
}

/** Its last lines name the seed, where the test has one, and the command that repeats it. */
function describeFailure({ file, test, lines }: TestFailure): string {
  const seed = findSeed(lines);
  return [
    `FAILED ${file} > ${test}`,
    ...lines,
    ...(seed === null ? [] : [`Seed: ${seed}`]),
    `Repeat: npm test -- ${repeatWords(file, test)}`,
  ].join("\n");
}

function findSeed(lines: readonly string[]): string | null {
  for (const line of lines) {
    const seed = /\bseed["']?[ :=]+(-?\d+)/i.exec(line)?.[1];
    if (seed !== undefined) return seed;
  }
  return null;
}

export function repeatWords(file: string, test: string): string {
  if (test.startsWith("(") || file === "") return file;
  // Bun matches the pattern against the names of the groups and of the test, with a blank between.
  const name = test.replaceAll(" > ", " ").replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `${file} -t '${name.replaceAll("'", `'\\''`)}'`;
}

function describeSkipped({ skipped, skippedGroups }: RunResults): string {
  const lines = [
    ...skippedGroups.map(
      ({ name, fileCount, reason }) => `  ${name}: ${fileCount} files. ${reason}`,
    ),
    ...skipped.map(({ file, test }) => `  ${file} > ${test}`),
  ];
  return lines.length === 0 ? "" : ["Skipped:", ...lines].join("\n");
}

function describeSums(results: RunResults): string {
  const { passCount, failures, failedChecks, skipped, fileCount, wallMs, cpuMs } = results;
  const failCount = failures.length + failedChecks.length;
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  return (
    `${passCount} pass, ${failCount} fail, ${skipped.length} skipped, ${fileCount} files, ` +
    `${seconds(wallMs)}, CPU ${seconds(cpuMs)}`
  );
}
