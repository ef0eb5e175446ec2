// Addresses of people and the tokens that went out to them, in the database.
import type { AccountId } from "../../core/ids.ts";
import type { CommitStep, Database } from "../../store/database.ts";
import type { AccountEmailTable, MailTokenTable } from "../../store/tables/mail-schema.ts";
import type { AccountTable } from "../../store/schema.ts";

export type EmailRow = AccountEmailTable;
export type MailTokenRow = MailTokenTable;

export async function findEmail(database: Database, id: AccountId): Promise<EmailRow | null> {
  const row = await database
    .selectFrom("account_email")
    .selectAll()
    .where("account_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function readEmails(
  database: Database,
  ids: readonly AccountId[],
): Promise<Map<AccountId, EmailRow>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("account_email")
    .selectAll()
    .where("account_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** Account that has proven the address; `key` is its comparable form. */
export async function findAccountByEmail(
  database: Database,
  key: string,
): Promise<AccountTable | null> {
  const row = await database
    .selectFrom("account")
    .innerJoin("account_email", "account_email.account_id", "account.id")
    .selectAll("account")
    .where("account_email.proven_key", "=", key)
    .where("account.deleted_at_ms", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Address that waits for its proof; one that is proven stays until then. */
export function upsertOfPending(
  database: Database,
  accountId: AccountId,
  pending: string,
): CommitStep {
  const row = {
    account_id: accountId,
    address: null,
    proven_key: null,
    proven_at_ms: null,
    pending,
  };
  return database
    .insertInto("account_email")
    .values(row)
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ pending }));
}

/** Only while it is what the account waits for. */
export function proofOfAddress(
  database: Database,
  { account_id, address, proven_key, proven_at_ms }: Omit<EmailRow, "pending">,
): CommitStep {
  const query = database
    .updateTable("account_email")
    .set({ address, proven_key, proven_at_ms, pending: null })
    .where("account_id", "=", account_id)
    .where("pending", "=", address);
  return { query, changes: 1 };
}

export function deleteOfEmail(database: Database, accountId: AccountId): CommitStep {
  const query = database.deleteFrom("account_email").where("account_id", "=", accountId);
  return { query, changes: 1 };
}

export function insertOfToken(database: Database, row: MailTokenRow): CommitStep {
  return database.insertInto("mail_token").values(row);
}

/** A kind of token that is asked for anew ends the ones before it. */
export function deletesOfTokens(
  database: Database,
  accountId: AccountId,
  kind: MailTokenRow["kind"],
): CommitStep {
  return database
    .deleteFrom("mail_token")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind);
}

export async function findMailToken(
  database: Database,
  hash: string,
): Promise<MailTokenRow | null> {
  const row = await database
    .selectFrom("mail_token")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

/** One gets through of many who come with it at once. */
export function spendOfToken(database: Database, hash: string): CommitStep {
  return { query: database.deleteFrom("mail_token").where("hash", "=", hash), changes: 1 };
}

export async function deleteOldTokens(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("mail_token").where("expires_at_ms", "<", beforeMs).execute();
}

/** The account that an address was credited for: this one, unless another was before it. */
export async function claimCredit(
  database: Database,
  mark: string,
  accountId: AccountId,
): Promise<AccountId> {
  await database
    .insertInto("credited_address")
    .values({ mark, account_id: accountId })
    .onConflict((conflict) => conflict.column("mark").doNothing())
    .execute();
  const row = await database
    .selectFrom("credited_address")
    .select("account_id")
    .where("mark", "=", mark)
    .executeTakeFirst();
  return row?.account_id ?? accountId;
}
