// Titles of tests: what each one says below its headings, and which requirements it names.
import { pairBrackets } from "./functions.ts";
import { type Finding, isTest, lineAt, type SourceFile } from "./source.ts";

export interface Title {
  text: string;
  line: number;
  isHeading: boolean;
  /** The headings above it, the outermost first. */
  headings: string[];
}

interface TitledCall extends Title {
  start: number;
  end: number;
}

const titledCall =
  /(?<![.\w$])(test|it|describe)(?:\.concurrent|\.serial)?(\s*\.each\b(?:<[^()]*>)?)?\s*(?=\()/g;
const id = String.raw`(?:V-[A-Z]?\d+|X-[A-Z]\d\d|[A-Z]\d+)`;
const idsAtStart = new RegExp(
  `^((?:${id} )*)(?:hazard ((?:${id} )+))?(?:fault ((?:${id} )+))?(?:invariant ((?:${id} )+))?`,
);
const anyId = new RegExp(String.raw`(?<![\w-])${id}(?![\w-])`);
const placeholder = /%[a-z#]|\$\w+/g;

export function readTitles(file: SourceFile): Title[] {
  const pairs = pairBrackets(file.code);
  const calls: TitledCall[] = [];
  for (const { index, 0: head, 1: word, 2: each } of file.code.matchAll(titledCall)) {
    const table = index + head.length;
    const open = each === undefined ? table : (pairs.get(table) ?? table) + 1;
    const quote = open + 1 + file.code.slice(open + 1).search(/\S/);
    const literal = file.literals.find(({ start }) => start === quote + 1);
    const end = pairs.get(open);
    if (file.code[open] !== "(" || literal === undefined || end === undefined) continue;
    const line = lineAt(file.text, quote);
    const headings = calls
      .filter((call) => call.isHeading && call.end > index)
      .map(({ text }) => text);
    calls.push({
      start: index,
      end,
      text: literal.text,
      line,
      isHeading: word === "describe",
      headings,
    });
  }
  return calls;
}

/** The requirements that a title names, as the index writes them: "T18", "hazard B6". */
export function requirementsIn(title: string): string[] {
  const [, plain, ...marked] = idsAtStart.exec(title) ?? [];
  return [plain, ...marked].flatMap((ids = "", kind) =>
    ids
      .split(" ")
      .filter(Boolean)
      .map((one) => ["", "hazard ", "fault ", "invariant "][kind] + one),
  );
}

/** With its headings a title is a sentence, and its requirements stand before all else. */
export function titleFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path))
    .flatMap((file) =>
      readTitles(file).flatMap(({ text, line, isHeading, headings }) => {
        const what = faultOf(text, isHeading ? null : headings);
        return what === null ? [] : [{ path: file.path, line, what }];
      }),
    );
}

function faultOf(text: string, headings: readonly string[] | null): string | null {
  const saying = text.replace(idsAtStart, "");
  const misplaced = anyId.exec(saying)?.[0];
  if (misplaced !== undefined) return `names ${misplaced} past the start of the title`;
  if (headings === null) return null;
  if (!/[a-z]{2}/i.test(saying.replace(placeholder, ""))) return "a title of values alone";
  const words = [...headings, saying].join(" ").match(/[^\s]+/g) ?? [];
  return words.length < 3 ? "a title of fewer than three words is no sentence" : null;
}
