// Runs the command line as an operator does, in a process of its own.
import type { Subprocess } from "bun";
import { agreementIn } from "./nodes/agreement.ts";
import { programWords } from "./nodes/program.ts";
import { engineOf } from "./postgres.ts";

const runMsMax = 50_000;

export interface CommandEnd {
  code: number;
  out: string;
  error: string;
}

export interface CommandOptions {
  /** The data folder. */
  folder: string;
  environment?: Record<string, string>;
  input?: string;
  /** Folder that it is called from. */
  cwd?: string;
}

/** The process itself, for tests that end it in its midst. */
export async function beginCommand(
  { folder, environment = {}, input = "", cwd = process.cwd() }: CommandOptions,
  ...words: string[]
): Promise<Subprocess<Blob, "pipe", "pipe">> {
  return Bun.spawn([...programWords(), ...words], {
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      SLUICE_DATA: folder,
      ...(await engineOf(folder)),
      ...environment,
    },
    cwd,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

export async function runCommand(options: CommandOptions, ...words: string[]): Promise<CommandEnd> {
  const child = await beginCommand(options, ...words);
  const stuck = setTimeout(() => child.kill("SIGKILL"), runMsMax);
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  clearTimeout(stuck);
  await agreementIn(options.folder);
  return { code, out, error };
}
