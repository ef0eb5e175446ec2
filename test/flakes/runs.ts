// Runs of single files of tests under a load, and what ever failed in them, with how often.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loads, Pressed, wordsOf, type Load } from "./loads.ts";

export interface Failure {
  file: string;
  /** Whole name of the test; or that the file ended before its tests did. */
  test: string;
  /** Number under each load. */
  counts: Map<Load, number>;
  /** Files with the output of each of those runs. */
  outputs: string[];
}

interface RunOptions {
  root: string;
  files: readonly string[];
  loads: readonly Load[];
  rounds: number;
  /** Made where something fails. */
  outputFolder: string;
  say: (line: string) => void;
}

const testMsMax = "60000";
const runMsMax = 900_000;
const ended = "its end";

/** Every file once in each round, under the loads in turn; failures by what failed. */
export async function runRounds(options: RunOptions): Promise<Failure[]> {
  const failures = new Map<string, Failure>();
  const tookMs = new Map<string, number>();
  for (let round = 1; round <= options.rounds; round++) {
    const load = options.loads[(round - 1) % options.loads.length];
    if (load === undefined) break;
    using _pressed = new Pressed(load, options.files.length);
    // Begun last, a long one would be waited for alone.
    const waiting = options.files.toSorted(
      (one, other) => (tookMs.get(other) ?? 0) - (tookMs.get(one) ?? 0),
    );
    const runNext = async (place: number): Promise<void> => {
      const file = waiting.shift();
      if (file === undefined) return;
      const startMs = performance.now();
      const output = await outputOf(options.root, file, wordsOf(load, place));
      tookMs.set(file, performance.now() - startMs);
      noteAll(options, failures, { round, load, file, output });
      await runNext(place);
    };
    await Promise.all(Array.from({ length: loads[load].atOnce }, (_, place) => runNext(place)));
    options.say(`round ${round} of ${options.rounds}, ${load}: ${options.files.length} files ran`);
  }
  return [...failures.values()];
}

interface Run {
  round: number;
  load: Load;
  file: string;
  output: string;
}

function noteAll(options: RunOptions, failures: Map<string, Failure>, run: Run): void {
  const { round, load, file, output } = run;
  const failed = failedIn(output);
  if (failed.length === 0) return;
  const kept = keep(options.outputFolder, `${round}-${load}-${file}`, output);
  for (const test of failed) note(failures, { file, test, load, kept });
  options.say(`round ${round}, ${load}: ${file} failed: ${kept}`);
}

async function outputOf(root: string, file: string, before: readonly string[]): Promise<string> {
  const bun = [process.execPath, "--no-env-file", "--no-orphans"];
  const words = [...before, ...bun, "test", "--timeout", testMsMax, file];
  const child = Bun.spawn(words, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const stuck = setTimeout(() => child.kill("SIGKILL"), runMsMax);
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  clearTimeout(stuck);
  await child.exited;
  return out + error;
}

/** Names of tests; a file that told no sum of its tests did not come to its end. */
function failedIn(output: string): string[] {
  const names = Array.from(
    output.matchAll(/^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/gm),
    ([, name = ""]) => name,
  );
  const isWhole = /^Ran \d+ tests? across/m.test(output) && !/^ *[1-9]\d* errors?$/m.test(output);
  return [...new Set(isWhole ? names : [...names, ended])];
}

function keep(folder: string, name: string, output: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, "_")}.log`);
  writeFileSync(path, output);
  return path;
}

interface Noted {
  file: string;
  test: string;
  load: Load;
  kept: string;
}

function note(failures: Map<string, Failure>, { file, test, load, kept }: Noted): void {
  const name = `${file} ${test}`;
  const none: Failure = { file, test, counts: new Map(), outputs: [] };
  const failure = failures.get(name) ?? none;
  failures.set(name, failure);
  failure.counts.set(load, (failure.counts.get(load) ?? 0) + 1);
  failure.outputs.push(kept);
}
