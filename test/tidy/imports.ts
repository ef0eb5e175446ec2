// Finds what a file imports, types included, and where each relative import leads.
import { join } from "node:path/posix";
import { lineAt, type SourceFile } from "./source.ts";

export interface Import {
  specifier: string;
  /** The path inside the repository, or null for a package. */
  target: string | null;
  isType: boolean;
  /** It is loaded when that line is reached, or in a thread of its own. */
  isLater: boolean;
  /** Names taken, as they are called there; null for all of it. */
  names: readonly string[] | null;
  line: number;
}

// A name list may hold no sign that ends a statement, so a match never runs into the next one.
const withNames = /\b(?:import|export)\s+(type\s+(?!from\b))?[\w$*{},\s]*?\bfrom\s*["']/g;
const withBraces = /\b(?:import|export)\s*(type\s*)?[{*][\w$*{},\s]*\bfrom\s*["']/g;
const bare = /\bimport\s*["']/g;
const lazy = /\bimport\s*\(\s*["'`]/g;
const worker = /\bnew\s+(?:URL|Worker)\s*\(\s*["'`]/g;

export function readImports(file: SourceFile): Import[] {
  const found = new Map<number, Import>();
  for (const pattern of [withNames, withBraces, bare, lazy, worker]) {
    for (const match of file.code.matchAll(pattern)) {
      const start = match.index + match[0].length;
      const specifier = file.literals.find((literal) => literal.start === start)?.text;
      if (specifier === undefined || (pattern === worker && !specifier.startsWith("."))) continue;
      const line = lineAt(file.text, match.index);
      const target = specifier.startsWith(".") ? join(file.path, "..", specifier) : null;
      const isType = match[1] !== undefined;
      const isLater = pattern === lazy || pattern === worker;
      const names = namesIn(match[0]);
      found.set(start, { specifier, target, isType, isLater, names, line });
    }
  }
  return [...found.values()].sort((first, second) => first.line - second.line);
}

/** The names before any `as` between the braces, if there are braces. */
export function namesIn(statement: string): string[] | null {
  const list = /\{([^}]*)\}/.exec(statement)?.[1];
  if (list === undefined) return null;
  const items = list.split(",").map((item) => item.trim().replace(/^type\s+/, ""));
  return items.filter((item) => item !== "").map((item) => item.split(/\s/)[0] ?? "");
}
