// Findings of a law in one file.
import { type Finding, show, type SourceFile, sourceFile } from "./source.ts";

type Scanner = (files: readonly SourceFile[]) => Finding[];

/** The places a scanner complains about, without its words. */
export function caught(scanner: Scanner, path: string, text: string): string[] {
  return show(scanner([sourceFile(path, text)])).map((line) => line.split(" ")[0] ?? "");
}
