// Runs groups of tests, each in processes of its own, and the checks of the code beside them.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { testFolder } from "../../bin/test-folder.mjs";
import { BunOutput } from "./bun-output.ts";
import { isRequired } from "../harness/requirements.ts";
import { checks, plantedFaults } from "./checks.ts";
import { readDurations, splitEvenly, writeDurations } from "./durations.ts";
import { root, type GroupFiles } from "./files.ts";
import { runJobs, type Job } from "./jobs.ts";
import { Progress } from "./progress.ts";
import { findMissing } from "./requirements.ts";
import { runProcess } from "./run-process.ts";
import { describeRun, type RunResults } from "./summary.ts";

export interface RunOptions {
  /** Format, lint and types run beside the tests. */
  isChecking: boolean;
  /** Programs that groups need may be installed on this machine. */
  isInstalling: boolean;
  /** Only tests whose names match. */
  namePattern: string | undefined;
}

/** A machine may be busy with other things: only a test that hangs fails by its time. */
const testMsMax = 60_000;
/** A test waits for about as long as it works, so there are more processes than processors. */
const processesAtOnce = Math.min(6, 2 * Math.max(2, availableParallelism()));

/** Gateways live in the tests' processes: a collector on one thread leaves the others to them. */
const testVariables = {
  NODE_ENV: "test",
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "1",
};

/** Exit code of the run: 0 where nothing failed. */
export async function runGroups(
  parts: readonly GroupFiles[],
  options: RunOptions,
): Promise<number> {
  const run = new TestRun(options);
  const present = await run.leaveOutMissing(parts);
  await run.run(present);
  return run.finish();
}

class TestRun {
  readonly #options: RunOptions;
  readonly #startedMs = performance.now();
  readonly #progress = new Progress(process.stdout);
  readonly #durations = readDurations();
  readonly #variables: Readonly<Record<string, string>>;
  readonly #ending = new AbortController();
  readonly #outputs: BunOutput[] = [];
  readonly #skippedGroups: RunResults["skippedGroups"][number][] = [];
  readonly #failedChecks: RunResults["failedChecks"][number][] = [];
  readonly #measured: Record<string, number> = {};
  #fileCount = 0;
  #cpuMs = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    const installing = options.isInstalling ? { SLUICE_TEST_INSTALL: "1" } : {};
    this.#variables = { ...testVariables, ...installing, ...testFolder() };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => this.#ending.abort());
    }
  }

  /** Groups without those that need what this machine has not; these count as skipped. */
  async leaveOutMissing(parts: readonly GroupFiles[]): Promise<GroupFiles[]> {
    const needed = new Set(parts.flatMap(({ group }) => group.needs ?? []));
    const missing = await findMissing(needed, this.#options.isInstalling);
    return parts.filter(({ group, files }) => {
      const requirement = group.needs?.find((need) => missing.has(need));
      if (requirement === undefined) return true;
      const reason = missing.get(requirement) ?? "";
      if (isRequired(requirement)) {
        this.#failedChecks.push({ name: `group ${group.name}`, lines: [reason] });
      } else {
        this.#skippedGroups.push({ name: group.name, fileCount: files.length, reason });
      }
      return false;
    });
  }

  async run(parts: readonly GroupFiles[]): Promise<void> {
    const needed = new Set(parts.flatMap(({ group }) => group.needs ?? []));
    const program = needed.has("program") ? this.#makeProgram() : Promise.resolve();
    const jobs = [
      ...parts.flatMap((part) => this.#groupJobs(part, program)),
      ...(this.#options.isChecking ? this.#checkJobs() : []),
    ];
    await runJobs(jobs, processesAtOnce);
  }

  finish(): number {
    this.#progress.stop();
    writeDurations(this.#measured);
    const results: RunResults = {
      passCount: this.#outputs.reduce((sum, { passCount }) => sum + passCount, 0),
      failures: this.#outputs.flatMap(({ failures }) => failures),
      skipped: this.#outputs.flatMap(({ skipped }) => skipped),
      skippedGroups: this.#skippedGroups,
      failedChecks: this.#failedChecks,
      fileCount: this.#fileCount,
      durations: this.#measured,
      wallMs: performance.now() - this.#startedMs,
      cpuMs: this.#cpuMs,
    };
    process.stdout.write(`\n${describeRun(results)}`);
    if (this.#ending.signal.aborted) return 130;
    return results.failures.length + results.failedChecks.length === 0 ? 0 : 1;
  }

  /** Built once for all groups; where that fails, each of their tests tries for itself. */
  async #makeProgram(): Promise<void> {
    const script = join(root, "test", "harness", "nodes", "program-ready.ts");
    const { cpuMs } = await this.#runBun([script], () => {});
    this.#cpuMs += cpuMs;
  }

  #groupJobs({ group, files }: GroupFiles, program: Promise<void>): Job[] {
    const shares = splitEvenly(files, group.processes, this.#durations);
    this.#progress.addGroup(group.name, {
      fileCount: files.length,
      processCount: shares.length,
    });
    return shares.map((share) => ({
      name: group.name,
      after: group.needs?.includes("program") ? program : undefined,
      run: () => this.#runFiles(group, share),
    }));
  }

  async #runFiles({ name }: GroupFiles["group"], files: string[]): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#progress.startProcess(name);
    const output = new BunOutput();
    this.#outputs.push(output);
    this.#fileCount += files.length;
    const { namePattern } = this.#options;
    const words = ["test", "--timeout", String(testMsMax)];
    if (namePattern !== undefined) words.push("-t", namePattern);
    const paths = files.map((file) => `./${file}`);
    const fileClock = new FileClock(this.#measured);
    const { cpuMs, exitCode } = await this.#runBun([...words, ...paths], (line) => {
      const result = output.addLine(line);
      fileClock.addFile(output.file);
      if (result) this.#progress.addResult(name, result);
    });
    fileClock.finish();
    output.finish(exitCode);
    this.#cpuMs += cpuMs;
    for (const { file, test } of output.failures) {
      this.#progress.printLine(`  X ${file} > ${test}`);
    }
    this.#progress.endProcess(name);
  }

  #checkJobs(): Job[] {
    const chosen = this.#options.isInstalling ? [...checks, plantedFaults] : checks;
    return chosen.map(({ name, command }) => ({
      name,
      run: async () => {
        const lines: string[] = [];
        const run = { command, variables: this.#variables, signal: this.#ending.signal };
        const end = await runProcess({ ...run, onLine: (line) => lines.push(line) });
        this.#cpuMs += end.cpuMs;
        if (end.exitCode !== 0) this.#failedChecks.push({ name, lines });
        this.#progress.printLine(`${end.exitCode === 0 ? " ok" : "  X"} ${name}`);
      },
    }));
  }

  #runBun(words: readonly string[], onLine: (line: string) => void): ReturnType<typeof runProcess> {
    return runProcess({
      command: [process.execPath, "--no-env-file", "--no-orphans", ...words],
      variables: this.#variables,
      onLine,
      signal: this.#ending.signal,
    });
  }
}

/** Measures the files of a process, which runs them one after the other. */
class FileClock {
  readonly #measured: Record<string, number>;
  #file = "";
  #startedMs = performance.now();

  constructor(measured: Record<string, number>) {
    this.#measured = measured;
  }

  addFile(file: string): void {
    if (file === this.#file) return;
    this.finish();
    this.#file = file;
    this.#startedMs = performance.now();
  }

  finish(): void {
    if (this.#file === "") return;
    this.#measured[this.#file] = Math.round(performance.now() - this.#startedMs);
  }
}
