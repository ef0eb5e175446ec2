// Sessions, access tokens and invitations in the database: how one gets in other than by API key.
import type { AccountId, InvitationId, SessionId, TokenId } from "../../core/ids.ts";
import { beginsWith } from "../../store/begins-with.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type {
  AccessTokenTable,
  InvitationTable,
  SessionTable,
} from "../../store/people/access-schema.ts";
import type { AccountTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import type { Store } from "../../store/store.ts";
import { insertsOfAccount, updatesOfAccount } from "../queries.ts";

export type AccessTokenRow = AccessTokenTable;
export type InvitationRow = InvitationTable;
export type SessionRow = SessionTable;

type OwnedSession = SessionRow & Pick<AccountTable, "username" | "role" | "staff_role" | "status">;

export async function findSession(database: Database, hash: string): Promise<OwnedSession | null> {
  const row = await database
    .selectFrom("session")
    .innerJoin("account", "account.id", "session.account_id")
    .selectAll("session")
    .select(["username", "role", "staff_role", "status"])
    .where("session.hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function findSessionById(
  database: Database,
  id: SessionId,
): Promise<SessionRow | null> {
  const row = await database
    .selectFrom("session")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function readSessions(
  database: Database,
  accountId: AccountId,
): Promise<SessionRow[]> {
  return await database
    .selectFrom("session")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at_ms", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** The new session, with those gone that it takes the place of. */
export async function insertSession(
  store: Store,
  database: Database,
  row: SessionRow,
  replaced: readonly SessionId[],
): Promise<void> {
  await commitTogether(store, [
    ...(replaced.length > 0 ? [database.deleteFrom("session").where("id", "in", replaced)] : []),
    database.insertInto("session").values(row),
  ]);
}

export async function touchSession(
  database: Database,
  id: SessionId,
  seenAtMs: number,
): Promise<void> {
  await database
    .updateTable("session")
    .set({ seen_at_ms: seenAtMs })
    .where("id", "=", id)
    .execute();
}

/** True when it was there. */
export async function deleteSession(
  database: Database,
  accountId: AccountId,
  id: SessionId,
): Promise<boolean> {
  const rows = await database
    .deleteFrom("session")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning("id")
    .execute();
  return rows.length > 0;
}

/** One of the account's, or all of them. */
export async function deleteSessions(
  database: Database,
  accountId: AccountId,
  id: SessionId | null,
): Promise<void> {
  const all = database.deleteFrom("session").where("account_id", "=", accountId);
  await (id === null ? all : all.where("id", "=", id)).execute();
}

/** Sessions last used, or opened, before these moments. */
export async function deleteOldSessions(
  database: Database,
  before: { seenAtMs: number; createdAtMs: number },
): Promise<void> {
  await database
    .deleteFrom("session")
    .where((row) =>
      row.or([
        row("seen_at_ms", "<=", before.seenAtMs),
        row("created_at_ms", "<=", before.createdAtMs),
      ]),
    )
    .execute();
}

/** Changes an account and ends its sessions, both or neither. */
export async function updateAccountAndEndSessions(
  store: Store,
  database: Database,
  id: AccountId,
  changes: Partial<Omit<AccountTable, "id">>,
): Promise<void> {
  await commitTogether(store, [
    ...updatesOfAccount(database, id, changes),
    database.deleteFrom("session").where("account_id", "=", id),
  ]);
}

export async function findToken(database: Database, hash: string): Promise<AccessTokenRow | null> {
  const row = await database
    .selectFrom("access_token")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertToken(database: Database, row: AccessTokenRow): Promise<void> {
  await database
    .insertInto("access_token")
    .values(row)
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

/** The only token of its account and name from now on. */
export async function replaceToken(
  store: Store,
  database: Database,
  row: AccessTokenRow,
): Promise<void> {
  await commitTogether(store, [
    database
      .deleteFrom("access_token")
      .where("account_id", "=", row.account_id)
      .where("name", "=", row.name),
    database.insertInto("access_token").values(row),
  ]);
}

/** Owner of tokens: of all that a person has, or those that act in one organisation. */
export interface TokenOwner {
  accountId: AccountId;
  organisationId?: AccountId;
}

/** Newest first. */
export async function listTokens(
  database: Database,
  { accountId, organisationId }: TokenOwner,
  page: Page,
): Promise<PageOfRows<AccessTokenRow>> {
  let matching = database.selectFrom("access_token").where("account_id", "=", accountId);
  if (organisationId !== undefined) {
    matching = matching.where("organisation_id", "=", organisationId);
  }
  const rows = matching.selectAll().orderBy("created_at_ms", "desc").orderBy("id", "desc");
  return await selectPage(rows, matching, page);
}

/** A conflict when the account has no such token. */
export async function deleteToken(
  store: Store,
  database: Database,
  { accountId, organisationId }: TokenOwner,
  id: TokenId,
): Promise<void> {
  let query = database
    .deleteFrom("access_token")
    .where("id", "=", id)
    .where("account_id", "=", accountId);
  if (organisationId !== undefined) query = query.where("organisation_id", "=", organisationId);
  await commitTogether(store, [{ query, changes: 1 }]);
}

/** Returns how many there were. */
export async function deleteTokens(database: Database, accountId: AccountId): Promise<number> {
  const rows = await database
    .deleteFrom("access_token")
    .where("account_id", "=", accountId)
    .returning("id")
    .execute();
  return rows.length;
}

export async function insertInvitation(database: Database, row: InvitationRow): Promise<void> {
  await database.insertInto("invitation").values(row).execute();
}

export async function findInvitation(
  database: Database,
  hash: string,
): Promise<InvitationRow | null> {
  const row = await database
    .selectFrom("invitation")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

interface InvitationFilter {
  /** Into this organisation; null: to an account of one's own. */
  organisationId: AccountId | null;
  /** Beginning of its note. */
  prefix?: string;
  status?: "open" | "expired" | "used";
  /** Moment that decides what has expired. */
  nowMs: number;
}

/** Newest first. */
export async function listInvitations(
  database: Database,
  filter: InvitationFilter,
  page: Page,
): Promise<PageOfRows<InvitationRow>> {
  const matching = selectInvitations(database, filter);
  const rows = matching.selectAll().orderBy("created_at_ms", "desc").orderBy("id", "desc");
  return await selectPage(rows, matching, page);
}

function selectInvitations(database: Database, filter: InvitationFilter) {
  const { organisationId, prefix, status, nowMs } = filter;
  let matching = database
    .selectFrom("invitation")
    .where("organisation_id", "is not distinct from", organisationId);
  if (prefix !== undefined) matching = matching.where(beginsWith("note", prefix));
  if (status === undefined) return matching;
  if (status === "used") return matching.whereRef("uses", ">=", "uses_max");
  matching = matching.whereRef("uses", "<", "uses_max");
  if (status === "expired") return matching.where("expires_at_ms", "<=", nowMs);
  return matching.where((row) =>
    row.or([row("expires_at_ms", "is", null), row("expires_at_ms", ">", nowMs)]),
  );
}

/** A conflict when it is not there. */
export async function deleteInvitation(
  store: Store,
  database: Database,
  { id, organisationId }: { id: InvitationId; organisationId: AccountId | null },
): Promise<void> {
  const query = database
    .deleteFrom("invitation")
    .where("id", "=", id)
    .where("organisation_id", "is not distinct from", organisationId);
  await commitTogether(store, [{ query, changes: 1 }]);
}

/** The account and one use of its invitation; a conflict when no use is left. */
export async function insertInvitedAccount(
  store: Store,
  database: Database,
  row: AccountTable,
  invitationId: InvitationId,
): Promise<void> {
  await commitTogether(store, [
    useInvitation(database, invitationId),
    ...insertsOfAccount(database, row, false),
  ]);
}

/** For a commit that fails with a conflict when no use is left. */
export function useInvitation(database: Database, id: InvitationId) {
  const query = database
    .updateTable("invitation")
    .set((invitation) => ({ uses: invitation("uses", "+", 1) }))
    .where("id", "=", id)
    .whereRef("uses", "<", "uses_max");
  return { query, changes: 1 };
}

/** Sealed text that the secret of all nodes opens. */
export async function findCanary(database: Database, name: string): Promise<string | null> {
  const rows = database.selectFrom("canary").select("sealed").where("name", "=", name);
  return (await rows.executeTakeFirst())?.sealed ?? null;
}

export async function insertCanary(
  database: Database,
  name: string,
  sealed: string,
): Promise<void> {
  await database.insertInto("canary").values({ name, sealed }).execute();
}

export async function deleteCanary(database: Database, name: string): Promise<void> {
  await database.deleteFrom("canary").where("name", "=", name).execute();
}
