// What the lines of one account come to, and its balance, all of one moment.
import { join } from "node:path";
import type { AccountSums } from "../../admin/ledger/needs.ts";
import { balanceOf, sumsOfAccount, sumsOfHolds } from "../../quota/history/queries.ts";
import { mainFile } from "../../store/sqlite/open.ts";
import type { Row } from "../../store/store.ts";
import { Book } from "./verify-books.ts";

/** Null of an account that has no balance. */
export async function readAccountSums(folder: string, id: string): Promise<AccountSums | null> {
  using book = new Book(join(folder, mainFile));
  return await book.still(async () => {
    const [balance] = await book.read(balanceOf(id));
    if (!balance) return null;
    const kinds = await book.read(sumsOfAccount(id));
    const [holds] = await book.read(sumsOfHolds(id));
    const of = (kind: string) => toSum(kinds.find((row) => row["kind"] === kind));
    return {
      isUnlimited: balance["unlimited"] === 1,
      grantedMicros: Number(balance["granted_micros"]),
      availableMicros: Number(balance["available_micros"]),
      heldMicros: Number(balance["held_micros"]),
      spentMicros: Number(balance["spent_micros"]),
      grants: of("grant"),
      posts: of("post"),
      voids: of("void"),
      holds: toSum(holds),
    };
  });
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
