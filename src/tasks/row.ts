// Tasks as rows: those that ride with the ledger's batch, and the way back.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { micros, picos } from "../core/money.ts";
import type { MediaPrice, TokenPrice } from "../quota/media-price.ts";
import type { TaskTable } from "../store/schema.ts";
import type { ListedRow } from "../store/step.ts";
import type { Lease } from "./lease.ts";
import { createStep, taskChangeStep, taskStep } from "./queries.ts";
import { numberOr, readResult, textOr } from "./result-row.ts";
import {
  eventOf,
  type Create,
  type Delivered,
  type EndedTask,
  type Task,
  type TaskError,
} from "./task.ts";
import { deliveryStep } from "./webhooks/queries.ts";

export function toInsert(
  task: Task,
  lease: Pick<Lease, "owner" | "untilMs">,
  request: string | null,
): ListedRow {
  return taskStep.listed({
    id: task.id,
    kind: task.kind,
    account_id: task.accountId,
    key_id: task.keyId,
    group_name: task.group,
    family: task.family,
    model: task.model,
    job: JSON.stringify(task.job),
    price: JSON.stringify(task.price),
    held_micros: task.heldMicros,
    webhook_url: task.webhookUrl,
    created_at_ms: task.createdAtMs,
    deadline_at_ms: task.deadlineAtMs,
    state: task.state,
    progress: task.progress,
    channel_id: task.channelId,
    key_digest: task.keyDigest,
    upstream_model: task.upstreamModel,
    next_poll_at_ms: task.nextPollAtMs,
    owner: lease.owner,
    lease_until_ms: lease.untilMs,
    request,
    trace: task.trace,
    label: task.label,
  });
}

/** Only its owner changes what has not ended. */
export function toChange(task: Task, owner: string): ListedRow {
  return taskChangeStep.listed({
    id: task.id,
    state: task.state,
    progress: task.progress,
    channel_id: task.channelId,
    key_digest: task.keyDigest,
    upstream_model: task.upstreamModel,
    operation: task.operation,
    result: jsonOrNull(task.result),
    delivered: JSON.stringify(task.delivered),
    error: jsonOrNull(task.error),
    next_poll_at_ms: task.nextPollAtMs,
    completed_at_ms: task.completedAtMs,
    deleted_at_ms: task.deletedAtMs,
    owner,
  });
}

/** The row by which a create is remembered. */
export function toCreate(task: Task, { key, digest }: Create): ListedRow {
  return createStep.listed({
    account_id: task.accountId,
    idempotency_key: key,
    body_digest: digest,
    task_id: task.id,
    created_at_ms: task.createdAtMs,
  });
}

/** A task has one, under its own number. */
export function toDelivery(task: EndedTask, url: string, event: JsonObject): ListedRow {
  return deliveryStep.listed({
    id: task.id.replace(/^[a-z]+_/, "msg_"),
    task_id: task.id,
    event: eventOf(task),
    url,
    body: JSON.stringify(event),
    created_at_ms: task.completedAtMs,
  });
}

export function fromRow(row: TaskTable): Task {
  return {
    id: row.id,
    kind: row.kind,
    accountId: row.account_id,
    keyId: row.key_id,
    group: row.group_name,
    family: row.family,
    model: row.model,
    job: readObject(row.job),
    price: readPrice(readObject(row.price)),
    heldMicros: row.held_micros,
    webhookUrl: row.webhook_url,
    createdAtMs: row.created_at_ms,
    deadlineAtMs: row.deadline_at_ms,
    trace: row.trace,
    label: row.label,
    state: row.state,
    progress: row.progress,
    channelId: row.channel_id,
    keyDigest: row.key_digest,
    upstreamModel: row.upstream_model,
    operation: row.operation,
    result: row.result === null ? null : readResult(readObject(row.result)),
    delivered: readDelivered(row.delivered === null ? {} : readObject(row.delivered)),
    error: row.error === null ? null : readError(readObject(row.error)),
    nextPollAtMs: row.next_poll_at_ms,
    completedAtMs: row.completed_at_ms,
    deletedAtMs: row.deleted_at_ms,
  };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Our own text: a client's body, which may be as deep as bodies may be, is only a part of it. */
function readObject(text: string): JsonObject {
  const value: Json = JSON.parse(text);
  if (!isObject(value)) throw new TypeError("a task's row does not hold an object");
  return value;
}

function readPrice(price: JsonObject): MediaPrice {
  const amount = (name: string) => micros(numberOr(price[name], 0));
  const { tokens } = price;
  return {
    secondMicros: amount("secondMicros"),
    imageMicros: amount("imageMicros"),
    callMicros: amount("callMicros"),
    ...(isObject(tokens) && { tokens: readTokenPrice(tokens) }),
  };
}

function readTokenPrice({ input, output, isOnly }: JsonObject): TokenPrice {
  const at = (amount: Json | undefined) => picos(numberOr(amount, 0));
  return { input: at(input), output: at(output), isOnly: isOnly === true };
}

function readDelivered(delivered: JsonObject): Delivered {
  const { seconds, tokens } = delivered;
  return {
    seconds: typeof seconds === "number" ? seconds : null,
    tokens: typeof tokens === "number" ? tokens : null,
  };
}

function readError(error: JsonObject): TaskError {
  return { code: textOr(error["code"], "task_failed"), message: textOr(error["message"], "") };
}
