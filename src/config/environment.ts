// The only reader of the process's environment, and the reader of the files it names.
import { readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** The text of a file, or null when it cannot be read. */
export function readTextFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
