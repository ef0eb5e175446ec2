// Second factors in the database. What uses one up demands that it changes a row, so that of many
// at once one gets through.
import type { AccountId, PasskeyId, SessionId } from "../../core/ids.ts";
import { commitTogether, type CommitStep, type Database } from "../../store/database.ts";
import type {
  PasskeyTable,
  SignInLinkTable,
  SpentTicketTable,
  TotpTable,
} from "../../store/people/people-schema.ts";
import type { Store } from "../../store/store.ts";

export type PasskeyRow = PasskeyTable;
export type TotpRow = TotpTable;

/** Queries that belong together, with how many rows each must change where that matters. */
export type FactorStep = CommitStep;

export interface FactorRows {
  /** Also one that was never confirmed. */
  totp: TotpRow | null;
  passkeys: PasskeyRow[];
  recoveryCodes: number;
}

export async function readFactorRows(
  database: Database,
  accountId: AccountId,
): Promise<FactorRows> {
  const totp = await database
    .selectFrom("totp")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const passkeys = await database
    .selectFrom("passkey")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  const counted = await database
    .selectFrom("recovery_code")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return { totp: totp ?? null, passkeys, recoveryCodes: counted?.total ?? 0 };
}

export async function findPasskey(
  database: Database,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const row = await database
    .selectFrom("passkey")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** One that was begun before and never confirmed is replaced; a confirmed one is not touched. */
export async function beginTotp(database: Database, row: TotpRow): Promise<boolean> {
  const { account_id: _id, ...changes } = row;
  const rows = await database
    .insertInto("totp")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet(changes).where("totp.confirmed_at_ms", "is", null),
    )
    .returning("account_id")
    .execute();
  return rows.length > 0;
}

export function insertOfTotp(database: Database, row: TotpRow): FactorStep {
  return database.insertInto("totp").values(row);
}

export function confirmOfTotp(
  database: Database,
  row: TotpRow,
  nowMs: number,
  step: number,
): FactorStep {
  const query = database
    .updateTable("totp")
    .set({ confirmed_at_ms: nowMs, last_step: step })
    .where("account_id", "=", row.account_id)
    .where("sealed", "=", row.sealed)
    .where("confirmed_at_ms", "is", null);
  return { query, changes: 1 };
}

export function useOfTotp(database: Database, accountId: AccountId, step: number): FactorStep {
  const query = database
    .updateTable("totp")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .where("confirmed_at_ms", "is not", null)
    .where("last_step", "<", step);
  return { query, changes: 1 };
}

export function useOfRecoveryCode(
  database: Database,
  accountId: AccountId,
  hash: string,
): FactorStep {
  const query = database
    .deleteFrom("recovery_code")
    .where("account_id", "=", accountId)
    .where("hash", "=", hash);
  return { query, changes: 1 };
}

/** A counter that went on meanwhile is a key that was used twice at once. */
export function useOfPasskey(
  database: Database,
  before: PasskeyRow,
  used: { counter: number; nowMs: number },
): FactorStep {
  const query = database
    .updateTable("passkey")
    .set({ counter: used.counter, used_at_ms: used.nowMs })
    .where("id", "=", before.id)
    .where("counter", "=", before.counter);
  return { query, changes: 1 };
}

export function insertOfPasskey(database: Database, row: PasskeyRow): FactorStep {
  return database.insertInto("passkey").values(row);
}

export function deleteOfTotp(database: Database, accountId: AccountId): FactorStep {
  const query = database.deleteFrom("totp").where("account_id", "=", accountId);
  return { query, changes: 1 };
}

export function deleteOfPasskey(
  database: Database,
  accountId: AccountId,
  id: PasskeyId,
): FactorStep {
  const query = database
    .deleteFrom("passkey")
    .where("account_id", "=", accountId)
    .where("id", "=", id);
  return { query, changes: 1 };
}

/** All that were there before are gone. */
export function stepsOfRecoveryCodes(
  database: Database,
  accountId: AccountId,
  hashes: readonly string[],
): FactorStep[] {
  return [
    database.deleteFrom("recovery_code").where("account_id", "=", accountId),
    ...hashes.map((hash) =>
      database.insertInto("recovery_code").values({ hash, account_id: accountId }),
    ),
  ];
}

export function deletesOfFactors(database: Database, accountId: AccountId): FactorStep[] {
  return [
    database.deleteFrom("totp").where("account_id", "=", accountId),
    database.deleteFrom("passkey").where("account_id", "=", accountId),
    database.deleteFrom("recovery_code").where("account_id", "=", accountId),
    database.deleteFrom("session").where("account_id", "=", accountId),
  ];
}

export function deletesOfSessions(database: Database, accountId: AccountId): FactorStep {
  return database.deleteFrom("session").where("account_id", "=", accountId);
}

export function deleteOfOtherSessions(
  database: Database,
  accountId: AccountId,
  kept: SessionId,
): FactorStep {
  return database.deleteFrom("session").where("account_id", "=", accountId).where("id", "!=", kept);
}

/** A second one of the same ticket breaks the whole commit. */
export function spendOfTicket(database: Database, row: SpentTicketTable): FactorStep {
  return database.insertInto("spent_ticket").values(row);
}

export async function insertLink(database: Database, row: SignInLinkTable): Promise<void> {
  await database.insertInto("sign_in_link").values(row).execute();
}

export async function findLink(database: Database, hash: string): Promise<SignInLinkTable | null> {
  const row = await database
    .selectFrom("sign_in_link")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

/** Spend the link: of many who come with it at once, one gets through. */
export function spendOfLink(database: Database, hash: string): FactorStep {
  return { query: database.deleteFrom("sign_in_link").where("hash", "=", hash), changes: 1 };
}

export async function commitSteps(store: Store, steps: readonly FactorStep[]): Promise<void> {
  await commitTogether(store, steps);
}

/** Tickets and links that are over need not be remembered. */
export async function deleteOver(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("spent_ticket").where("expires_at_ms", "<", beforeMs).execute();
  await database.deleteFrom("sign_in_link").where("expires_at_ms", "<", beforeMs).execute();
}
