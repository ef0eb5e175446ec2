// Runs the command line as an operator does: within the test's process, or in one of its own where
// that is what is tested.
import type { Subprocess } from "bun";
import { areNodesProcesses, isOfRuntime } from "./gateway.ts";
import { agreementIn } from "./nodes/agreement.ts";
import { runHere, type CommandEnd } from "./nodes/command-here.ts";
import { programWords } from "./nodes/program.ts";
import { engineOf } from "./postgres.ts";

const runMsMax = 50_000;

export type { CommandEnd };

export interface CommandOptions {
  /** The data folder. */
  folder: string;
  environment?: Record<string, string>;
  input?: string;
  /** Folder that it is called from; then it has a process of its own. */
  cwd?: string;
  /** It is about a process: what one says at its end, its streams, its threads. */
  isProcess?: true;
}

/** The process itself, for tests that end it in its midst. */
export async function beginCommand(
  options: CommandOptions,
  ...words: string[]
): Promise<Subprocess<Blob, "pipe", "pipe">> {
  const { input = "", cwd = process.cwd() } = options;
  return Bun.spawn([...programWords(), ...words], {
    env: await environmentOf(options),
    cwd,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

export async function runCommand(options: CommandOptions, ...words: string[]): Promise<CommandEnd> {
  const { input = "" } = options;
  const end = isWithin(options, words)
    ? await runHere({ environment: await environmentOf(options), input }, words)
    : await runProcess(options, words);
  await agreementIn(options.folder);
  return end;
}

async function environmentOf({
  folder,
  environment = {},
}: CommandOptions): Promise<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    SLUICE_DATA: folder,
    ...(await engineOf(folder)),
    ...environment,
  };
}

/** One that serves until it is told to end takes the signals of a process. */
function isWithin({ isProcess, cwd, environment = {} }: CommandOptions, words: string[]): boolean {
  if (isProcess || cwd !== undefined || areNodesProcesses || words.includes("serve")) return false;
  return !Object.keys(environment).some(isOfRuntime);
}

async function runProcess(options: CommandOptions, words: string[]): Promise<CommandEnd> {
  const child = await beginCommand(options, ...words);
  const stuck = setTimeout(() => child.kill("SIGKILL"), runMsMax);
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  clearTimeout(stuck);
  return { code, out, error };
}
