// What the lines of one account come to, and its balance, all of one moment.
import { join } from "node:path";
import type { AccountSums } from "../../admin/ledger/needs.ts";
import { balanceOf, sumsOfAccount, sumsOfHolds } from "../../quota/history/queries.ts";
import { mainFile } from "../../store/sqlite/open.ts";
import { readStill } from "../../store/postgres/read-still.ts";
import type { Row, Store } from "../../store/store.ts";
import { Book, type BooksSource } from "./verify-books.ts";

/** Null of an account that has no balance. */
export async function readAccountSums(
  { databaseUrl, dataFolder }: BooksSource,
  id: string,
): Promise<AccountSums | null> {
  if (databaseUrl !== null) {
    // Each has one parameter, which PostgreSQL knows by its number.
    return await readStill(databaseUrl, (read) =>
      sumUp(({ sql, parameters }) => read({ sql: sql.replace("?", "$1"), parameters }), id),
    );
  }
  using book = new Book(join(dataFolder, mainFile));
  return await book.still(() => sumUp(book.read, id));
}

async function sumUp(read: Store["read"], id: string): Promise<AccountSums | null> {
  const [balance] = await read(balanceOf(id));
  if (!balance) return null;
  const kinds = await read(sumsOfAccount(id));
  const [holds] = await read(sumsOfHolds(id));
  const of = (kind: string) => toSum(kinds.find((row) => row["kind"] === kind));
  return {
    isUnlimited: Number(balance["unlimited"]) === 1,
    grantedMicros: Number(balance["granted_micros"]),
    availableMicros: Number(balance["available_micros"]),
    heldMicros: Number(balance["held_micros"]),
    spentMicros: Number(balance["spent_micros"]),
    grants: of("grant"),
    posts: of("post"),
    voids: of("void"),
    holds: toSum(holds),
  };
}

function toSum(row: Row | undefined): AccountSums["grants"] {
  const value = (name: string) => Number(row?.[name] ?? 0);
  return {
    count: value("count"),
    micros: value("micros"),
    heldMicros: value("held_micros"),
    lossMicros: value("loss_micros"),
  };
}
