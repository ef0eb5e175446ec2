// Needs: the type of what a part of the gateway is handed, short enough to be read, and put
// together field by field: no bag travels, and no spread decides which of two things of one name
// arrives.
import { isFunctionHead } from "./functions.ts";
import { type Finding, findInCode, isIn, isShipped, lineAt, type SourceFile } from "./source.ts";

const fieldsMax = 14;
const suffixes = "\\w*(?:Parts|Tools|Options|Ports|Deps)\\b";
/** A type's name is followed by what it means; in an import it is not. */
const bag = new RegExp(
  `\\b(?:(?:interface|class)\\s+${suffixes}|type\\s+${suffixes}(?=[^=;,}]*=))`,
);
/** Here the words mean parts of a message, and options of the command line. */
const otherMeanings = ["src/formats/", "src/families/", "src/upstreams/", "src/cli/", "sandbox/"];
const root = ["src/app.ts", "src/app/"];

export function bagFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && !isIn(path, otherMeanings))
    .flatMap((file) => findInCode(file, bag, "what is handed over is called Needs"));
}

export function spreadFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && isIn(path, root))
    .flatMap(({ path, code, text }) =>
      Array.from(code.matchAll(/\.\.\./g), ({ index }) => index)
        .filter((at) => isObjectSpread(code, at))
        .map((at) => ({ path, line: lineAt(text, at), what: "an object is spread" })),
    );
}

export function needsFindings(files: readonly SourceFile[]): Finding[] {
  const shapes = new Map(files.filter(({ path }) => isShipped(path)).flatMap(shapesIn));
  return [...shapes.values()]
    .filter(({ name }) => name.endsWith("Needs"))
    .flatMap(({ name, path, line }) => {
      const count = fieldsOf(name, shapes).size;
      const what = `${name} has ${count} fields, more than ${fieldsMax}`;
      return count > fieldsMax ? [{ path, line, what }] : [];
    });
}

interface Shape {
  name: string;
  path: string;
  line: number;
  /** Bases behind `extends` or `=`. */
  bases: string;
  /** Text between its own braces. */
  body: string;
}

const head =
  /\b(?:interface\s+(\w+)(?:<[^{]*>)?(?:\s+extends\b([^{]*))?|type\s+(\w+)\s*=([^;{]*))/dg;

function shapesIn({ path, code, text }: SourceFile): [string, Shape][] {
  return Array.from(code.matchAll(head), (match) => {
    const name = match[1] ?? match[3] ?? "";
    const end = match.index + match[0].length;
    // The words between quotes, which are the names in a Pick, are blank in the code.
    const [from, to] = match.indices?.[2] ?? match.indices?.[4] ?? [end, end];
    const brace = /^\s*\{/.exec(code.slice(end, end + 100));
    const body = brace ? insideOf(code.slice(end + brace[0].length)) : "";
    return [
      name,
      { name, path, line: lineAt(text, match.index), bases: text.slice(from, to), body },
    ];
  });
}

/** From behind an opening brace to its partner. */
function insideOf(code: string): string {
  let depth = 1;
  for (let at = 0; at < code.length; at++) {
    if ("([{".includes(code.charAt(at))) depth++;
    if (")]}".includes(code.charAt(at)) && --depth === 0) return code.slice(0, at);
  }
  return code;
}

const base = /\b(Pick|Omit)<\s*(\w+),([^>]*)>|\b([A-Z]\w*)/g;

/** The names of all fields, its own and those of what it is made of. */
function fieldsOf(name: string, shapes: ReadonlyMap<string, Shape>): Set<string> {
  const shape = shapes.get(name);
  if (!shape) return new Set();
  const inherited = Array.from(shape.bases.matchAll(base), (match) => {
    const [, word, inner = "", listed = "", plain = ""] = match;
    const named = new Set(Array.from(listed.matchAll(/"(\w+)"/g), ([, field = ""]) => field));
    if (word === "Pick") return named;
    const fields = plain === name ? new Set<string>() : fieldsOf(word ? inner : plain, shapes);
    return word ? fields.difference(named) : fields;
  });
  return inherited.reduce((all, some) => all.union(some), new Set(ownFields(shape.body)));
}

const fieldOrBracket = /[([{]|[)\]}]|(?:^|[;,\n])\s*(?:readonly\s+)?(\w+)\??(?=[:(<])/g;

/** Names before a colon or a bracket at the start of a line of the outermost level. */
function ownFields(body: string): string[] {
  let depth = 0;
  const names: string[] = [];
  for (const [sign, field] of body.matchAll(fieldOrBracket)) {
    if (field !== undefined && depth === 0) names.push(field);
    else if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
  }
  return names;
}

/** Not of a list, of arguments, or of what is left when an object is taken apart. */
function isObjectSpread(code: string, at: number): boolean {
  const open = openerBefore(code, at);
  if (code[open] !== "{") return false;
  const end = open + 1 + insideOf(code.slice(open + 1)).length;
  if (/^\s*=(?![=>])/.test(code.slice(end + 1))) return false;
  const outer = openerBefore(code, open);
  return !(code[outer] === "(" && isFunctionHead(code, outer)) && !isArrowHead(code, outer);
}

function isArrowHead(code: string, open: number): boolean {
  if (code[open] !== "(") return false;
  const end = open + 1 + insideOf(code.slice(open + 1)).length;
  return /^\s*=>/.test(code.slice(end + 1));
}

function openerBefore(code: string, from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    if (")]}".includes(code.charAt(at))) depth++;
    if ("([{".includes(code.charAt(at)) && depth-- === 0) return at;
  }
  return -1;
}
