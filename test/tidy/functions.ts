// Finds the functions in blanked code by matching brackets, well enough to measure them.

export interface Span {
  start: number;
  end: number;
}

const openers = "([{";
const closers = ")]}";
const controlWord = /\b(?:if|for|while|switch|catch|with|await)\s*$/;
const wordsBeforeType = new Set(
  "keyof typeof readonly infer extends is asserts unique new abstract".split(" "),
);

/** Every function, method and arrow function, from its parameters to its last sign. */
export function functionSpans(code: string): Span[] {
  const pairs = pairBrackets(code);
  const spans: Span[] = [];
  for (let at = 0; at < code.length; at++) {
    if (code[at] === "(" && !controlWord.test(code.slice(Math.max(0, at - 20), at))) {
      const body = bodyAfter(code, pairs, pairs.get(at));
      const end = body === null ? undefined : pairs.get(body);
      if (end !== undefined) spans.push({ start: at, end });
    } else if (code.startsWith("=>", at)) {
      spans.push({ start: startOfArrow(code, pairs, at), end: endOfArrow(code, pairs, at + 2) });
    }
  }
  return spans;
}

/** The place of the first bracket without its partner: from there on the code was misread. */
export function firstUnpaired(code: string): number | null {
  const pairs = pairBrackets(code);
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if (!openers.includes(char) && !closers.includes(char)) continue;
    const kind = openers.indexOf(char);
    const partner = code.charAt(pairs.get(at) ?? code.length);
    if (partner === "" || (kind !== -1 && closers.indexOf(partner) !== kind)) return at;
  }
  return null;
}

/** True when the bracket opens parameters and not the arguments of a call. */
export function isFunctionHead(code: string, open: number): boolean {
  const pairs = pairBrackets(code);
  if (bodyAfter(code, pairs, pairs.get(open)) !== null) return true;
  return /^\s*(?:\.\.\.)?[\w$]+\s*\??\s*:/.test(code.slice(open + 1, open + 100));
}

/** The callback of a describe block holds tests; it is a heading, not a function to be read. */
export function isHeading(code: string, { start }: Span): boolean {
  const before = code.slice(Math.max(0, start - 300), start);
  return /\bdescribe(?:\.each\([^;]*\))?\(\s*(["'`])\s*\1,\s*(?:async\s*)?$/.test(before);
}

export function pairBrackets(code: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if (openers.includes(char)) open.push(at);
    if (!closers.includes(char)) continue;
    const start = open.pop();
    if (start === undefined) continue;
    pairs.set(start, at);
    pairs.set(at, start);
  }
  return pairs;
}

/** The brace that opens the body behind the parameters that end at `close`, if there is one. */
function bodyAfter(
  code: string,
  pairs: Map<number, number>,
  close: number | undefined,
): number | null {
  if (close === undefined) return null;
  const next = skipSpace(code, close + 1);
  if (code[next] === "{") return next;
  return code[next] === ":" ? bodyAfterType(code, pairs, next + 1) : null;
}

/** Walks over a return type: a brace where a type is due belongs to it, any other is the body. */
function bodyAfterType(code: string, pairs: Map<number, number>, from: number): number | null {
  let isTypeDue = true;
  let angles = 0;
  for (let at = skipSpace(code, from); at < code.length; at = skipSpace(code, at)) {
    const char = code.charAt(at);
    if (char === "{" && !isTypeDue) return at;
    const [word] = /^[\w$]+/.exec(code.slice(at, at + 100)) ?? [];
    if (word !== undefined) {
      isTypeDue = wordsBeforeType.has(word);
      at += word.length;
    } else if (openers.includes(char)) {
      at = (pairs.get(at) ?? code.length) + 1;
      isTypeDue = false;
    } else if (`"'\``.includes(char)) {
      at = code.indexOf(char, at + 1) + 1;
      isTypeDue = false;
    } else if (code.startsWith("=>", at)) {
      at += 2;
      isTypeDue = true;
    } else if ("<>|&?.".includes(char) || (char === "," && angles > 0)) {
      if (char === "<") angles++;
      if (char === ">") angles--;
      isTypeDue = char !== ">" && char !== ".";
      at++;
    } else {
      return null;
    }
    if (at === 0) return null;
  }
  return null;
}

function startOfArrow(code: string, pairs: Map<number, number>, arrow: number): number {
  let at = arrow - 1;
  while (at > 0 && /\s/.test(code.charAt(at))) at--;
  return (code[at] === ")" ? pairs.get(at) : undefined) ?? at;
}

/** An arrow's body is a block, or an expression that runs to the next sign outside brackets. */
function endOfArrow(code: string, pairs: Map<number, number>, from: number): number {
  const first = skipSpace(code, from);
  if (code[first] === "{") return pairs.get(first) ?? code.length;
  for (let at = first; at < code.length; at++) {
    const char = code.charAt(at);
    if (openers.includes(char)) at = pairs.get(at) ?? code.length;
    else if (closers.includes(char) || char === "," || char === ";") return at - 1;
  }
  return code.length;
}

function skipSpace(code: string, from: number): number {
  let at = from;
  while (at < code.length && /\s/.test(code.charAt(at))) at++;
  return at;
}
