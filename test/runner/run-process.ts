// Runs one process and reads its lines as they come.
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { root } from "./files.ts";

export interface ProcessEnd {
  /** 0 where the process ended well. */
  exitCode: number;
  /** CPU time of the process and of those it waited for: not of a browser or a database server. */
  cpuMs: number;
}

export interface ProcessRun {
  command: readonly string[];
  variables: Readonly<Record<string, string>>;
  onLine(line: string): void;
  /** Ends the process when it aborts. */
  signal: AbortSignal;
}

const signalExitCode = 128;
/** A browser library ends its process on SIGINT alone, and takes a moment to close the browser. */
const endMsMax = 5000;

export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const child = Bun.spawn([...run.command], {
    cwd: root,
    env: { ...process.env, ...run.variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal: run.signal,
    killSignal: "SIGINT",
  });
  const kill = () => setTimeout(() => child.kill("SIGKILL"), endMsMax).unref();
  run.signal.addEventListener("abort", kill);
  await Promise.all([child.stdout, child.stderr].map((stream) => readLines(stream, run.onLine)));
  const exitCode = await child.exited;
  run.signal.removeEventListener("abort", kill);
  const cpuMicros = Number(child.resourceUsage()?.cpuTime.total ?? 0);
  return {
    exitCode: child.signalCode === null ? exitCode : signalExitCode,
    cpuMs: cpuMicros / 1000,
  };
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  for await (const line of createInterface({ input: Readable.from(stream) })) onLine(line);
}
