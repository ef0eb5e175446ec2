// Tasks as rows: the cells that ride with the ledger's batch, and the way back.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { micros, picos } from "../core/money.ts";
import type { MediaPrice, TokenPrice } from "../quota/media-price.ts";
import type { TaskTable } from "../store/schema.ts";
import type { Lease } from "./lease.ts";
import { numberOr, readResult, textOr } from "./result-row.ts";
import { eventOf, type Create, type Delivered, type Task, type TaskError } from "./task.ts";

type Cell = string | number | null;

/** In the order of the statement that inserts a task. */
export function toInsert(task: Task, { owner, untilMs }: Pick<Lease, "owner" | "untilMs">): Cell[] {
  return [
    task.id,
    task.kind,
    task.accountId,
    task.keyId,
    task.group,
    task.family,
    task.model,
    JSON.stringify(task.job),
    JSON.stringify(task.price),
    task.heldMicros,
    task.webhookUrl,
    task.createdAtMs,
    task.deadlineAtMs,
    task.state,
    task.progress,
    task.channelId,
    task.keyDigest,
    task.upstreamModel,
    task.nextPollAtMs,
    owner,
    untilMs,
  ];
}

/** In the order of the statement that changes one; only its owner changes what has not ended. */
export function toChange(task: Task, owner: string): Cell[] {
  return [
    task.id,
    task.state,
    task.progress,
    task.channelId,
    task.keyDigest,
    task.upstreamModel,
    task.operation,
    jsonOrNull(task.result),
    JSON.stringify(task.delivered),
    jsonOrNull(task.error),
    task.nextPollAtMs,
    task.completedAtMs,
    task.deletedAtMs,
    owner,
  ];
}

/** In the order of the statement that remembers what a create made. */
export function toCreate(task: Task, { key, digest }: Create): Cell[] {
  return [task.accountId, key, digest, task.id, task.createdAtMs];
}

/** In the order of the statement that adds a delivery; a task has one, under its own number. */
export function toDelivery(task: Task, url: string, told: JsonObject): Cell[] {
  const id = task.id.replace(/^[a-z]+_/, "msg_");
  return [id, task.id, eventOf(task), url, JSON.stringify(told), task.completedAtMs];
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
