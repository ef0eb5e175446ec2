// What a command sees of the process it runs in.
import { readEnvironment, readTextFile, type Environment } from "../config/environment.ts";

export interface Terminal {
  environment: Environment;
  readFile(path: string): string | null;
  /** Everything on the standard input. */
  readInput(): Promise<string>;
  write(text: string): void;
  writeError(text: string): void;
  /** The process will end with a status that says so. */
  fail(): void;
}

export const processTerminal: Terminal = {
  environment: readEnvironment(),
  readFile: readTextFile,
  readInput: () => Bun.stdin.text(),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  fail: () => {
    process.exitCode = 1;
  },
};
