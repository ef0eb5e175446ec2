// Input of a law (a file) and its output (findings with a place).
import { type Lexed, lex } from "./lex.ts";

export interface TextFile {
  path: string;
  text: string;
}

export interface SourceFile extends TextFile, Lexed {}

export interface Finding {
  path: string;
  line: number;
  what: string;
}

export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, ...lex(text) };
}

export function show(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, what }) => `${path}:${line} ${what}`);
}

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/** One finding for each match of the pattern in the file's code. */
export function findInCode(file: SourceFile, pattern: RegExp, what: string): Finding[] {
  return Array.from(file.code.matchAll(new RegExp(pattern, "g")), (match) => ({
    path: file.path,
    line: lineAt(file.text, match.index),
    what,
  }));
}

/** A test, or a fixture: what tests beside the code share, with no test of its own. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|^(?:src|sandbox)\/.*\/fixtures\/[^/]+\.tsx?$/.test(path);
}

export function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

/** Files that ship: the gateway and its practice vendors, without their tests. */
export function isShipped(path: string): boolean {
  return /^(?:src|sandbox)\//.test(path) && !isTest(path);
}
