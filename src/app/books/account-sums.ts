// Sums of one account's lines, and its balance, all of one moment. Lines are never changed or taken
// away, so the sums of old ones are known from the last time.
import { join } from "node:path";
import type { AccountSums, EntrySum } from "../../admin/ledger/needs.ts";
import { systemClock } from "../../core/clock.ts";
import { balanceOf, sumsOfAccount, sumsOfHolds } from "../../quota/history/queries.ts";
import { mainFile } from "../../store/sqlite/open.ts";
import { readStill } from "../../store/postgres/read-still.ts";
import type { Row, Store } from "../../store/store.ts";
import { Book, type BooksSource } from "./verify-books.ts";

type KindSums = Record<"grant" | "post" | "void", EntrySum>;

/** Sums of all lines before a moment. */
export interface OldSums {
  untilMs: number;
  kinds: KindSums;
}

interface ReadSums {
  sums: AccountSums;
  old: OldSums;
}

/** No commit takes so long that a line of it is older than this when it can be read. */
const settledMs = 3_600_000;

/** Null of an account that has no balance. */
export async function readAccountSums(
  { databaseUrl, dataFolder }: BooksSource,
  id: string,
  known: OldSums | null,
): Promise<ReadSums | null> {
  if (databaseUrl !== null) {
    return await readStill(databaseUrl, (read) =>
      sumUp(({ sql, parameters }) => read({ sql: numbered(sql), parameters }), id, known),
    );
  }
  using book = new Book(join(dataFolder, mainFile));
  return await book.still(() => sumUp(book.read, id, known));
}

/** PostgreSQL knows parameters by their numbers. */
function numbered(sql: string): string {
  let number = 0;
  return sql.replaceAll("?", () => `$${++number}`);
}

async function sumUp(
  read: Store["read"],
  id: string,
  known: OldSums | null,
): Promise<ReadSums | null> {
  const [balance] = await read(balanceOf(id));
  if (!balance) return null;
  const untilMs = systemClock.nowMs() - settledMs;
  const sumKinds = async (fromMs: number, toMs: number) =>
    toKinds(await read(sumsOfAccount(id, { fromMs, toMs })));
  const isKnown = known !== null && known.untilMs <= untilMs;
  const since = await sumKinds(isKnown ? known.untilMs : 0, untilMs);
  const kinds = isKnown ? addKinds(known.kinds, since) : since;
  const {
    grant,
    post,
    void: voids,
  } = addKinds(kinds, await sumKinds(untilMs, Number.MAX_SAFE_INTEGER));
  const [holds] = await read(sumsOfHolds(id));
  const sums = {
    isUnlimited: Number(balance["unlimited"]) === 1,
    grantedMicros: Number(balance["granted_micros"]),
    availableMicros: Number(balance["available_micros"]),
    heldMicros: Number(balance["held_micros"]),
    spentMicros: Number(balance["spent_micros"]),
    grants: grant,
    posts: post,
    voids,
    holds: toSum(holds),
  };
  return { sums, old: { untilMs, kinds } };
}

function toKinds(rows: readonly Row[]): KindSums {
  const of = (kind: string) => toSum(rows.find((row) => row["kind"] === kind));
  return { grant: of("grant"), post: of("post"), void: of("void") };
}

function addKinds(one: KindSums, other: KindSums): KindSums {
  const add = (kind: keyof KindSums): EntrySum => ({
    count: one[kind].count + other[kind].count,
    micros: one[kind].micros + other[kind].micros,
    heldMicros: one[kind].heldMicros + other[kind].heldMicros,
    lossMicros: one[kind].lossMicros + other[kind].lossMicros,
  });
  return { grant: add("grant"), post: add("post"), void: add("void") };
}

function toSum(row: Row | undefined): EntrySum {
  const value = (name: string) => Number(row?.[name] ?? 0);
  return {
    count: value("count"),
    micros: value("micros"),
    heldMicros: value("held_micros"),
    lossMicros: value("loss_micros"),
  };
}
