// A command's view of the process it runs in.
import { writeSync } from "node:fs";
import { readEnvironment, readTextFile, type Environment } from "../config/environment.ts";

export interface Terminal {
  environment: Environment;
  readFile(path: string): string | null;
  /** Everything on the standard input. */
  readInput(): Promise<string>;
  write(text: string): void;
  writeError(text: string): void;
  /** Asks whoever sits there; absent where nobody does. */
  confirm?: (question: string) => Promise<boolean>;
  /** The process will end with a status that says so. */
  fail(): void;
}

const isAttended = process.stdin.isTTY && process.stderr.isTTY;

export const processTerminal: Terminal = {
  environment: readEnvironment(),
  readFile: readTextFile,
  readInput: () => Bun.stdin.text(),
  write: (text) => writeWhole(1, text),
  writeError: (text) => writeWhole(2, text),
  ...(isAttended && { confirm: askPerson }),
  fail: () => {
    process.exitCode = 1;
  },
};

async function askPerson(question: string): Promise<boolean> {
  writeWhole(2, `${question} [y/N] `);
  for await (const line of console) return /^y(?:es)?$/i.test(line.trim());
  return false;
}

/** Waits until it is written: what a stream still buffers is lost when the process ends. */
function writeWhole(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  } catch (error) {
    // The reader has seen enough, as `head` has.
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}
