// One table of a move: copied in commits that remember how far it is, so that whatever ends it, it
// goes on just behind its last commit; and compared, row by row, once everything is there.
import type { Store, Value } from "../store.ts";
import { readBatch, readTable, type RowBatch, type BatchBounds } from "./batches.ts";
import type { TableShape } from "./shapes.ts";
import { completeTable, findProgress, insertRows, saveProgress } from "./words.ts";

export interface MoveNeeds {
  source: Store;
  target: Store;
  moveId: string;
  bounds: BatchBounds;
  nowMs(): number;
}

/** Returns how many rows were copied, by this run or by one before it. */
export async function copyTable(
  needs: MoveNeeds,
  table: TableShape,
  tell: (rows: number) => void,
): Promise<number> {
  const { source, target, moveId, bounds, nowMs } = needs;
  let { after, rows } = await readProgress(needs, table);
  for (;;) {
    const batch = await readBatch(source, table, after, bounds);
    if (!batch) break;
    after = batch.last;
    rows += batch.rows.length;
    const document = `[${batch.rows.join(",")}]`;
    const progress = { moveId, after: batch.last, rows, atMs: nowMs() };
    const statements = [
      { ...insertRows(target.dialect, table, document), changes: batch.rows.length },
      saveProgress(target.dialect, table, progress),
    ];
    await writeTable(target, table, statements);
    tell(rows);
  }
  await writeTable(target, table, completeTable(target.dialect, table));
  return rows;
}

interface Reached {
  after: readonly Value[] | null;
  rows: number;
}

async function readProgress({ target, moveId }: MoveNeeds, table: TableShape): Promise<Reached> {
  const [row] = await readTable(target, table, findProgress(target.dialect, table));
  if (!row) return { after: null, rows: 0 };
  if (row["move_id"] !== moveId) throw new Error(`${table.name} is of another move`);
  const after: Value[] = JSON.parse(String(row["detail"]));
  return { after, rows: Number(row["row_count"]) };
}

async function writeTable(
  store: Store,
  { isLog }: TableShape,
  statements: Parameters<Store["commit"]>[0]["statements"] = [],
): Promise<void> {
  if (statements.length === 0) return;
  if (isLog) await store.writeLog({ statements });
  else await store.commit({ statements });
}

interface TableSums {
  rows: number;
  /** Sum of each column of money. */
  micros: ReadonlyMap<string, bigint>;
}

/** Fails where one row differs, lacks or is too many. */
export async function compareTable(
  { source, target, bounds }: Pick<MoveNeeds, "source" | "target" | "bounds">,
  table: TableShape,
): Promise<TableSums> {
  const micros = new Map<string, bigint>();
  let after: readonly Value[] | null = null;
  let rows = 0;
  for (;;) {
    const [ours, theirs]: [RowBatch | null, RowBatch | null] = await Promise.all([
      readBatch(source, table, after, bounds),
      readBatch(target, table, after, bounds),
    ]);
    if (contentsOf(ours?.rows) !== contentsOf(theirs?.rows)) {
      const place = after === null ? "from the first row on" : `behind ${JSON.stringify(after)}`;
      throw new Error(`the rows of ${table.name} are not the same on both sides, ${place}`);
    }
    if (!ours) return { rows, micros };
    after = ours.last;
    rows += ours.rows.length;
    for (const [name, sum] of ours.micros) micros.set(name, (micros.get(name) ?? 0n) + sum);
  }
}

/** Rows of one key come in no order. */
function contentsOf(rows: readonly string[] = []): string {
  return rows.toSorted().join("\n");
}
