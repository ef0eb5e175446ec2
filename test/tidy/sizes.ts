// Limits of size. What grows past a limit is cut in two, not excused.
import { firstUnpaired, functionSpans, isHeading } from "./functions.ts";
import { type Finding, isTest, lineAt, type SourceFile } from "./source.ts";

const sourceLinesMax = 400;
const testLinesMax = 700;
const functionLinesMax = 70;
const columnsMax = 100;
const folderFilesMax = 30;
const fileBytesMax = 200 * 1024;

/** A language is one table of sentences, read by looking a word up. */
const languages = "web/languages/";

export function lengthFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (path.startsWith(languages)) return [];
    const lines = lineAt(text.trimEnd(), text.length);
    const linesMax = isTest(path) ? testLinesMax : sourceLinesMax;
    if (lines <= linesMax) return [];
    return [{ path, line: linesMax + 1, what: `has ${lines} lines, more than ${linesMax}` }];
  });
}

export function functionFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !isStatementList(path))
    .flatMap((file) =>
      functionSpans(file.code).flatMap((span) => {
        const line = lineAt(file.text, span.start);
        const lines = lineAt(file.text, span.end) - line + 1;
        if (lines <= functionLinesMax || isHeading(file.code, span)) return [];
        const what = `a function of ${lines} lines, more than ${functionLinesMax}`;
        return [{ path: file.path, line, what }];
      }),
    );
}

/** A file whose brackets do not pair was misread, and what the laws say of it is worth nothing. */
export function misreadFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text, code }) => {
    const at = firstUnpaired(code);
    return at === null ? [] : [{ path, line: lineAt(text, at), what: "has an unpaired bracket" }];
  });
}

/** A migration is a list of statements and is read as one. */
function isStatementList(path: string): boolean {
  return path.startsWith("src/store/migrations/");
}

export function widthFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const columns = line.length > columnsMax ? [...line].length : 0;
      if (columns <= columnsMax || isUnbreakable(path, line)) return [];
      return [{ path, line: index + 1, what: `is ${columns} columns wide` }];
    }),
  );
}

/** Addresses, module names, and the sentences and bodies in tests are as long as they are. */
function isUnbreakable(path: string, line: string): boolean {
  if (path.startsWith(languages) && /["`]/.test(line)) return true;
  if (/https?:\/\//.test(line) || /^(?:import|export|\}).*\bfrom "/.test(line)) return true;
  return (isTest(path) || path.startsWith("test/")) && /["'`]/.test(line);
}

/** Tests are counted apart: they lie beside what they test. */
export function folderFindings(files: readonly SourceFile[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const name = `${folder} (${isTest(path) ? "tests" : "sources"})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > folderFilesMax)
    .map(([path, count]) => ({ path, line: 1, what: `holds ${count} files` }));
}

export function weightFindings(bytes: ReadonlyMap<string, number>): Finding[] {
  return [...bytes]
    .filter(([path, size]) => size > fileBytesMax && !mayBeHeavy(path))
    .map(([path, size]) => ({ path, line: 1, what: `weighs ${size} bytes` }));
}

/** Written by tools and as large as their content. */
function mayBeHeavy(path: string): boolean {
  return path.endsWith("package-lock.json") || path.startsWith("bench/results");
}
