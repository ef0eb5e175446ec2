// A database that nodes share, as plain code: what the functions of PostgreSQL do with a turn, in
// the same order. A statement of it takes no time, and what would break the book is a fault.
import {
  RoundRefused,
  type CapCells,
  type LentCells,
  type NodeRound,
  type RoundReply,
} from "../../../src/store/turns.ts";
import { capIdsOf } from "../../../src/quota/cap.ts";
import { BrokenPromise } from "../failure.ts";
import { BookRows, type EntryRow, type HoldRow, type SliceRow } from "./book-rows.ts";
import { existing, LimitedTable, partsOf, roomOf, text, type Cells } from "./limited-table.ts";

type Document = Readonly<Record<string, readonly Cells[]>> & { recalls?: readonly string[] };

/** Parts left out of it on purpose, to see that they are missed. */
export interface Flaws {
  lendsWithoutTaking?: boolean;
  foldsTwice?: boolean;
  ignoresNumbers?: boolean;
  forgetsCapsOfDead?: boolean;
  /** A turn that was in the book already passes for a new one. */
  hidesRepeats?: boolean;
}

/** A recall stands for so long before it is renewed. */
const recallMs = 5000;
/** Holders are told of those who come, unless one was heard of so shortly before. */
const quietMs = 20;

type SlicesOf = ReadonlyMap<string, ReadonlyMap<string, Pick<SliceRow, "granted" | "spent">>>;

export class SharedDatabase {
  readonly #rows = new BookRows();
  readonly #keys: LimitedTable;
  readonly #caps: LimitedTable;
  readonly #flaws: Flaws;
  /** Recalls that are not yet told to the nodes. */
  readonly notices = new Set<string>();
  /** The database's own clock. */
  nowMs = 1;

  constructor(flaws: Flaws) {
    this.#flaws = flaws;
    const { keys, keySlices, caps, capSlices } = this.#rows;
    const now = () => this.nowMs++;
    this.#keys = new LimitedTable({ book: this.#rows, rows: keys, slices: keySlices, now });
    this.#caps = new LimitedTable({ book: this.#rows, rows: caps, slices: capSlices, now });
  }

  get rows(): BookRows {
    return this.#rows;
  }

  join(node: string, ttlMs: number): void {
    const { nowMs } = this;
    this.#rows.nodes.set(node, {
      seq: 0,
      isLive: true,
      leaseUntil: nowMs + ttlMs,
      turnedAt: nowMs,
    });
    this.#rows.slices.set(node, new Map());
    this.#rows.keySlices.set(node, new Map());
    this.#rows.capSlices.set(node, new Map());
  }

  grant(account: string, micros: number): void {
    const row = existing(this.#rows.accounts.get(account));
    if (row.available + micros < 0) throw new Error("there is not so much");
    row.granted += micros;
    row.available += micros;
  }

  reap(): void {
    for (const row of this.#rows.nodes.values()) {
      if (row.leaseUntil < this.nowMs) row.isLive = false;
    }
  }

  /** One account of one dead node; false when there is none. */
  fold(): boolean {
    const { nodes, slices, holds, entries, accounts } = this.#rows;
    for (const [node, { isLive }] of nodes) {
      const [first] = isLive ? [] : (slices.get(node) ?? []);
      if (!first) continue;
      const [account, slice] = first;
      for (const [id, hold] of holds) {
        if (hold.node !== node || hold.account !== account) continue;
        holds.delete(id);
        const { key, caps } = hold;
        entries.set(id, { kind: "void", account, key, caps, micros: 0 });
      }
      const row = existing(accounts.get(account));
      row.available += slice.available + slice.held;
      row.spent += slice.spent;
      row.lent -= slice.granted;
      this.#keys.fold(node, account);
      if (!this.#flaws.forgetsCapsOfDead) this.#caps.fold(node, account);
      if (!this.#flaws.foldsTwice || slice.returnedAt === -1) slices.get(node)?.delete(account);
      slice.returnedAt = -1;
      return true;
    }
    return false;
  }

  /** A turn that would break the book is a broken promise of its node. */
  turn({ node, seq, ttlMs, document }: NodeRound): RoundReply {
    const row = this.#rows.nodes.get(node);
    if (!row) throw new RoundRefused("fenced", "no such node");
    const doc: Document = JSON.parse(document);
    const isNext = this.#flaws.ignoresNumbers || row.seq === seq - 1;
    if (isNext && row.isLive) {
      row.seq = seq;
      row.leaseUntil = this.nowMs + ttlMs;
      row.turnedAt = this.nowMs;
      this.#apply(node, doc);
      return { again: false, ...this.#reply(node, doc) };
    }
    if (row.seq < seq) throw new RoundRefused("fenced", "others have called it dead");
    return { again: !this.#flaws.hidesRepeats, ...this.#reply(node, doc) };
  }

  #apply(node: string, doc: Document): void {
    const { holds, entries } = this.#rows;
    for (const cells of doc["holds"] ?? []) insert(holds, text(cells[0]), holdOf(node, cells));
    for (const [id] of doc["closed"] ?? []) {
      if (holds.get(text(id))?.node !== node) throw new BrokenPromise(`closed ${id}`);
      holds.delete(text(id));
    }
    for (const cells of doc["entries"] ?? []) insert(entries, text(cells[0]), entryOf(cells));
    for (const [id, , available, held, spent] of doc["accounts"] ?? []) {
      const slice = this.#slice(node, text(id));
      slice.available += Number(available);
      slice.held += Number(held);
      slice.spent += Number(spent);
      if (slice.available < 0) throw new BrokenPromise(`${id} is overdrawn`);
    }
    this.#keys.move(node, doc["keys"] ?? []);
    this.#caps.move(node, doc["caps"] ?? []);
    this.#makeCaps(doc);
    this.#giveBack(node, doc);
    this.#holdTasks(node, doc);
    this.#endTasks(node, doc);
    this.#limitCaps(doc["capLimits"] ?? []);
    for (const [id, need, want, isNew] of doc["asks"] ?? []) {
      const isShort = this.#lend(node, text(id), Number(need), Number(want));
      if (isShort && isNew === 1) this.#nudge(node, text(id), this.#rows.slices);
    }
    for (const [id, isNew] of this.#keys.lend(node, doc["keyAsks"] ?? [])) {
      this.#short(node, id, isNew, this.#keys);
    }
    for (const [id, isNew] of this.#caps.lend(node, doc["capAsks"] ?? [])) {
      this.#short(node, id, isNew, this.#caps);
    }
    for (const subject of doc.recalls ?? []) this.#recall(subject, true);
  }

  #giveBack(node: string, doc: Document): void {
    for (const [id, back] of doc["returns"] ?? []) {
      const slice = this.#slice(node, text(id));
      const row = existing(this.#rows.accounts.get(text(id)));
      row.available += Number(back);
      row.spent += slice.spent;
      row.lent -= Number(back) + slice.spent;
      slice.granted -= Number(back) + slice.spent;
      slice.available -= Number(back);
      slice.spent = 0;
      slice.returnedAt = this.nowMs++;
      if (slice.available < 0) throw new BrokenPromise(`${id} gives what it has not`);
    }
    this.#keys.giveBack(node, doc["keyReturns"] ?? []);
    this.#caps.giveBack(node, doc["capReturns"] ?? []);
  }

  /** Made by whoever asks first. */
  #makeCaps(doc: Document): void {
    const { caps } = this.#rows;
    for (const cells of doc["capAsks"] ?? []) {
      const [id, , , , , budget, account, , mode, , , limit] = cells;
      if (budget === undefined || caps.has(text(id))) continue;
      const [whole, isHard] = [Number(limit), mode === "hard"];
      const terms = { account: text(account), mode: text(mode), whole };
      const unused = { lent: 0, held: 0, spent: 0, loweredFrom: 0, limits: [] };
      caps.set(text(id), { ...terms, ...unused, limit: isHard ? whole : null });
    }
  }

  #limitCaps(changes: readonly Cells[]): void {
    for (const [id, limit] of changes) {
      const row = existing(this.#rows.caps.get(text(id)));
      if (Number(limit) < row.whole) row.loweredFrom = Math.max(row.loweredFrom, row.whole);
      row.whole = Number(limit);
      row.limits.push(row.whole);
      if (row.limit !== null) row.limit = row.whole;
      this.#recall(text(id), true);
    }
  }

  #holdTasks(node: string, doc: Document): void {
    for (const cells of doc["taskHolds"] ?? []) {
      const hold = holdOf(null, cells);
      const { account, key, micros: held, caps } = hold;
      insert(this.#rows.holds, text(cells[0]), hold);
      const slice = this.#slice(node, account);
      const row = existing(this.#rows.accounts.get(account));
      slice.granted -= held;
      slice.available -= held;
      row.lent -= held;
      row.held += held;
      if (slice.available < 0) throw new BrokenPromise(`${account} is overdrawn`);
      this.#keys.holdTask(node, key, held);
      for (const cap of caps) this.#caps.holdTask(node, cap, held);
    }
  }

  #endTasks(node: string, doc: Document): void {
    for (const cells of doc["taskEntries"] ?? []) {
      const hold = this.#rows.holds.get(text(cells[0]));
      if (!hold || hold.node !== null) throw new BrokenPromise(`no hold of ${cells[0]}`);
      this.#rows.holds.delete(text(cells[0]));
      const charged = Number(cells[7]);
      const ofHold = Math.min(charged, hold.micros);
      const row = existing(this.#rows.accounts.get(hold.account));
      row.held -= hold.micros;
      row.spent += ofHold;
      row.available += hold.micros - ofHold;
      const past = charged - ofHold;
      this.#keys.endTask(node, hold.key, { held: hold.micros, ofHold, past });
      for (const cap of hold.caps) {
        this.#caps.endTask(node, cap, { held: hold.micros, ofHold, past });
      }
      if (past > 0) {
        const slice = this.#slice(node, hold.account);
        slice.available -= past;
        slice.spent += past;
      }
      insert(this.#rows.entries, text(cells[0]), entryOf(cells));
    }
  }

  /** True where there is no more of it. */
  #lend(node: string, id: string, need: number, want: number): boolean {
    const row = this.#rows.accounts.get(id);
    if (!row) return false;
    const parts = this.#parts(
      node,
      (other) => (this.#rows.slices.get(other)?.get(id)?.granted ?? 0) > 0,
    );
    const lent = Math.min(
      row.available,
      Math.max(need, Math.min(want, Math.floor(row.available / parts))),
    );
    if (!this.#flaws.lendsWithoutTaking) row.available -= lent;
    row.lent += lent;
    const slices = existing(this.#rows.slices.get(node));
    const slice = slices.get(id) ?? newSlice();
    slices.set(id, slice);
    slice.granted += lent;
    slice.available += lent;
    slice.lentEver += lent;
    if (lent > 0) slice.returnedAt = 0;
    const others = [...this.#rows.slices].filter(([other]) => other !== node);
    const isElsewhere = others.some(([, rows]) => (rows.get(id)?.available ?? 0) > 0);
    const isShort = need > 0 && row.available === 0;
    if (isShort && isElsewhere) this.#recall(id);
    return isShort;
  }

  /** There is no more of a key or a cap: it is recalled where others have some. */
  #short(node: string, id: string, isNew: boolean, table: LimitedTable): void {
    if (table.isElsewhere(node, id)) this.#recall(id);
    if (isNew) this.#nudge(node, id, table.slices);
  }

  #recall(subject: string, isRenewed = false): void {
    const at = this.#rows.recalls.get(subject);
    if (!isRenewed && at !== undefined && at > this.nowMs - recallMs) return;
    this.#rows.recalls.set(subject, this.nowMs++);
    this.notices.add(subject);
  }

  #nudge(node: string, id: string, slices: SlicesOf): void {
    if (this.#unheardMs(node, id, slices) > quietMs) this.notices.add(id);
  }

  #unheardMs(node: string, id: string, slices: SlicesOf): number {
    let turnedAt = this.nowMs;
    for (const [other, rows] of slices) {
      const row = other === node ? undefined : rows.get(id);
      if (!row || row.granted <= row.spent) continue;
      turnedAt = Math.min(turnedAt, existing(this.#rows.nodes.get(other)).turnedAt);
    }
    return this.nowMs - turnedAt;
  }

  #parts(node: string, has: (other: string) => boolean): number {
    return partsOf(this.#rows, node, has);
  }

  #reply(node: string, doc: Document): Omit<RoundReply, "again"> {
    const { slices, keySlices, capSlices, recalls } = this.#rows;
    const own = slices.get(node);
    const ownKeys = keySlices.get(node);
    const ownCaps = capSlices.get(node);
    const lent = (doc["asks"] ?? []).flatMap(([id, need]): LentCells[] => {
      const slice = own?.get(text(id));
      if (!slice) return [];
      const pending = this.#pending(node, text(id), slices, (other) => other.available);
      const unheardMs = this.#unheardMs(node, text(id), slices);
      const elsewhere = need === 0 ? ([0, 0] as const) : ([pending, unheardMs] as const);
      return [[text(id), 0, slice.lentEver, ...elsewhere]];
    });
    const limited = (table: LimitedTable, asks: readonly Cells[] = []) =>
      asks.flatMap(([id, need]): LentCells[] => {
        const slice = table.slices.get(node)?.get(text(id));
        if (!slice) return [];
        const pending = this.#pending(node, text(id), table.slices, roomOf);
        const isIdle = !slice.limited || need === 0;
        const unheardMs = this.#unheardMs(node, text(id), table.slices);
        const elsewhere = isIdle ? ([0, 0] as const) : ([pending, unheardMs] as const);
        return [[text(id), slice.limited ? 1 : 0, slice.lentEver, ...elsewhere]];
      });
    const keys = limited(this.#keys, doc["keyAsks"]);
    const figures = (id: string) =>
      [existing(this.#rows.caps.get(id)).whole, this.#rows.usedOfCap(id).spent] as const;
    const caps = limited(this.#caps, doc["capAsks"]).map((cells): CapCells => [
      ...cells,
      ...figures(cells[0]),
      null,
      this.#caps.excessOf(cells[0]),
    ]);
    const told = (doc["caps"] ?? [])
      .map(([id]) => text(id))
      .filter((id) => this.#rows.caps.get(id)?.limit === null)
      .map((id) => [id, ...figures(id)] as const);
    const recalled = [...recalls].flatMap(([subject, at]) => {
      const slice = own?.get(subject) ?? ownKeys?.get(subject) ?? ownCaps?.get(subject);
      return slice && at > slice.returnedAt ? [subject] : [];
    });
    return { slices: lent, keys, caps, told, recalled };
  }

  #pending<Row extends { returnedAt: number }>(
    node: string,
    id: string,
    slices: ReadonlyMap<string, ReadonlyMap<string, Row>>,
    free: (row: Row) => number,
  ): number {
    const at = this.#rows.recalls.get(id) ?? Infinity;
    let pending = 0;
    for (const [other, rows] of slices) {
      const row = other === node ? undefined : rows.get(id);
      if (row && free(row) > 0 && row.returnedAt < at) pending += free(row);
    }
    return pending;
  }

  #slice(node: string, id: string): SliceRow {
    const slice = this.#rows.slices.get(node)?.get(id);
    if (!slice) throw new BrokenPromise(`no slice of ${id}`);
    return slice;
  }
}

function newSlice(): SliceRow {
  return { granted: 0, available: 0, held: 0, spent: 0, lentEver: 0, returnedAt: 0 };
}

function holdOf(node: string | null, [, account, key, , , micros, , , caps]: Cells): HoldRow {
  const named = capIdsOf(caps === null ? null : text(caps));
  return { node, account: text(account), key: text(key), micros: Number(micros), caps: named };
}

function entryOf([, kind, account, key, , , , micros, ...rest]: Cells): EntryRow {
  const caps = capIdsOf(rest[6] === null ? null : text(rest[6]));
  return { kind: text(kind), account: text(account), key: text(key), micros: Number(micros), caps };
}

function insert<Row>(rows: Map<string, Row>, id: string, row: Row): void {
  if (rows.has(id)) throw new BrokenPromise(`${id} is there already`);
  rows.set(id, row);
}
