// All that is somebody's own in the main database, gone in one commit. What the ledger and the
// audit log say happened stays, without who it was.
import type { AccountId } from "../../core/ids.ts";
import { erasedKeyColumns } from "../../identity/keys/queries.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import { deletesOfCaptured } from "../../observe/capture/queries.ts";
import type { Store } from "../../store/store.ts";

interface Leaving {
  accountId: AccountId;
  /** The account's name from now on. */
  name: string;
  nowMs: number;
  /** Entries of the ledger that name the account as whoever booked them. */
  booked: readonly string[];
}

/** The credits that the account booked, by what the audit log says of each. */
export async function readBooked(database: Database, accountId: AccountId): Promise<string[]> {
  const rows = await database
    .selectFrom("audit_entry")
    .select("changes")
    .where("actor_id", "=", accountId)
    .where("action", "=", "user.credit")
    .execute();
  return rows.flatMap(({ changes }): string[] => {
    const { entry } = JSON.parse(changes) as { entry?: unknown };
    return typeof entry === "string" ? [entry] : [];
  });
}

/** Tasks of the account that are still under way. */
export async function countOpenTasks(database: Database, accountId: AccountId): Promise<number> {
  const row = await database
    .selectFrom("task")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where("state", "not in", ["completed", "failed"])
    .executeTakeFirst();
  return row?.total ?? 0;
}

export async function eraseAccount(
  store: Store,
  database: Database,
  leaving: Leaving,
): Promise<void> {
  await commitTogether(store, [
    ...updatesOfRecords(database, leaving),
    ...deletesOfOwn(database, leaving),
    ...changesOfSeats(database, leaving),
    ...updatesOfRows(database, leaving),
  ]);
}

/** Before the keys lose their rows' names: by them their entries are found. */
function updatesOfRecords(database: Database, { accountId, booked }: Leaving) {
  const keys = database.selectFrom("api_key").select("id").where("account_id", "=", accountId);
  const tokens = database
    .selectFrom("access_token")
    .select("id")
    .where("account_id", "=", accountId);
  // The database lets a row be emptied once, and refuses what changes nothing.
  const entries = database
    .updateTable("audit_entry")
    .set({ changes: "{}" })
    .where("changes", "<>", "{}");
  const booker = database.updateTable("entry").set({ actor: null }).where("actor", "is not", null);
  return [
    database
      .updateTable("audit_entry")
      .set({ actor_name: null, ip: null, changes: "{}" })
      .where("actor_id", "=", accountId)
      .where((row) => row.or([row("actor_name", "is not", null), row("ip", "is not", null)])),
    entries.where("target_id", "=", accountId),
    entries.where("target_id", "in", keys),
    entries.where("target_id", "in", tokens),
    entries.where("target_id", "in", budgetsOf(database, accountId)),
    booker
      .where("account_id", "=", accountId)
      .where("kind", "=", "grant")
      .where("id", "like", "redemption%"),
    ...chunks(booked).map((ids) => booker.where("id", "in", ids)),
  ];
}

function budgetsOf(database: Database, accountId: AccountId) {
  return database.selectFrom("budget").select("id").where("account_id", "=", accountId);
}

function deletesOfOwn(database: Database, { accountId }: Leaving) {
  const tasks = database.selectFrom("task").select("id").where("account_id", "=", accountId);
  const notices = database.selectFrom("notice").select("id").where("account_id", "=", accountId);
  return [
    database.deleteFrom("session").where("account_id", "=", accountId),
    database.deleteFrom("oauth_flow").where("account_id", "=", accountId),
    database.deleteFrom("sign_in_link").where("account_id", "=", accountId),
    database.deleteFrom("account_email").where("account_id", "=", accountId),
    database.deleteFrom("mail_token").where("account_id", "=", accountId),
    database.deleteFrom("mail").where("account_id", "=", accountId),
    database.deleteFrom("profile").where("account_id", "=", accountId),
    database.deleteFrom("access_token").where("account_id", "=", accountId),
    database.deleteFrom("oauth_identity").where("account_id", "=", accountId),
    database.deleteFrom("totp").where("account_id", "=", accountId),
    database.deleteFrom("passkey").where("account_id", "=", accountId),
    database.deleteFrom("recovery_code").where("account_id", "=", accountId),
    database.deleteFrom("webhook_secret").where("account_id", "=", accountId),
    database.deleteFrom("webhook_delivery").where("task_id", "in", tasks),
    database.deleteFrom("notice_delivery").where("notice_id", "in", notices),
    database.deleteFrom("notice").where("account_id", "=", accountId),
    database.deleteFrom("idempotent_create").where("account_id", "=", accountId),
    database.deleteFrom("kept_answer").where("account_id", "=", accountId),
    database.deleteFrom("asset").where("account_id", "=", accountId),
    ...deletesOfCaptured(database, accountId),
    database.deleteFrom("origin").where("account_id", "=", accountId),
    database.deleteFrom("budget_opening").where("budget_id", "in", budgetsOf(database, accountId)),
    database.deleteFrom("budget").where("account_id", "=", accountId),
  ];
}

/** All that is in an organisation; seats of a person, and the keys that it made. */
function changesOfSeats(database: Database, { accountId, nowMs }: Leaving) {
  return [
    database.deleteFrom("member").where("organisation_id", "=", accountId),
    database.deleteFrom("member").where("person_id", "=", accountId),
    database.deleteFrom("project").where("organisation_id", "=", accountId),
    database.deleteFrom("organisation").where("id", "=", accountId),
    database.deleteFrom("invitation").where("organisation_id", "=", accountId),
    database.deleteFrom("access_token").where("organisation_id", "=", accountId),
    database
      .updateTable("api_key")
      .set({ status: "disabled", declared: 0, deleted_at_ms: nowMs })
      .where("maker_id", "=", accountId)
      .where("deleted_at_ms", "is", null),
    database.updateTable("api_key").set({ maker_id: null }).where("maker_id", "=", accountId),
  ];
}

function updatesOfRows(database: Database, { accountId, name, nowMs }: Leaving) {
  return [
    database
      .updateTable("task")
      .set({
        job: "{}",
        result: null,
        delivered: null,
        error: null,
        webhook_url: null,
        request: null,
      })
      .where("account_id", "=", accountId),
    database
      .updateTable("task")
      .set({ deleted_at_ms: nowMs })
      .where("account_id", "=", accountId)
      .where("deleted_at_ms", "is", null),
    // The label itself, where a budget is for each label.
    database.updateTable("cap").set({ subject_id: null }).where("account_id", "=", accountId),
    database
      .updateTable("api_key")
      .set({ deleted_at_ms: nowMs })
      .where("account_id", "=", accountId)
      .where("deleted_at_ms", "is", null),
    database.updateTable("api_key").set(erasedKeyColumns).where("account_id", "=", accountId),
    database
      .updateTable("account")
      .set({ username: name, password_hash: "", status: "disabled", deleted_at_ms: nowMs })
      .where("id", "=", accountId),
  ];
}

const idsPerStatement = 500;

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / idsPerStatement) }, (_, at) =>
    ids.slice(at * idsPerStatement, (at + 1) * idsPerStatement),
  );
}
