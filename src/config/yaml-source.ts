// Reads YAML into plain JSON and remembers where everything stood. What the parser says of the text
// is told in our own words, because its messages quote the file and the file may hold secrets.
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import type { Alias, Document, ErrorCode, Node, YAMLError } from "yaml";
import type { Json } from "../core/json.ts";
import type { PathFault } from "./shape.ts";

interface Place {
  line: number;
  column: number;
}

interface YamlProblem extends Place {
  message: string;
}

export interface YamlSource {
  value: Json;
  problems: YamlProblem[];
  /** Place of the fault; for a missing key, where the map that lacks it stands. */
  locate(fault: PathFault): Place;
}

const aliasesMax = 100;

const messages: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: "an alias is not valid",
  BAD_DQ_ESCAPE: "an escape in a double-quoted text is not valid",
  BAD_INDENT: "the indentation is wrong or a bracket is not closed",
  BAD_SCALAR_START: "a plain text starts with a reserved character; quote it",
  BLOCK_AS_IMPLICIT_KEY: "a text with a colon in it needs quotes",
  DUPLICATE_KEY: "the same key stands twice in one map",
  MISSING_CHAR: "a quote, bracket, comma or space is missing",
  MULTILINE_IMPLICIT_KEY: "a key spans several lines",
  MULTIPLE_DOCS: "the file holds more than one document",
  NON_STRING_KEY: "a key is not a text",
  TAB_AS_INDENT: "a tab stands in the indentation",
  TAG_RESOLVE_FAILED: "tags are not supported",
  UNEXPECTED_TOKEN: "something stands here that does not belong",
};

export function parseYaml(text: string): YamlSource {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    resolveKnownTags: false,
    stringKeys: true,
    logLevel: "error",
  });
  const placeOf = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = [
    ...[...document.errors, ...document.warnings].map((error) => syntaxProblem(error, placeOf)),
    ...aliasProblems(document, placeOf),
  ];
  const { value, message } = problems.length === 0 ? toJson(document) : { value: null };
  if (message !== undefined) problems.push({ line: 1, column: 1, message });
  return {
    value,
    problems: onePerLine(problems),
    locate: (fault) => placeOf(findOffset(document, fault)),
  };
}

function syntaxProblem(error: YAMLError, placeOf: (offset: number) => Place): YamlProblem {
  const message = `is not valid YAML: ${messages[error.code] ?? "the structure is wrong"}`;
  return { ...placeOf(error.pos[0]), message };
}

/** An alias without its anchor, or inside the value it stands for, cannot be written out. */
function aliasProblems(document: Document, placeOf: (offset: number) => Place): YamlProblem[] {
  const problems: YamlProblem[] = [];
  visit(document, {
    Alias(_key, alias: Alias, ancestors) {
      const target = alias.resolve(document);
      const isWrong = target === undefined || ancestors.includes(target);
      if (!isWrong) return;
      const message = "is not valid YAML: an alias has no anchor before it";
      problems.push({ ...placeOf(alias.range?.[0] ?? 0), message });
    },
  });
  return problems;
}

function toJson(document: Document): { value: Json; message?: string } {
  try {
    const value: Json = document.toJS({ maxAliasCount: aliasesMax });
    return { value };
  } catch {
    return { value: null, message: "is not valid YAML: it expands too many aliases" };
  }
}

/** One mistake makes the parser stumble several times; the first on a line is the telling one. */
function onePerLine(problems: YamlProblem[]): YamlProblem[] {
  const lines = new Set<number>();
  return problems.filter(({ line }) => !lines.has(line) && lines.add(line));
}

function findOffset(document: Document, { path, isKey }: PathFault): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const name of path) {
    const target: unknown = isAlias(node) ? node.resolve(document) : node;
    const child = findChild(target, name);
    if (!child) return offset;
    node = child.value;
    const place: Node | null = isKey && name === path.at(-1) ? child.key : (node ?? child.key);
    offset = place?.range?.[0] ?? offset;
  }
  return offset;
}

function findChild(node: unknown, name: string): { key: Node | null; value: Node | null } | null {
  if (isSeq<Node>(node)) return { key: null, value: node.items[Number(name)] ?? null };
  if (!isMap<Node, Node>(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return pair ? { key: pair.key, value: pair.value } : null;
}
