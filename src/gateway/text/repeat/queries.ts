// Kept answers in the database. Those that are made are written with their charge, by the step
// here; a claim on one that is being made is written before, where nodes share the database.
import { sql } from "kysely";
import type { AccountId } from "../../../core/ids.ts";
import type { Database } from "../../../store/database.ts";
import type { KeptAnswerTable } from "../../../store/schema.ts";
import { TableStep } from "../../../store/step.ts";

export type KeptAnswerRow = KeptAnswerTable;

/** Step of whoever had the claim. */
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

/** Member whose key the charge of an answer is of; null where it is nobody's, or gone. */
export async function findMaker(database: Database, requestId: string): Promise<AccountId | null> {
  const maker = await database
    .selectFrom("entry")
    .innerJoin("api_key", "api_key.id", "entry.key_id")
    .select("api_key.maker_id")
    .where("entry.id", "=", requestId)
    .executeTakeFirst();
  return maker?.maker_id ?? null;
}

interface AnswerClaim {
  row: KeptAnswerRow;
  /** Answers that were made until then are free. */
  expiredMs: number;
  /** Nodes whose claims mean nothing. */
  over: readonly string[];
}

/** False where another one stands: an answer that was made since, or the claim of a node. */
export async function claimAnswer(database: Database, claim: AnswerClaim): Promise<boolean> {
  const { row, expiredMs, over } = claim;
  const { id: _id, ...changes } = row;
  const mine = await database
    .insertInto("kept_answer")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(changes)
        .where((at) =>
          at.or([
            at("kept_answer.claimed_by", "in", over),
            at.and([
              at("kept_answer.claimed_by", "is", null),
              at("kept_answer.created_at_ms", "<=", expiredMs),
            ]),
          ]),
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return mine !== undefined;
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
