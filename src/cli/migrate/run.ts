// A move of all rows, from beginning to end. It may be killed anywhere and run again: marks in both
// databases say how far it is, and the source is left for good only when the target has proven to
// have the same rows and the same books.
import { verifySource } from "../../app/books/verify-books.ts";
import { systemClock } from "../../core/clock.ts";
import { systemRandom } from "../../core/random.ts";
import { compareTable, copyTable, type MoveNeeds } from "../../store/move/move-table.ts";
import {
  changeRelocation,
  claimRelocation,
  markRelocation,
  readRelocation,
} from "../../store/move/relocation.ts";
import { readTable } from "../../store/move/batches.ts";
import { readShapes, type MovedTables } from "../../store/move/shapes.ts";
import {
  findOfNodes,
  forgetProgress,
  isAnyRow,
  readSince,
  writeSince,
} from "../../store/move/words.ts";
import { ControlError } from "../control-client.ts";
import { judge, type MoveStage } from "./judge.ts";
import { openPlace, peekPlace, type MoveEnd, type MovePlace } from "./place.ts";
import { settleSource } from "./settle.ts";

interface MoveAsk {
  from: MovePlace;
  to: MovePlace;
  rowsMax: number;
  usageDays: number;
  /** Also when the books of the source do not agree; those of the target then must not either. */
  isUnverified: boolean;
  /** Fails unless the secret opens what is sealed in the source. */
  proveSecret(source: MoveEnd): Promise<void>;
  tell(line: string): void;
}

export interface MoveReport {
  /** Nothing was left to do. */
  isDone: boolean;
  accounts: number;
  entries: number;
  tables: { name: string; rows: number; micros: Record<string, string> }[];
}

const charactersMax = 8_000_000;
/** A line for so many batches of a long table. */
const batchesTold = 20;

export async function moveRows(ask: MoveAsk): Promise<MoveReport> {
  const { from, to } = ask;
  const stage = judge(await peekPlace(from), await peekPlace(to));
  if (stage.kind === "done") return { isDone: true, accounts: 0, entries: 0, tables: [] };
  const source = await openPlace(from);
  try {
    const target = await openPlace(to);
    try {
      return await moveBetween(ask, { source, target }, stage);
    } finally {
      await target.store.close();
    }
  } finally {
    await source.store.close();
  }
}

interface Ends {
  source: MoveEnd;
  target: MoveEnd;
}

async function moveBetween(ask: MoveAsk, ends: Ends, stage: MoveStage): Promise<MoveReport> {
  const { source, target } = ends;
  const shapes = await readShapes([source.store, target.store]);
  const moveId = stage.kind === "begin" ? newMoveId() : stage.moveId;
  if (stage.kind === "begin") await assertEmpty(target, shapes);
  if (stage.kind !== "finish") {
    await ask.proveSecret(source);
    await settleSource(source, async () => {
      if (stage.kind === "begin") await beginMove(ask, ends, moveId);
    });
    await assertAtRest(source, shapes);
  }
  const before = await verifyEnd(ask, source);
  if (before.wrong.length > 0 && !ask.isUnverified) {
    throw new ControlError(`${before.wrong.join("\n")}\nthe books do not agree: nothing was moved`);
  }
  const needs: MoveNeeds = {
    source: source.store,
    target: target.store,
    moveId,
    bounds: { rowsMax: ask.rowsMax, charactersMax },
    nowMs: () => systemClock.nowMs(),
  };
  await copyAll(ask, ends, { shapes, needs });
  const tables = await compareAll(ask, shapes, needs);
  const after = await verifyEnd(ask, target);
  if (after.broken !== before.broken) {
    throw new ControlError(`${after.wrong.join("\n")}\nthe books differ: the source stays in use`);
  }
  ask.tell("verified: every row and every sum is the same on both sides");
  await endMove(ends, moveId);
  return { isDone: false, accounts: after.accounts, entries: after.entries, tables };
}

function newMoveId(): string {
  return `move_${systemRandom.bytes(12).toHex()}`;
}

/** The source first: should all end here, the next run begins anew. */
async function beginMove({ from, to }: MoveAsk, { source, target }: Ends, moveId: string) {
  const mark = { move_id: moveId, at_ms: systemClock.nowMs() };
  await markRelocation(source.database, { ...mark, state: "departing", detail: to.shown });
  await claimRelocation(target.database, { ...mark, state: "arriving", detail: from.shown });
}

/** The source is left before the target may be used, so that at no time both can be. */
async function endMove({ source, target }: Ends, moveId: string): Promise<void> {
  const at = { at_ms: systemClock.nowMs() };
  const departing = { move_id: moveId, state: "departing" } as const;
  const isLeft = await changeRelocation(source.database, departing, { ...at, state: "departed" });
  if (!isLeft) await assertMark(source, moveId, "departed");
  await target.store.writeLog({ statements: [forgetProgress("log")] });
  await target.store.commit({ statements: [forgetProgress("main")] });
  const arriving = { move_id: moveId, state: "arriving" } as const;
  await changeRelocation(target.database, arriving, { ...at, state: "arrived" });
}

async function assertMark(
  { database }: MoveEnd,
  moveId: string,
  state: "departing" | "departed",
): Promise<void> {
  const mark = await readRelocation(database);
  const isOurs = mark?.move_id === moveId && (mark.state === state || mark.state === "departed");
  if (isOurs) return;
  throw new ControlError(
    "a gateway was started on the source while its rows were moved, so this move is given up: " +
      "stop it, empty the target and move again",
  );
}

async function assertEmpty({ store }: MoveEnd, { tables }: MovedTables): Promise<void> {
  for (const table of tables) {
    const rows = await readTable(store, table, isAnyRow(table));
    if (rows.length > 0)
      throw new ControlError(`the target is not empty: it has rows in ${table.name}`);
  }
}

/** Tables that only nodes have are empty once all of them have stopped. */
async function assertAtRest({ store }: MoveEnd, { ofNodes }: MovedTables): Promise<void> {
  if (store.turns === undefined) return;
  for (const { table, column } of ofNodes) {
    const rows = await store.read(findOfNodes(table, column));
    if (rows.length > 0) throw new ControlError(`nodes still have something of ${table}`);
  }
}

interface Copying {
  shapes: MovedTables;
  needs: MoveNeeds;
}

async function copyAll(ask: MoveAsk, ends: Ends, { shapes, needs }: Copying): Promise<void> {
  for (const table of shapes.tables) {
    await assertMark(ends.source, needs.moveId, "departing");
    let batches = 0;
    const rows = await copyTable(needs, table, (count) => {
      if (++batches % batchesTold === 0) ask.tell(`copying ${table.name}: ${count} rows`);
    });
    if (rows > 0) ask.tell(`copied ${table.name}: ${rows} rows`);
  }
  const { source, target } = needs;
  const [state] = await source.readLog(readSince(source.dialect));
  const sinceMs = Number(state?.["since_ms"] ?? 0);
  await target.writeLog({ statements: [writeSince(target.dialect, sinceMs)] });
}

async function compareAll(
  ask: MoveAsk,
  { tables }: MovedTables,
  needs: MoveNeeds,
): Promise<MoveReport["tables"]> {
  const compared: MoveReport["tables"] = [];
  for (const table of tables) {
    const { rows, micros } = await compareTable(needs, table);
    const sums = [...micros].map(([name, sum]) => [name, String(sum)] as const);
    compared.push({ name: table.name, rows, micros: Object.fromEntries(sums) });
  }
  ask.tell(`compared ${compared.length} tables`);
  return compared;
}

async function verifyEnd({ usageDays }: MoveAsk, { place, store }: MoveEnd) {
  await store.applied();
  await store.logApplied();
  const source =
    place.kind === "folder"
      ? { databaseUrl: null, dataFolder: place.folder }
      : { databaseUrl: place.url, dataFolder: "" };
  const { rows, violations } = await verifySource(source, usageDays);
  const wrong = violations.map(({ invariant, row }) => `violated: ${invariant}: ${row}`);
  const broken = new Set(violations.map(({ invariant }) => invariant));
  return {
    wrong,
    /** Each engine shows others of many rows that break one. */
    broken: [...broken].toSorted().join("\n"),
    accounts: rows.accounts,
    entries: rows.entries,
  };
}
