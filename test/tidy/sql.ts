// SQL lives in the store and in files named queries.ts, whether as text or through the builder.
import { type Finding, findInCode, isShipped, lineAt, type SourceFile } from "./source.ts";

const builder =
  /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|createTable)\(/;
const tag = /(?<![\w$])sql\s*(?:<[^`;]*>)?\s*`|\bsql\s*\.\s*(?:raw|unsafe)\b/;

/** In capitals any statement counts; in small letters, where prose begins alike, its whole form. */
const inCapitals = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|DROP|PRAGMA)\s+["*\w]/;
const inSmallLetters = [
  /^\s*select\s[\s\S]*\sfrom\s/,
  /^\s*insert\s+(?:or\s+\w+\s+)?into\s/,
  /^\s*update\s+["\w.]+\s+set\s/,
  /^\s*delete\s+from\s+["\w.]+(?:\s+(?:where|returning)\b|\s*;?\s*$)/,
  /^\s*create\s+(?:unique\s+|temp\s+)?(?:table|index|view|trigger|schema)\s/,
  /^\s*with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(/,
];

export function sqlFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && !isHome(path))
    .flatMap((file) => [
      ...findInCode(file, builder, "builds a query outside queries.ts"),
      ...findInCode(file, tag, "writes SQL outside queries.ts"),
      ...file.literals
        .filter(({ text }) => isSql(text))
        .map(({ start }) => ({
          path: file.path,
          line: lineAt(file.text, start),
          what: "holds SQL outside queries.ts",
        })),
    ]);
}

function isHome(path: string): boolean {
  return path.startsWith("src/store/") || path.endsWith("/queries.ts");
}

function isSql(text: string): boolean {
  return inCapitals.test(text) || inSmallLetters.some((pattern) => pattern.test(text));
}
