// Rows with a limit, which are keys and caps, and what nodes were lent of them.
import { BrokenPromise } from "../failure.ts";
import type { BookRows, KeyRow, KeySliceRow } from "./book-rows.ts";

export type Cells = readonly (string | number | null)[];

interface LimitedNeeds {
  book: BookRows;
  rows: ReadonlyMap<string, KeyRow>;
  slices: ReadonlyMap<string, Map<string, KeySliceRow>>;
  /** A moment of its own, later than all before. */
  now(): number;
}

interface TaskEnd {
  held: number;
  ofHold: number;
  past: number;
}

export class LimitedTable {
  readonly #needs: LimitedNeeds;

  constructor(needs: LimitedNeeds) {
    this.#needs = needs;
  }

  get slices(): LimitedNeeds["slices"] {
    return this.#needs.slices;
  }

  /** Micros held and spent by a node. */
  move(node: string, moves: readonly Cells[]): void {
    for (const [id, held, spent] of moves) {
      const slice = this.#slice(node, text(id));
      slice.held += Number(held);
      slice.spent += Number(spent);
      if (slice.limited && slice.granted < slice.held + slice.spent) {
        throw new BrokenPromise(`${id} is past its limit`);
      }
    }
  }

  giveBack(node: string, returns: readonly Cells[]): void {
    for (const [id, back, isLast] of returns) {
      const slice = this.#slice(node, text(id));
      const row = existing(this.#needs.rows.get(text(id)));
      const less = slice.limited ? Number(back) + slice.spent : 0;
      row.spent += slice.spent;
      row.lent -= less;
      slice.granted -= less;
      slice.spent = 0;
      slice.returnedAt = this.#needs.now();
      if (isLast === 1) this.slices.get(node)?.delete(text(id));
    }
  }

  holdTask(node: string, id: string, held: number): void {
    const slice = this.#slice(node, id);
    const row = existing(this.#needs.rows.get(id));
    row.held += held;
    if (!slice.limited) return;
    row.lent -= held;
    slice.granted -= held;
  }

  endTask(node: string, id: string, { held, ofHold, past }: TaskEnd): void {
    const row = existing(this.#needs.rows.get(id));
    row.held -= held;
    row.spent += ofHold;
    if (past > 0) this.#slice(node, id).spent += past;
  }

  /** A dead node's part of those of an account goes back. */
  fold(node: string, account: string): void {
    const slices = this.slices.get(node);
    for (const [id, slice] of slices ?? []) {
      const row = existing(this.#needs.rows.get(id));
      if (row.account !== account) continue;
      row.spent += slice.spent;
      row.lent -= slice.granted;
      slices?.delete(id);
    }
  }

  /** Those of which there is no more, and whether somebody new waits for them. */
  lend(node: string, asks: readonly Cells[]): [id: string, isNew: boolean][] {
    return asks.flatMap(([id, need, want, inUse, isNew]): [string, boolean][] => {
      const ask = { need: Number(need), want: Number(want), inUse: Number(inUse) };
      return this.#lend(node, text(id), ask) ? [[text(id), isNew === 1]] : [];
    });
  }

  /** Micros spent, held or lent of it beyond its limit. */
  excessOf(id: string): number {
    const { limit, spent, held, lent } = existing(this.#needs.rows.get(id));
    return limit === null ? 0 : Math.max(0, spent + held + lent - limit);
  }

  isElsewhere(node: string, id: string): boolean {
    const others = [...this.slices].filter(([other]) => other !== node);
    return others.some(([, rows]) => roomOf(rows.get(id)) > 0);
  }

  #lend(node: string, id: string, ask: { need: number; want: number; inUse: number }): boolean {
    const row = this.#needs.rows.get(id);
    if (!row) return false;
    const slices = existing(this.slices.get(node));
    const isLimited = row.limit !== null;
    const slice = slices.get(id) ?? { ...newSlice(), limited: isLimited };
    slices.set(id, slice);
    if (slice.limited !== isLimited) {
      const granted = isLimited ? slice.spent + Math.max(slice.held, ask.inUse) : 0;
      row.lent += granted - slice.granted;
      slice.granted = granted;
      slice.limited = isLimited;
    }
    const free = row.limit === null ? 0 : row.limit - row.spent - row.held - row.lent;
    const has = (other: string) => (this.slices.get(other)?.get(id)?.granted ?? 0) > 0;
    const parts = partsOf(this.#needs.book, node, has);
    const most = Math.max(ask.need, Math.min(ask.want, Math.floor(free / parts)));
    const lent = isLimited ? Math.max(0, Math.min(free, most)) : 0;
    row.lent += lent;
    slice.granted += lent;
    slice.lentEver += lent;
    if (lent > 0) slice.returnedAt = 0;
    return isLimited && ask.need > 0 && free - lent <= 0;
  }

  #slice(node: string, id: string): KeySliceRow {
    const slice = this.slices.get(node)?.get(id);
    if (!slice) throw new BrokenPromise(`no slice of ${id}`);
    return slice;
  }
}

/** Shares of what is left, of which one gets one where others have some of it. */
export function partsOf(book: BookRows, node: string, has: (other: string) => boolean): number {
  const others = [...book.nodes.keys()].filter((other) => other !== node);
  const live = [...book.nodes.values()].filter(({ isLive }) => isLive).length;
  return others.some(has) ? 4 * live : 2;
}

export function roomOf(row: KeySliceRow | undefined): number {
  return row?.limited ? row.granted - row.held - row.spent : 0;
}

export function existing<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new BrokenPromise("there is no such row");
  return row;
}

export function text(cell: string | number | null | undefined): string {
  return String(cell);
}

function newSlice(): Omit<KeySliceRow, "limited"> {
  return { granted: 0, held: 0, spent: 0, lentEver: 0, returnedAt: 0 };
}
