// What the documents of one program come to in one commit: their lists behind each other, without
// what came and went meanwhile, and with sums in place of what is added up.
import type { Program, Value } from "../store.ts";

type Lists = Record<string, Value[][] | undefined>;

export function mergeDocuments(
  documents: readonly string[],
  { undone, summed = {} }: Program,
): Map<string, Value[][]> {
  const parsed = documents.map((document): Lists => JSON.parse(document));
  if (undone) dropUndone(parsed, undone);
  const lists = mergeLists(parsed);
  for (const [name, names] of Object.entries(summed)) {
    lists.set(name, addUp(lists.get(name) ?? [], names));
  }
  return lists;
}

function mergeLists(documents: readonly Lists[]): Map<string, Value[][]> {
  const merged = new Map<string, Value[][]>();
  for (const lists of documents) {
    for (const [name, rows = []] of Object.entries(lists)) {
      const known = merged.get(name);
      if (known) for (const row of rows) known.push(row);
      else merged.set(name, rows);
    }
  }
  return merged;
}

/** One row for each that is named; a sum that cannot be counted exactly stays in its parts. */
function addUp(rows: readonly Value[][], names: number): Value[][] {
  const sums = new Map<Value | undefined, Value[]>();
  const rest: Value[][] = [];
  for (const row of rows) {
    const name = names === 1 ? row[0] : JSON.stringify(row.slice(0, names));
    const sum = sums.get(name);
    if (!sum) sums.set(name, row);
    else if (!tryAdd(sum, row, names)) rest.push(row);
  }
  return [...sums.values(), ...rest];
}

function tryAdd(sum: Value[], row: readonly Value[], from: number): boolean {
  for (let at = from; at < sum.length; at++) {
    if (!Number.isSafeInteger(Number(sum[at]) + Number(row[at]))) return false;
  }
  for (let at = from; at < sum.length; at++) sum[at] = Number(sum[at]) + Number(row[at]);
  return true;
}

/**
 * What came and went within one commit never needs to touch its table. Only pairs are dropped: an
 * id that is made again afterwards stays, and so does the end of what was there before.
 */
function dropUndone(documents: readonly Lists[], [made, unmade]: readonly [string, string]): void {
  const open = new Map<Value | undefined, Value[][]>();
  const undone = new Set<Value[]>();
  for (const lists of documents) {
    for (const row of lists[made] ?? []) {
      const known = open.get(row[0]);
      if (known) known.push(row);
      else open.set(row[0], [row]);
    }
    for (const row of lists[unmade] ?? []) {
      const match = open.get(row[0])?.pop();
      if (match) undone.add(match).add(row);
    }
  }
  if (undone.size === 0) return;
  for (const lists of documents) {
    for (const name of [made, unmade]) lists[name] = lists[name]?.filter((row) => !undone.has(row));
  }
}
