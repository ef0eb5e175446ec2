// A database that nodes share, as plain code: what the functions of PostgreSQL do with a turn, in
// the same order. A statement of it takes no time, and what would break the book is a fault.
import {
  RoundRefused,
  type LentCells,
  type NodeRound,
  type RoundReply,
} from "../../../src/store/turns.ts";
import { BrokenPromise } from "../failure.ts";
import { BookRows, type KeySliceRow, type SliceRow } from "./book-rows.ts";

type Cells = readonly (string | number | null)[];
type Document = Readonly<Record<string, readonly Cells[]>> & { recalls?: readonly string[] };

/** Parts left out of it on purpose, to see that they are missed. */
export interface Flaws {
  lendsWithoutTaking?: boolean;
  foldsTwice?: boolean;
  ignoresNumbers?: boolean;
}

/** A recall stands for so long before it is renewed. */
const recallMs = 5000;
/** Holders are told of those who come, unless one was heard of so shortly before. */
const quietMs = 20;

type SlicesOf = ReadonlyMap<string, ReadonlyMap<string, Pick<KeySliceRow, "granted" | "spent">>>;

export class SharedDatabase {
  readonly #rows = new BookRows();
  readonly #flaws: Flaws;
  /** Recalls that are not yet told to the nodes. */
  readonly notices = new Set<string>();
  /** The database's own clock. */
  nowMs = 1;

  constructor(flaws: Flaws) {
    this.#flaws = flaws;
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
    const { nodes, slices, keySlices, holds, entries, accounts, keys } = this.#rows;
    for (const [node, { isLive }] of nodes) {
      const [first] = isLive ? [] : (slices.get(node) ?? []);
      if (!first) continue;
      const [account, slice] = first;
      for (const [id, hold] of holds) {
        if (hold.node !== node || hold.account !== account) continue;
        holds.delete(id);
        entries.set(id, { kind: "void", account, key: hold.key, micros: 0 });
      }
      const row = existing(accounts.get(account));
      row.available += slice.available + slice.held;
      row.spent += slice.spent;
      row.lent -= slice.granted;
      for (const [key, keySlice] of keySlices.get(node) ?? []) {
        const keyRow = existing(keys.get(key));
        if (keyRow.account !== account) continue;
        keyRow.spent += keySlice.spent;
        keyRow.lent -= keySlice.granted;
        keySlices.get(node)?.delete(key);
      }
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
    return { again: true, ...this.#reply(node, doc) };
  }

  #apply(node: string, doc: Document): void {
    const { holds, entries } = this.#rows;
    for (const [id, account, key, , , micros] of doc["holds"] ?? []) {
      insert(holds, String(id), {
        node,
        account: text(account),
        key: text(key),
        micros: Number(micros),
      });
    }
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
    for (const [id, held, spent] of doc["keys"] ?? []) {
      const slice = this.#keySlice(node, text(id));
      slice.held += Number(held);
      slice.spent += Number(spent);
      if (slice.limited && slice.granted < slice.held + slice.spent) {
        throw new BrokenPromise(`${id} is past its limit`);
      }
    }
    this.#giveBack(node, doc);
    this.#holdTasks(node, doc);
    this.#endTasks(node, doc);
    for (const [id, need, want, isNew] of doc["asks"] ?? []) {
      const isShort = this.#lend(node, text(id), Number(need), Number(want));
      if (isShort && isNew === 1) this.#nudge(node, text(id), this.#rows.slices);
    }
    for (const [id, need, want, inUse, isNew] of doc["keyAsks"] ?? []) {
      const ask = { need: Number(need), want: Number(want), inUse: Number(inUse) };
      const isShort = this.#lendKey(node, text(id), ask);
      if (isShort && isNew === 1) this.#nudge(node, text(id), this.#rows.keySlices);
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
    for (const [id, back] of doc["keyReturns"] ?? []) {
      const slice = this.#keySlice(node, text(id));
      const row = existing(this.#rows.keys.get(text(id)));
      const less = slice.limited ? Number(back) + slice.spent : 0;
      row.spent += slice.spent;
      row.lent -= less;
      slice.granted -= less;
      slice.spent = 0;
      slice.returnedAt = this.nowMs++;
    }
  }

  #holdTasks(node: string, doc: Document): void {
    for (const [id, account, key, , , micros] of doc["taskHolds"] ?? []) {
      const held = Number(micros);
      const hold = { node: null, account: text(account), key: text(key), micros: held };
      insert(this.#rows.holds, text(id), hold);
      const slice = this.#slice(node, text(account));
      const row = existing(this.#rows.accounts.get(text(account)));
      slice.granted -= held;
      slice.available -= held;
      row.lent -= held;
      row.held += held;
      if (slice.available < 0) throw new BrokenPromise(`${account} is overdrawn`);
      const keySlice = this.#keySlice(node, text(key));
      const keyRow = existing(this.#rows.keys.get(text(key)));
      keyRow.held += held;
      if (!keySlice.limited) continue;
      keyRow.lent -= held;
      keySlice.granted -= held;
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
      const keyRow = existing(this.#rows.keys.get(hold.key));
      row.held -= hold.micros;
      row.spent += ofHold;
      row.available += hold.micros - ofHold;
      keyRow.held -= hold.micros;
      keyRow.spent += ofHold;
      if (charged > ofHold) {
        const slice = this.#slice(node, hold.account);
        slice.available -= charged - ofHold;
        slice.spent += charged - ofHold;
        this.#keySlice(node, hold.key).spent += charged - ofHold;
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

  #lendKey(node: string, id: string, ask: { need: number; want: number; inUse: number }): boolean {
    const row = this.#rows.keys.get(id);
    if (!row) return false;
    const slices = existing(this.#rows.keySlices.get(node));
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
    const parts = this.#parts(
      node,
      (other) => (this.#rows.keySlices.get(other)?.get(id)?.granted ?? 0) > 0,
    );
    const most = Math.max(ask.need, Math.min(ask.want, Math.floor(free / parts)));
    const lent = isLimited ? Math.max(0, Math.min(free, most)) : 0;
    row.lent += lent;
    slice.granted += lent;
    slice.lentEver += lent;
    if (lent > 0) slice.returnedAt = 0;
    const others = [...this.#rows.keySlices].filter(([other]) => other !== node);
    const isElsewhere = others.some(([, rows]) => roomOf(rows.get(id)) > 0);
    const isShort = isLimited && ask.need > 0 && free - lent <= 0;
    if (isShort && isElsewhere) this.#recall(id);
    return isShort;
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
    const others = [...this.#rows.nodes.keys()].filter((other) => other !== node);
    const live = [...this.#rows.nodes.values()].filter(({ isLive }) => isLive).length;
    return others.some(has) ? 4 * live : 2;
  }

  #reply(node: string, doc: Document): Omit<RoundReply, "again"> {
    const { slices, keySlices, recalls } = this.#rows;
    const own = slices.get(node);
    const ownKeys = keySlices.get(node);
    const lent = (doc["asks"] ?? []).flatMap(([id, need]): LentCells[] => {
      const slice = own?.get(text(id));
      if (!slice) return [];
      const pending = this.#pending(node, text(id), slices, (other) => other.available);
      const unheardMs = this.#unheardMs(node, text(id), slices);
      const elsewhere = need === 0 ? ([0, 0] as const) : ([pending, unheardMs] as const);
      return [[text(id), 0, slice.lentEver, ...elsewhere]];
    });
    const keys = (doc["keyAsks"] ?? []).flatMap(([id, need]): LentCells[] => {
      const slice = ownKeys?.get(text(id));
      if (!slice) return [];
      const pending = this.#pending(node, text(id), keySlices, roomOf);
      const isIdle = !slice.limited || need === 0;
      const unheardMs = this.#unheardMs(node, text(id), keySlices);
      const elsewhere = isIdle ? ([0, 0] as const) : ([pending, unheardMs] as const);
      return [[text(id), slice.limited ? 1 : 0, slice.lentEver, ...elsewhere]];
    });
    const recalled = [...recalls].flatMap(([subject, at]) => {
      const slice = own?.get(subject) ?? ownKeys?.get(subject);
      return slice && at > slice.returnedAt ? [subject] : [];
    });
    return { slices: lent, keys, recalled };
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

  #keySlice(node: string, id: string): KeySliceRow {
    const slice = this.#rows.keySlices.get(node)?.get(id);
    if (!slice) throw new BrokenPromise(`no slice of ${id}`);
    return slice;
  }
}

function newSlice(): SliceRow {
  return { granted: 0, available: 0, held: 0, spent: 0, lentEver: 0, returnedAt: 0 };
}

function roomOf(row: KeySliceRow | undefined): number {
  return row?.limited ? row.granted - row.held - row.spent : 0;
}

function entryOf([, kind, account, key, , , , micros]: Cells) {
  return { kind: text(kind), account: text(account), key: text(key), micros: Number(micros) };
}

function insert<Row>(rows: Map<string, Row>, id: string, row: Row): void {
  if (rows.has(id)) throw new BrokenPromise(`${id} is there already`);
  rows.set(id, row);
}

function existing<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new BrokenPromise("there is no such row");
  return row;
}

function text(cell: string | number | null | undefined): string {
  return String(cell);
}
