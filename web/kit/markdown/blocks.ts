// Blocks of a Markdown text, as models write it: found line by line, in time that grows with its
// length alone, and half of a text is read as well as all of it. HTML is text like any other.

interface Common {
  /** Lines that it was made of: the same lines are the same block. */
  source: string;
}

export type Align = "start" | "center" | "end" | null;

export type Block = Common &
  (
    | { kind: "paragraph"; text: string }
    | { kind: "heading"; level: number; text: string }
    | { kind: "code"; language: string; text: string }
    | { kind: "quote"; blocks: readonly Block[] }
    | { kind: "list"; start: number | null; items: readonly (readonly Block[])[] }
    | { kind: "table"; aligns: readonly Align[]; head: readonly string[]; rows: string[][] }
    | { kind: "rule" }
  );

/** Deeper than people write: what is nested further is text. */
const depthMax = 6;

const fence = /^ {0,3}(`{3,}|~{3,}(?!~))([^`]*)$/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])(?: +|$)/;
const ruleMax = 1000;
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocksOf(text: string): readonly Block[] {
  return readBlocks(text.replaceAll("\t", "    ").split(/\r\n|\r|\n/), 0);
}

function readBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const [block, end] = readBlock(lines, at, depth);
    blocks.push({ ...block, source: lines.slice(at, end).join("\n") });
    at = end;
  }
  return blocks;
}

type Bare<One> = One extends Block ? Omit<One, "source"> : never;
type Read = readonly [block: Bare<Block>, end: number];

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? "";
  const head = heading.exec(line);
  if (fence.test(line)) return readCode(lines, at);
  if (head) return [headingOf(head), at + 1];
  if (rule.test(line)) return [{ kind: "rule" }, at + 1];
  if (depth < depthMax && quote.test(line)) return readQuote(lines, at, depth);
  if (depth < depthMax && item.test(line)) return readList(lines, at, depth);
  if (isTable(lines, at)) return readTable(lines, at);
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !begins(lines, end)) end++;
  const text = lines.slice(at, end).map((one) => one.trim());
  return [{ kind: "paragraph", text: text.join("\n") }, end];
}

function headingOf([, marks = "", said = ""]: readonly string[]): Bare<Block> {
  return { kind: "heading", level: marks.length, text: said.trim().replace(/\s#+$/, "") };
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

/** Whether something else than more of a paragraph is here. */
function begins(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return [fence, heading, rule, quote, item].some((one) => one.test(line)) || isTable(lines, at);
}

/** Ends with its fence, or while it is still being written with the text. */
function readCode(lines: readonly string[], at: number): Read {
  const [, mark = "", info = ""] = fence.exec(lines[at] ?? "") ?? [];
  const [language = ""] = info.trim().split(/\s/, 1);
  const isEnd = (line: string) => {
    const text = line.trim();
    return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  const text = lines.slice(at + 1, end).join("\n");
  return [{ kind: "code", language, text }, Math.min(end + 1, lines.length)];
}

function readQuote(lines: readonly string[], at: number, depth: number): Read {
  let end = at + 1;
  while (end < lines.length && quote.test(lines[end] ?? "")) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ""));
  return [{ kind: "quote", blocks: readBlocks(inner, depth + 1) }, end];
}

function readList(lines: readonly string[], at: number, depth: number): Read {
  const [, , , number] = item.exec(lines[at] ?? "") ?? [];
  const isOrdered = number !== undefined;
  const items: (readonly Block[])[] = [];
  let end = at;
  while (end < lines.length) {
    const found = item.exec(lines[end] ?? "");
    if (!found || (found[3] !== undefined) !== isOrdered || rule.test(lines[end] ?? "")) break;
    const [inner, next] = readItem(lines, end, found[0].length);
    items.push(readBlocks(inner, depth + 1));
    end = next;
  }
  return [{ kind: "list", start: isOrdered ? Number(number) : null, items }, end];
}

/** Lines of an item without its mark, and the line of the next one. */
function readItem(lines: readonly string[], at: number, width: number): [string[], number] {
  const inner = [(lines[at] ?? "").slice(width)];
  // Models indent by two or three where the mark takes four.
  const least = Math.min(width, 2);
  let end = at + 1;
  while (end < lines.length) {
    const next = nextOf(lines, end);
    const line = lines[next] ?? "";
    const indent = line.length - line.trimStart().length;
    const isOver = next > end || begins(lines, next);
    if (next === lines.length || (indent < least && isOver)) return [inner, next];
    for (; end < next; end++) inner.push("");
    inner.push(line.slice(Math.min(indent, width)));
    end++;
  }
  return [inner, end];
}

/** First line from here on that has something on it. */
function nextOf(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && isBlank(lines[next])) next++;
  return next;
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = "", below = ""] = [lines[at], lines[at + 1]];
  if (!head.includes("|") || below.length > ruleMax || !tableRule.test(below)) return false;
  return cellsOf(head).length === cellsOf(below).length;
}

function readTable(lines: readonly string[], at: number): Read {
  const head = cellsOf(lines[at] ?? "");
  const aligns = cellsOf(lines[at + 1] ?? "").map(alignOf);
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line);
    return head.map((_, column) => cells[column] ?? "");
  });
  return [{ kind: "table", aligns, head, rows }, end];
}

function alignOf(cell: string): Align {
  const [isStart, isEnd] = [cell.startsWith(":"), cell.endsWith(":")];
  return isStart && isEnd ? "center" : isEnd ? "end" : isStart ? "start" : null;
}

/** Cells between bars; a bar behind a backslash is one of the text. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
