// Kept answers in the database. Those that are made are written with their charge, by the step
// here; a claim on one that is being made is written before, where nodes share the database.
import { sql } from "kysely";
import type { Database } from "../../../store/database.ts";
import type { KeptAnswerTable } from "../../../store/schema.ts";
import { TableStep } from "../../../store/step.ts";

export type KeptAnswerRow = KeptAnswerTable;

/** Whoever writes it had the claim. */
export const keptAnswerStep = new TableStep({
  list: "keptAnswers",
  table: "kept_answer",
  cells: (row) => [
    row.id,
    row.account_id,
    row.body_digest,
    row.request_id,
    row.claimed_by,
    row.bytes,
    row.created_at_ms,
    row.sealed,
  ],
  action: { kind: "replace", key: ["id"] },
});

export async function findAnswer(database: Database, id: string): Promise<KeptAnswerRow | null> {
  const answers = database.selectFrom("kept_answer").selectAll().where("id", "=", id);
  return (await answers.executeTakeFirst()) ?? null;
}

/**
 * False where another one stands: an answer that was made since, or the claim of a node that lives.
 * The claim of a dead one is free; its charge can come no more, because it is fenced.
 */
export async function claimAnswer(
  database: Database,
  { id, ...claim }: KeptAnswerRow,
  expiredMs: number,
): Promise<boolean> {
  const isOver = sql<boolean>`case when kept_answer.claimed_by is null
    then kept_answer.created_at_ms <= ${expiredMs}
    else kept_answer.claimed_by = ${claim.claimed_by} or not exists (select from node
      where node.id = kept_answer.claimed_by and node.state = 'live') end`;
  const row = await database
    .insertInto("kept_answer")
    .values({ id, ...claim })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(claim).where(isOver))
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Its answer came to nothing that could be given again. */
export async function releaseAnswer(
  database: Database,
  { id, request_id }: Pick<KeptAnswerRow, "id" | "request_id">,
): Promise<void> {
  await database
    .deleteFrom("kept_answer")
    .where("id", "=", id)
    .where("request_id", "=", request_id)
    .where("claimed_by", "is not", null)
    .execute();
}

export async function deleteAnswers(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("kept_answer").where("created_at_ms", "<", beforeMs).execute();
}

/** Takes the text from the oldest of each account that has more than its part. */
export async function emptyAnswers(database: Database, accountBytesMax: number): Promise<void> {
  const counted = database
    .selectFrom("kept_answer")
    .select("id")
    .select(
      sql<number>`sum(bytes) over (partition by account_id order by created_at_ms desc, id)`.as(
        "kept_bytes",
      ),
    )
    .where("sealed", "is not", null)
    .as("counted");
  const past = database.selectFrom(counted).select("id").where("kept_bytes", ">", accountBytesMax);
  await database
    .updateTable("kept_answer")
    .set({ sealed: null, bytes: 0 })
    .where("id", "in", past)
    .execute();
}
