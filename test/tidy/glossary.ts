// Names in the field's own words. The glossary states them once: a word in its last column is
// private to this repository, so no identifier and no file of the gateway has it as a part.
import { type Finding, findInCode, isShipped, type SourceFile, type TextFile } from "./source.ts";

const page = "docs/glossary.md";
/** Applied to older databases by their order, under the names that they were written with. */
const frozen = "src/store/migrations/";

export function privateWordFindings(
  files: readonly SourceFile[],
  texts: readonly TextFile[],
): Finding[] {
  const terms = privateWords(texts.find(({ path }) => path === page)?.text ?? "");
  const shipped = files.filter(({ path }) => isShipped(path) && !path.startsWith(frozen));
  return [...terms].flatMap(([word, term]) => {
    const what = `"${word}" is a private word: say ${term}`;
    const isNamed = new RegExp(`(?<![a-z])${word}(?![a-z])`);
    return shipped.flatMap((file) => [
      ...(isNamed.test(file.path) ? [{ path: file.path, line: 1, what }] : []),
      ...findInCode(file, identifiersWith(word), what),
    ]);
  });
}

/** Terms by the words that they replace. */
export function privateWords(markdown: string): Map<string, string> {
  const rows = markdown.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const cells = rows.filter((row) => row.length === 5 && !/^(?:Term|-+)$/.test(row[1] ?? ""));
  return new Map(
    cells.flatMap(([, term = "", , words = ""]) =>
      words === "" ? [] : words.split(", ").map((word) => [word, term] as const),
    ),
  );
}

/** Alone, at the head of a name, or as a later part of one. */
function identifiersWith(word: string): RegExp {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return new RegExp(`(?<![\\w$])${word}s?(?![a-z])|${capital}s?(?![a-z])`);
}
