// What several documents of one program come to in one commit: their lists behind each other, without
// what came and went meanwhile, and with sums in place of what is added up.
import type { Program, Value } from "../store.ts";

type Lists = Record<string, Value[][] | undefined>;

export function mergeDocuments(
  documents: readonly string[],
  { undone, summed = [] }: Program,
): Map<string, Value[][]> {
  const parsed = documents.map((document): Lists => JSON.parse(document));
  if (undone) dropUndone(parsed, undone);
  const lists = mergeLists(parsed);
  for (const name of summed) lists.set(name, addUp(lists.get(name) ?? []));
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

/** One row for each first cell; a sum that cannot be counted exactly stays in its parts. */
function addUp(rows: readonly Value[][]): Value[][] {
  const sums = new Map<Value | undefined, Value[]>();
  const rest: Value[][] = [];
  for (const row of rows) {
    const known = sums.get(row[0]);
    const sum = known?.map((cell, at) => (at === 0 ? cell : Number(cell) + Number(row[at])));
    if (!sum) sums.set(row[0], row);
    else if (sum.every((cell, at) => at === 0 || Number.isSafeInteger(cell))) sums.set(row[0], sum);
    else rest.push(row);
  }
  return [...sums.values(), ...rest];
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
