// The outbox in the database.
import type { Database } from "../store/database.ts";
import type { MailTable } from "../store/tables/mail-schema.ts";

export type MailRow = MailTable;

export function insertOfMail(database: Database, row: MailRow) {
  return database.insertInto("mail").values(row);
}

/** Letters of these kinds to one box that were put into the outbox since then. */
export async function countToBox(
  database: Database,
  { boxDigest, kinds, sinceMs }: { boxDigest: string; kinds: readonly string[]; sinceMs: number },
): Promise<number> {
  const row = await database
    .selectFrom("mail")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("recipient_key", "=", boxDigest)
    .where("kind", "in", kinds)
    .where("at_ms", ">", sinceMs)
    .executeTakeFirst();
  return row?.total ?? 0;
}

export async function countSent(database: Database, sinceMs: number): Promise<number> {
  const row = await database
    .selectFrom("mail")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("sent_at_ms", ">", sinceMs)
    .executeTakeFirst();
  return row?.total ?? 0;
}

/** Those that have waited longest first. */
export async function readDueMail(
  database: Database,
  { nowMs, most }: { nowMs: number; most: number },
): Promise<MailRow[]> {
  return await database
    .selectFrom("mail")
    .selectAll()
    .where("next_at_ms", "<=", nowMs)
    .orderBy("next_at_ms")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** One more try; false where another node has begun it. */
export async function claimMail(
  database: Database,
  { id, tries }: Pick<MailRow, "id" | "tries">,
  untilMs: number,
): Promise<boolean> {
  const row = await database
    .updateTable("mail")
    .set({ state: "sending", tries: tries + 1, next_at_ms: untilMs })
    .where("id", "=", id)
    .where("tries", "=", tries)
    .where("next_at_ms", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Outcome of the try of this number: whoever has begun another one since has the last word. */
export async function saveMailTry(
  database: Database,
  { id, tries }: Pick<MailRow, "id" | "tries">,
  outcome: Partial<MailRow>,
): Promise<void> {
  await database
    .updateTable("mail")
    .set(outcome)
    .where("id", "=", id)
    .where("tries", "=", tries)
    .execute();
}

export async function forgetMail(database: Database, beforeMs: number): Promise<void> {
  await database
    .deleteFrom("mail")
    .where("at_ms", "<", beforeMs)
    .where("next_at_ms", "is", null)
    .execute();
}
