// Compares what the ledger holds, in memory and on disk, with the reference book.
import { drainMicrotasks } from "bun:jsc";
import { capsText } from "../../src/quota/cap.ts";
import { verify } from "../../src/quota/recover.ts";
import type { Row } from "../../src/store/store.ts";
import type { Book, Decision } from "./book.ts";
import type { Disk } from "./disk.ts";
import { must, mustEqual } from "./failure.ts";
import type { Machine } from "./machine.ts";

const entriesSql = `select id, kind, account_id as account, key_id as key, held_micros as held,
  micros, loss_micros as loss, caps from entry order by id`;
const holdsSql = `select id, account_id as account, key_id as key, micros, caps
  from hold order by id`;
const capsSql = "select id, held_micros as held, spent_micros as spent from cap order by id";
const accountsSql = `select account_id as id, granted_micros as granted, held_micros as held,
  spent_micros as spent, available_micros as available from ledger_account order by account_id`;
const keysSql = `select key_id as id, held_micros as held, spent_micros as spent
  from ledger_key order by key_id`;

/** Every balance in memory is exactly what the book says, whatever is still to be written. */
export function checkMemory(machine: Machine, book: Book): void {
  for (const { id, unlimited } of book.terms.accounts) {
    const balance = machine.accounts.get(id);
    if (!balance || balance.isForgotten) continue;
    const { grantedMicros, availableMicros, heldMicros, spentMicros } = balance;
    const { granted, held, spent } = book.sumsOfAccount(id);
    mustEqual(
      [grantedMicros, heldMicros, spentMicros, availableMicros],
      [granted, held, spent, granted - held - spent],
      `${id} in memory [granted, held, spent, available]`,
    );
    must(unlimited || availableMicros >= 0, () => `${id} is overdrawn`);
  }
  for (const { id, limit } of book.terms.keys) {
    const balance = machine.keys.get(id);
    if (!balance || balance.isForgotten) continue;
    const { heldMicros, spentMicros } = balance;
    const { held, spent } = book.sumsOfKey(id);
    mustEqual([heldMicros, spentMicros], [held, spent], `${id} in memory [held, spent]`);
    must(limit === null || spentMicros <= limit, () => `${id} spent more than its limit`);
  }
  for (const { id, mode, limit } of book.terms.caps) {
    const balance = machine.caps.get(id);
    if (!balance || balance.isForgotten) continue;
    const { heldMicros, spentMicros } = balance;
    const { held, spent } = book.sumsOfCap(id);
    mustEqual([heldMicros, spentMicros], [held, spent], `${id} in memory [held, spent]`);
    must(mode !== "hard" || held + spent <= limit, () => `${id} is past its limit`);
  }
}

/** The tables hold the book's holds, entries and sums: each once, and nothing else. */
export function checkDisk(disk: Disk, book: Book): void {
  mustEqual(rows(disk, entriesSql), named(book.entries.values()), "entries on disk");
  mustEqual(rows(disk, holdsSql), named(book.open.values()), "holds on disk");
  const accounts = book.terms.accounts.map(({ id }) => {
    const { granted, held, spent } = book.sumsOfAccount(id);
    return { id, granted, held, spent, available: granted - held - spent };
  });
  mustEqual(rows(disk, accountsSql), byId(accounts), "accounts on disk");
  const keys = book.terms.keys.map(({ id }) => {
    const { held, spent } = book.sumsOfKey(id);
    return { id, held, spent };
  });
  mustEqual(rows(disk, keysSql), byId(keys), "keys on disk");
  const caps = book.terms.caps.map(({ id }) => {
    const { held, spent } = book.sumsOfCap(id);
    return { id, held, spent };
  });
  // One that nothing was held under, or nothing that survived, has no row.
  const made = new Map(rows(disk, capsSql).map((row) => [row["id"], row]));
  const found = caps.map(({ id }) => made.get(id) ?? { id, held: 0, spent: 0 });
  mustEqual(found, caps, "caps on disk");
}

/** With the names of their caps as the tables have them. */
function named<Line extends { id: string; caps: readonly string[] }>(lines: Iterable<Line>) {
  return byId(lines).map((line) => ({ ...line, caps: capsText(line.caps.map((id) => ({ id }))) }));
}

const recordsSql = `select id, account_id as account, key_id as key, micros from usage_log
  where micros <> 0 order by id`;
const daySumsSql = `select account_id as account, key_id as key, sum(micros) as micros
  from usage_day group by 1, 2 order by 1, 2`;
const recordSumsSql = daySumsSql.replace("usage_day", "usage_log");

interface Logged {
  disk: Disk;
  book: Book;
  unlogged: Set<string>;
}

/** The log has each charge of the book once, and its sums are those of its rows. */
export function checkLog({ disk, book, unlogged }: Logged): void {
  const posts = postsOf(book).filter(({ id }) => !unlogged.has(id));
  mustEqual(logged(disk, recordsSql), byId(posts), "records in the log");
  mustEqual(logged(disk, daySumsSql), logged(disk, recordSumsSql), "sums in the log");
}

/** Records that a loss of power took before they could be synced are only in the ledger. */
export function excuseUnlogged({ disk, book, unlogged }: Logged): void {
  const found = new Set(logged(disk, recordsSql).map(({ id }) => id));
  for (const { id } of postsOf(book)) if (!found.has(id)) unlogged.add(id);
}

function postsOf(book: Book) {
  return [...book.entries.values()]
    .filter((entry) => entry.kind === "post" && entry.micros !== 0)
    .map(({ id, account, key, micros }) => ({ id, account, key, micros }));
}

function logged(disk: Disk, sql: string): Row[] {
  return disk.log.all({ sql, parameters: [] });
}

/** The product's own check must agree that the book is sound. */
export function checkInvariants(disk: Disk): void {
  const verifying = verify(async (statement) => disk.read(statement));
  drainMicrotasks();
  mustEqual(Bun.peek(verifying), [], "verify");
}

/** Tells of a decision whether the disk shows it. */
export function lookOnDisk(disk: Disk): (decision: Decision) => boolean {
  const kinds = new Map(rows(disk, entriesSql).map(({ id, kind }) => [id, kind]));
  const holds = new Set(rows(disk, holdsSql).map(({ id }) => id));
  return (decision) => {
    if (decision.kind !== "hold") return kinds.get(decision.id) === decision.kind;
    return holds.has(decision.hold.id) || kinds.has(decision.hold.id);
  };
}

function rows(disk: Disk, sql: string): Row[] {
  return disk.read({ sql, parameters: [] });
}

function byId<Item extends { id: string }>(items: Iterable<Item>): Item[] {
  return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
}
