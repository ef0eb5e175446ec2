// Notices in the database, and what of the other tables tells that one is due.
import { sql } from "kysely";
import type { AccountId } from "../core/ids.ts";
import { selectUnexplainedLimits } from "../quota/queries.ts";
import { commitTogether, type Database } from "../store/database.ts";
import type { NoticeDeliveryTable, NoticeTable } from "../store/notice-schema.ts";
import { selectPage, type Page, type PageOfRows } from "../store/select-page.ts";
import type { Store } from "../store/store.ts";
import { ownDestination } from "./notice.ts";

/** Balance together with its holds: a hold comes and goes with its request. */
const leftOfAccount = sql<number>`account_balance.available_micros + account_balance.held_micros`;
const leftOfKey = sql<number>`key_balance.limit_micros - key_balance.spent_micros`;

/** One who leads it, of an account that is an organisation, and has an address; else null. */
const leaderToldBy = sql<AccountId | null>`(select min(member.person_id) from member
  inner join account_email led on led.account_id = member.person_id
  where member.organisation_id = account.id and member.role in ('owner', 'admin')
    and led.address is not null)`;

/** Name of the one whose window it is, where the budget is not the whole account's. */
const nameOfSubject = sql<string | null>`case budget.scope
  when 'member' then (select named.username from account named
    where named.id = cap_balance.subject_id)
  when 'project' then (select project.name from project where project.id = cap_balance.subject_id)
  when 'key' then (select api_key.name from api_key where api_key.id = cap_balance.subject_id)
  when 'channel' then (select channel.name from channel where channel.id = cap_balance.subject_id)
  when 'label' then cap_balance.subject_id end`;

/** The member who spends in the window, or whose key does, and who has an address; else null. */
const spenderToldBy = sql<AccountId | null>`(select member.person_id from member
  inner join account_email own on own.account_id = member.person_id
  where member.organisation_id = account.id and own.address is not null
    and member.person_id = case budget.scope when 'member' then cap_balance.subject_id
      when 'key' then (select api_key.maker_id from api_key
        where api_key.id = cap_balance.subject_id) end)`;

function accountsWithMoney(database: Database) {
  return database
    .selectFrom("account")
    .innerJoin("account_balance", "account_balance.account_id", "account.id")
    .where("account.status", "=", "enabled")
    .where("account.deleted_at_ms", "is", null)
    .where("account_balance.unlimited", "=", 0)
    .where("account_balance.granted_micros", ">", 0);
}

export async function readLowAccounts(database: Database, markMicros: number, most: number) {
  return await accountsWithMoney(database)
    .select(["account.id", "account.username", leftOfAccount.as("left_micros")])
    .where(leftOfAccount, "<", markMicros)
    .orderBy("account.id")
    .limit(most)
    .execute();
}

/** Accounts below the marks that people set for themselves. */
export async function readOwnLowAccounts(database: Database, most: number) {
  return await accountsWithMoney(database)
    .innerJoin("profile", "profile.account_id", "account.id")
    .leftJoin("account_email", "account_email.account_id", "account.id")
    .select(["account.id", "account.username", leftOfAccount.as("left_micros")])
    .select("profile.notice_url")
    .where((row) =>
      row.or([
        row("profile.notice_url", "is not", null),
        row("account_email.address", "is not", null),
        row(leaderToldBy, "is not", null),
      ]),
    )
    .where("profile.low_balance_micros", "is not", null)
    .where((row) => row(leftOfAccount, "<", row.ref("profile.low_balance_micros")))
    .orderBy("account.id")
    .limit(most)
    .execute();
}

interface KeyMark {
  percent: number;
  nowMs: number;
  most: number;
}

export async function readLowKeys(database: Database, { percent, nowMs, most }: KeyMark) {
  return await database
    .selectFrom("api_key")
    .innerJoin("key_balance", "key_balance.key_id", "api_key.id")
    .innerJoin("account", "account.id", "api_key.account_id")
    .leftJoin("profile", "profile.account_id", "api_key.account_id")
    .select(["api_key.id", "api_key.name", "api_key.account_id", "account.username"])
    .select(["profile.notice_url", leftOfKey.as("left_micros")])
    .where("api_key.status", "=", "enabled")
    .where("api_key.deleted_at_ms", "is", null)
    .where("api_key.session_id", "is", null)
    .where((row) =>
      row.or([row("api_key.expires_at_ms", "is", null), row("api_key.expires_at_ms", ">", nowMs)]),
    )
    .where("key_balance.limit_micros", ">", 0)
    .where(sql<boolean>`(${leftOfKey}) * 100 < key_balance.limit_micros * ${percent}`)
    .orderBy("api_key.id")
    .limit(most)
    .execute();
}

/**
 * Windows that are open, and then those that closed since, which have spent this much of their
 * limit or more.
 */
export async function readSpentWindows(
  database: Database,
  { percent, nowMs, sinceMs, most }: KeyMark & { sinceMs: number },
) {
  return await database
    .selectFrom("cap_balance")
    .innerJoin("budget", "budget.id", "cap_balance.budget_id")
    .innerJoin("account", "account.id", "cap_balance.account_id")
    .leftJoin("profile", "profile.account_id", "cap_balance.account_id")
    .leftJoin("account_email", "account_email.account_id", "cap_balance.account_id")
    .select(["cap_balance.id", "cap_balance.account_id", "cap_balance.subject_id"])
    .select(["cap_balance.spent_micros", "cap_balance.limit_micros", "cap_balance.closes_at_ms"])
    .select(["budget.name", "budget.marks", "account.username", "profile.notice_url"])
    .select(["account_email.address", leaderToldBy.as("leader")])
    .select([nameOfSubject.as("subject_name"), spenderToldBy.as("spender")])
    .where("budget.status", "=", "enabled")
    .where((row) =>
      row.or([
        row("cap_balance.closes_at_ms", "is", null),
        row("cap_balance.closes_at_ms", ">", sinceMs),
      ]),
    )
    .where("cap_balance.limit_micros", ">", 0)
    .where(sql<boolean>`cap_balance.spent_micros * 100 >= cap_balance.limit_micros * ${percent}`)
    .orderBy(sql`case when cap_balance.closes_at_ms <= ${nowMs} then 1 else 0 end`)
    .orderBy("cap_balance.id")
    .limit(most)
    .execute();
}

/** Open windows whose limit is not what its parts make. */
export async function readUnexplainedWindows(database: Database, nowMs: number, most: number) {
  return await database
    .selectFrom(selectUnexplainedLimits(database, nowMs).as("cap"))
    .innerJoin("budget", "budget.id", "cap.budget_id")
    .innerJoin("account", "account.id", "cap.account_id")
    .select(["cap.id", "cap.budget_id", "cap.account_id", "cap.subject_id", "cap.limit_micros"])
    .select(["cap.budget_micros", "cap.carried_micros", "cap.raised_micros"])
    .select(["budget.name", "account.username"])
    .orderBy("cap.id")
    .limit(most)
    .execute();
}

/** Marks of these accounts that were told, open and ended. */
export async function readToldMarks(database: Database, accounts: readonly AccountId[]) {
  if (accounts.length === 0) return [];
  return await database
    .selectFrom("notice")
    .select(["cause", "ended_at_ms"])
    .where("kind", "=", "budget_mark")
    .where("account_id", "in", accounts)
    .execute();
}

export async function readBudgetMarks(database: Database): Promise<number[]> {
  const rows = await database
    .selectFrom("budget")
    .select("marks")
    .distinct()
    .where("status", "=", "enabled")
    .execute();
  return rows.flatMap(({ marks }): number[] => JSON.parse(marks));
}

/** Those that a vendor refused, on channels that are to serve. */
export async function readDeadKeys(database: Database) {
  return await database
    .selectFrom("channel_key")
    .innerJoin("channel", "channel.id", "channel_key.channel_id")
    .select(["channel.id", "channel.name", "channel_key.position", "channel_key.last4"])
    .select("channel_key.reason")
    .where("channel.status", "=", "enabled")
    .where("channel_key.status", "=", "disabled")
    .where("channel_key.reason", "is not", null)
    .execute();
}

/** Addresses at which nothing has arrived since a callback failed so often. */
export async function readFailingAddresses(database: Database, tries: number, most: number) {
  return await database
    .selectFrom("webhook_delivery as failed")
    .innerJoin("task", "task.id", "failed.task_id")
    .innerJoin("account", "account.id", "task.account_id")
    .select(["failed.url", "task.account_id", "account.username"])
    .distinct()
    .where("failed.delivered_at_ms", "is", null)
    .where("failed.attempts", ">=", tries)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("webhook_delivery as later")
            .select("later.id")
            .whereRef("later.url", "=", "failed.url")
            .whereRef("later.delivered_at_ms", ">", "failed.created_at_ms"),
        ),
      ),
    )
    .limit(most)
    .execute();
}

export type OpenNotice = Pick<NoticeTable, "id" | "cause" | "kind" | "at_ms">;

export async function readOpenNotices(database: Database): Promise<OpenNotice[]> {
  return await database
    .selectFrom("notice")
    .select(["id", "cause", "kind", "at_ms"])
    .where("ended_at_ms", "is", null)
    .execute();
}

/** With whom it is to be told: together or not at all. */
export async function openNotice(
  store: Store,
  database: Database,
  { row, destinations }: { row: NoticeTable; destinations: readonly string[] },
): Promise<void> {
  const due = { attempts: 0, next_attempt_at_ms: row.at_ms, delivered_at_ms: null, error: null };
  await commitTogether(store, [
    database.insertInto("notice").values(row),
    ...destinations.map((destination) =>
      database.insertInto("notice_delivery").values({ notice_id: row.id, destination, ...due }),
    ),
  ]);
}

/** Recipients not told by now are not told any more. */
export async function endNotice(
  store: Store,
  database: Database,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<void> {
  await commitTogether(store, [
    database.updateTable("notice").set({ ended_at_ms: nowMs }).where("id", "=", id),
    database
      .updateTable("notice_delivery")
      .set({ next_attempt_at_ms: null })
      .where("notice_id", "=", id)
      .where("next_attempt_at_ms", "is not", null),
  ]);
}

interface DueFilter {
  nowMs: number;
  /** The kinds that are told in a quiet time; null where it is none. */
  except: readonly string[] | null;
  most: number;
}

/** Those that have waited longest first. */
export async function readDueNotices(database: Database, { nowMs, except, most }: DueFilter) {
  let due = database
    .selectFrom("notice_delivery")
    .innerJoin("notice", "notice.id", "notice_delivery.notice_id")
    .leftJoin("profile", "profile.account_id", "notice.account_id")
    .select(["notice.id", "notice.kind", "notice.text", "notice.details", "notice.at_ms"])
    .select(["notice.account_id", "profile.notice_url"])
    .select(["notice_delivery.destination", "notice_delivery.attempts"])
    .where("notice_delivery.next_attempt_at_ms", "<=", nowMs);
  if (except !== null) {
    due = due.where((row) =>
      row.or([
        row("notice_delivery.destination", "=", ownDestination),
        ...(except.length > 0 ? [row("notice.kind", "in", except)] : []),
      ]),
    );
  }
  return await due.orderBy("notice_delivery.next_attempt_at_ms").limit(most).execute();
}

type DeliveryPlace = Pick<NoticeDeliveryTable, "notice_id" | "destination" | "attempts">;

function at(database: Database, { notice_id, destination, attempts }: DeliveryPlace) {
  return database
    .updateTable("notice_delivery")
    .where("notice_id", "=", notice_id)
    .where("destination", "=", destination)
    .where("attempts", "=", attempts);
}

/** One more try; false where another node has begun it. */
export async function claimNotice(
  database: Database,
  place: DeliveryPlace,
  untilMs: number,
): Promise<boolean> {
  const row = await at(database, place)
    .set({ attempts: place.attempts + 1, next_attempt_at_ms: untilMs })
    .where("next_attempt_at_ms", "is not", null)
    .returning("notice_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveNoticeTry(
  database: Database,
  place: DeliveryPlace,
  outcome: Pick<NoticeDeliveryTable, "next_attempt_at_ms" | "delivered_at_ms" | "error">,
): Promise<void> {
  await at(database, place).set(outcome).execute();
}

/** Newest first, with whom each was told. */
export async function listNotices(
  database: Database,
  page: Page,
): Promise<PageOfRows<NoticeTable & { deliveries: NoticeDeliveryTable[] }>> {
  const matching = database.selectFrom("notice");
  const { items, total } = await selectPage(
    matching.selectAll().orderBy("id", "desc"),
    matching,
    page,
  );
  const ids = items.map(({ id }) => id);
  const deliveries =
    ids.length === 0
      ? []
      : await database
          .selectFrom("notice_delivery")
          .selectAll()
          .where("notice_id", "in", ids)
          .orderBy("destination")
          .execute();
  const byNotice = Map.groupBy(deliveries, ({ notice_id: id }) => id);
  return { items: items.map((row) => ({ ...row, deliveries: byNotice.get(row.id) ?? [] })), total };
}

/** Those that ended before then. */
export async function forgetNotices(
  store: Store,
  database: Database,
  beforeMs: number,
): Promise<void> {
  const old = database.selectFrom("notice").select("id").where("ended_at_ms", "<", beforeMs);
  await commitTogether(store, [
    database.deleteFrom("notice_delivery").where("notice_id", "in", old),
    database.deleteFrom("notice").where("ended_at_ms", "<", beforeMs),
  ]);
}
