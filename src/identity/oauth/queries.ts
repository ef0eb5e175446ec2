// Identities at providers in the database: which account each belongs to.
import type { AccountId, IdentityId, InvitationId, SessionId } from "../../core/ids.ts";
import { commitTogether, type CommitStep, type Database } from "../../store/database.ts";
import type { OAuthFlowTable, OAuthIdentityTable } from "../../store/people/oauth-schema.ts";
import type { AccountTable } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { useInvitation } from "../access/queries.ts";
import { roleColumnsOf } from "../roles/rights.ts";
import { insertsOfAccount, updatesOfAccount } from "../queries.ts";

export type IdentityRow = OAuthIdentityTable;
type IdentityKey = Pick<IdentityRow, "provider" | "issuer" | "subject">;

export async function findIdentity(
  database: Database,
  { provider, issuer, subject }: IdentityKey,
): Promise<IdentityRow | null> {
  const row = await database
    .selectFrom("oauth_identity")
    .selectAll()
    .where("provider", "=", provider)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row ?? null;
}

/** Oldest first. */
export async function readIdentities(
  database: Database,
  accountId: AccountId,
): Promise<IdentityRow[]> {
  return await database
    .selectFrom("oauth_identity")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at_ms")
    .orderBy("id")
    .execute();
}

export async function insertIdentity(database: Database, row: IdentityRow): Promise<void> {
  await insertOfIdentity(database, row).execute();
}

export function insertOfIdentity(database: Database, row: IdentityRow) {
  return database.insertInto("oauth_identity").values(row);
}

export async function touchIdentity(
  database: Database,
  id: IdentityId,
  changes: Pick<IdentityRow, "username" | "display_name" | "used_at_ms">,
): Promise<void> {
  await database.updateTable("oauth_identity").set(changes).where("id", "=", id).execute();
}

/** The role, who gave it, and the end of sessions that were opened with the one before. */
export async function updateGivenRole(
  store: Store,
  database: Database,
  { provider, accountId }: { provider: string; accountId: AccountId },
  role: string,
): Promise<void> {
  await commitTogether(store, [
    ...updatesOfAccount(database, accountId, roleColumnsOf(role)),
    database.deleteFrom("session").where("account_id", "=", accountId),
    database
      .updateTable("oauth_identity")
      .set({ given_role: role === "user" ? null : role })
      .where("provider", "=", provider)
      .where("account_id", "=", accountId),
  ]);
}

/** The account, its identity and the use of an invitation; a conflict when no use is left. */
export async function insertAccountOf(
  store: Store,
  database: Database,
  identity: IdentityRow,
  { account, invitationId }: { account: AccountTable; invitationId: InvitationId | null },
): Promise<void> {
  await commitTogether(store, [
    ...(invitationId === null ? [] : [useInvitation(database, invitationId)]),
    ...insertsOfAccount(database, account, false),
    database.insertInto("oauth_identity").values(identity),
  ]);
}

interface Dropped {
  /** Session that goes on. */
  kept: SessionId | null;
  /** Ends of what it gave. */
  steps: readonly CommitStep[];
}

/** With it go the account's sessions, apart from one: somebody may have come in by it. */
export async function deleteIdentity(
  store: Store,
  database: Database,
  { id, account_id: accountId }: IdentityRow,
  { kept, steps }: Dropped,
): Promise<void> {
  const sessions = database.deleteFrom("session").where("account_id", "=", accountId);
  await commitTogether(store, [
    database.deleteFrom("oauth_identity").where("id", "=", id),
    kept === null ? sessions : sessions.where("id", "!=", kept),
    ...steps,
  ]);
}

export type FlowRow = OAuthFlowTable;

/** Flows that are over go, and the oldest where there are too many. */
export async function insertFlow(
  store: Store,
  database: Database,
  row: FlowRow,
  { nowMs, flowsMax }: { nowMs: number; flowsMax: number },
): Promise<void> {
  const lastKept = database
    .selectFrom("oauth_flow")
    .select("ends_at_ms")
    .orderBy("ends_at_ms", "desc")
    .limit(1)
    .offset(flowsMax);
  await commitTogether(store, [
    database.deleteFrom("oauth_flow").where("ends_at_ms", "<=", nowMs),
    database.insertInto("oauth_flow").values(row),
    database.deleteFrom("oauth_flow").where("ends_at_ms", "<=", lastKept),
  ]);
}

export async function isBrowserKnown(
  database: Database,
  browserHash: string,
  nowMs: number,
): Promise<boolean> {
  const row = await database
    .selectFrom("oauth_flow")
    .select("state_hash")
    .where("browser_hash", "=", browserHash)
    .where("ends_at_ms", ">", nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface FlowKey {
  stateHash: string;
  browserHash: string;
  nowMs: number;
}

/** Says the provider, unless another one was said before. */
export async function bindFlow(
  database: Database,
  { stateHash, browserHash, nowMs }: FlowKey,
  provider: string,
): Promise<FlowRow | null> {
  const row = await database
    .updateTable("oauth_flow")
    .set({ provider })
    .where("state_hash", "=", stateHash)
    .where("browser_hash", "=", browserHash)
    .where("ends_at_ms", ">", nowMs)
    .where((where) => where.or([where("provider", "is", null), where("provider", "=", provider)]))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Deleting the row takes it: no second one can, on whichever node. */
export async function takeFlow(
  database: Database,
  { stateHash, browserHash, nowMs }: FlowKey,
): Promise<FlowRow | null> {
  const row = await database
    .deleteFrom("oauth_flow")
    .where("state_hash", "=", stateHash)
    .where("browser_hash", "=", browserHash)
    .where("ends_at_ms", ">", nowMs)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteFlowsOf(database: Database, browserHash: string): Promise<void> {
  await database.deleteFrom("oauth_flow").where("browser_hash", "=", browserHash).execute();
}
