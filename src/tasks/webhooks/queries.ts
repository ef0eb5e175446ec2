// Deliveries in the database. One is added with the ledger's batch that ends its task.
import type { AccountId, TaskId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type {
  AccountTable,
  TaskTable,
  WebhookDeliveryTable,
  WebhookSecretTable,
} from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import { TableStep } from "../../store/step.ts";

export const deliveryStep = new TableStep({
  list: "deliveries",
  table: "webhook_delivery",
  cells: (row) => [row.id, row.task_id, row.event, row.url, row.body, row.created_at_ms],
  action: { kind: "insert", also: { attempts: "0", next_attempt_at_ms: ":created_at_ms" } },
});

export type DueDelivery = Pick<WebhookDeliveryTable, "id" | "url" | "body" | "attempts" | "tries"> &
  Pick<TaskTable, "account_id">;

/** Those that have waited longest first. */
export async function readDue(
  database: Database,
  nowMs: number,
  limit: number,
): Promise<DueDelivery[]> {
  return await database
    .selectFrom("webhook_delivery")
    .innerJoin("task", "task.id", "webhook_delivery.task_id")
    .select([
      "webhook_delivery.id",
      "webhook_delivery.url",
      "webhook_delivery.body",
      "webhook_delivery.attempts",
      "webhook_delivery.tries",
      "task.account_id",
    ])
    .where("next_attempt_at_ms", "<=", nowMs)
    .orderBy("next_attempt_at_ms")
    .limit(limit)
    .execute();
}

/** Due time of the next one that is not due yet. */
export async function readNextAttempt(database: Database, nowMs: number): Promise<number | null> {
  const row = await database
    .selectFrom("webhook_delivery")
    .select("next_attempt_at_ms")
    .where("next_attempt_at_ms", ">", nowMs)
    .orderBy("next_attempt_at_ms")
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at_ms ?? null;
}

export type DeliveryAttempt = Pick<
  WebhookDeliveryTable,
  "attempts" | "next_attempt_at_ms" | "status" | "error" | "delivered_at_ms" | "tries"
>;

interface DeliveryClaim {
  id: string;
  /** The counts as they were read. */
  attempts: number;
  nowMs: number;
  untilMs: number;
}

/** True for the one who moves its time ahead: no other finds it due meanwhile. */
export async function claimDelivery(database: Database, claim: DeliveryClaim): Promise<boolean> {
  const row = await database
    .updateTable("webhook_delivery")
    .set({ next_attempt_at_ms: claim.untilMs })
    .where("id", "=", claim.id)
    .where("attempts", "=", claim.attempts)
    .where("next_attempt_at_ms", "<=", claim.nowMs)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Nothing where another one has written down a try since. */
export async function saveAttempt(
  database: Database,
  { id, attempts }: Pick<DeliveryClaim, "id" | "attempts">,
  attempt: DeliveryAttempt,
): Promise<void> {
  await database
    .updateTable("webhook_delivery")
    .set(attempt)
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .execute();
}

export type ListedDelivery = Omit<WebhookDeliveryTable, "body"> & Pick<AccountTable, "username">;

/** Newest first. */
export async function listDeliveries(
  database: Database,
  { taskId, accountId }: { taskId: TaskId | null; accountId: AccountId | null },
  page: Page,
): Promise<PageOfRows<ListedDelivery>> {
  let matching = database
    .selectFrom("webhook_delivery")
    .innerJoin("task", "task.id", "webhook_delivery.task_id");
  if (taskId !== null) matching = matching.where("webhook_delivery.task_id", "=", taskId);
  if (accountId !== null) matching = matching.where("task.account_id", "=", accountId);
  const rows = matching
    .innerJoin("account", "account.id", "task.account_id")
    .selectAll("webhook_delivery")
    .select("account.username")
    .orderBy("webhook_delivery.id", "desc");
  return await selectPage(rows, matching, page);
}

/** With what it tells; another account's is not there where one is named. */
export async function findDelivery(database: Database, id: string, accountId: AccountId | null) {
  let matching = database
    .selectFrom("webhook_delivery")
    .innerJoin("task", "task.id", "webhook_delivery.task_id")
    .innerJoin("account", "account.id", "task.account_id")
    .where("webhook_delivery.id", "=", id);
  if (accountId !== null) matching = matching.where("task.account_id", "=", accountId);
  return await matching.selectAll("webhook_delivery").select("account.username").executeTakeFirst();
}

/** It is due at once, and is tried as often as a new one. */
export async function makeDue(database: Database, id: string, nowMs: number): Promise<void> {
  await database
    .updateTable("webhook_delivery")
    .set({ next_attempt_at_ms: nowMs, delivered_at_ms: null, attempts: 0 })
    .where("id", "=", id)
    .execute();
}

export async function findSecretVersion(
  database: Database,
  accountId: AccountId,
): Promise<WebhookSecretTable | null> {
  const row = await database
    .selectFrom("webhook_secret")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

export async function raiseSecretVersion(
  database: Database,
  accountId: AccountId,
  nowMs: number,
): Promise<void> {
  await database
    .insertInto("webhook_secret")
    .values({ account_id: accountId, version: 1, rotated_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((row) => ({
        version: row("webhook_secret.version", "+", 1),
        rotated_at_ms: nowMs,
      })),
    )
    .execute();
}

/** Those that are over, one way or the other. */
export async function deleteDeliveries(database: Database, beforeMs: number): Promise<void> {
  await database
    .deleteFrom("webhook_delivery")
    .where("next_attempt_at_ms", "is", null)
    .where("created_at_ms", "<", beforeMs)
    .execute();
}
