// Merged documents of one program in one commit: their lists behind each other, without what came
// and went meanwhile, and with sums in place of what is added up.
import type { Step, Program } from "../step.ts";
import type { Value } from "../store.ts";

type Lists = Record<string, Value[][] | undefined>;

export function mergeDocuments(
  documents: readonly string[],
  program: Program,
): Map<string, Value[][]> {
  const parsed = documents.map((document): Lists => JSON.parse(document));
  for (const step of program) dropUndone(parsed, step, program);
  const lists = mergeLists(parsed);
  for (const step of program) {
    const { action, list } = step;
    if (action.kind !== "add" && action.kind !== "accumulate") continue;
    lists.set(list, addUp(lists.get(list) ?? [], step, placesOf(step, action.key)));
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

/** Places of the columns' cells in a row. */
function placesOf({ columns }: Step, wanted: readonly string[]): number[] {
  return wanted.map((column) => columns.indexOf(column));
}

/** One row for each key; a sum that cannot be counted exactly stays in its parts. */
function addUp(rows: readonly Value[][], step: Step, key: readonly number[]): Value[][] {
  const added = [...step.columns.keys()].filter((at) => !key.includes(at));
  const sums = new Map<Value | undefined, Value[]>();
  const rest: Value[][] = [];
  for (const row of rows) {
    const name = nameOf(row, key);
    const sum = sums.get(name);
    if (!sum) sums.set(name, row);
    else if (!tryAdd(sum, row, added)) rest.push(row);
  }
  return [...sums.values(), ...rest];
}

/** Identity of a row; the one cell itself where that is enough. */
function nameOf(row: readonly Value[], key: readonly number[]): Value | undefined {
  const [first = 0] = key;
  return key.length === 1 ? row[first] : JSON.stringify(key.map((at) => row[at]));
}

function tryAdd(sum: Value[], row: readonly Value[], places: readonly number[]): boolean {
  for (const at of places) {
    if (!Number.isSafeInteger(Number(sum[at]) + Number(row[at]))) return false;
  }
  for (const at of places) sum[at] = Number(sum[at]) + Number(row[at]);
  return true;
}

/**
 * Rows that came and went within one commit never need to touch their table. Only pairs are
 * dropped: an id that is made again afterwards stays, and so does the end of what was there before.
 */
function dropUndone(documents: readonly Lists[], step: Step, program: Program): void {
  const { action } = step;
  const maker = action.kind === "delete" && program.find(({ list }) => list === action.undoes);
  if (!maker) return;
  const key = placesOf(maker, step.columns);
  const ownKey = placesOf(step, step.columns);
  const open = new Map<Value | undefined, Value[][]>();
  const undone = new Set<Value[]>();
  for (const lists of documents) {
    for (const row of lists[maker.list] ?? []) {
      const name = nameOf(row, key);
      const known = open.get(name);
      if (known) known.push(row);
      else open.set(name, [row]);
    }
    for (const row of lists[step.list] ?? []) {
      const match = open.get(nameOf(row, ownKey))?.pop();
      if (match) undone.add(match).add(row);
    }
  }
  if (undone.size === 0) return;
  for (const lists of documents) {
    for (const { list } of [maker, step]) {
      lists[list] = lists[list]?.filter((row) => !undone.has(row));
    }
  }
}
