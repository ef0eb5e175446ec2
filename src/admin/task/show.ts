// One task whole: what was asked for, what came of it, and who was told.
import { mediaPriceText } from "../../quota/media-price.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import { askAgain } from "../../families/again.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyNames } from "../../identity/queries.ts";
import {
  listTaskOverviews,
  readTask,
  type TaskFilter,
  type TaskOverview,
} from "../../tasks/queries.ts";
import { fromRow } from "../../tasks/row.ts";
import type { Task } from "../../tasks/task.ts";
import { listDeliveries } from "../../tasks/webhooks/queries.ts";
import type { OwnTaskDetail, StateView, TaskDetail } from "./contract.ts";
import { existing, readId, toSeconds } from "../input.ts";
import { ownWhoseNamed } from "../named.ts";
import { toOwnDeliveryView } from "../webhook/list.ts";
import { toOwnView, toView } from "./list.ts";
import type { TaskWorkNeeds } from "./needs.ts";
import { resultViewsOf } from "./results.ts";

const callbacksMax = 20;

/** Rows that a task is shown from. */
export interface FoundTask {
  task: Task;
  row: TaskOverview;
}

export async function showTask(
  needs: TaskWorkNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<TaskDetail> {
  return await viewTask(needs, await findTask(needs, id));
}

/** Another account's is not there, nor is one that was deleted. */
export async function showOwnTask(
  needs: TaskWorkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<OwnTaskDetail> {
  return await viewOwnTask(needs, await findTaskOfOwn(needs, operator, id));
}

/** In an organisation a member has the tasks of the keys that it made. */
export async function findTaskOfOwn(
  needs: TaskWorkNeeds,
  operator: Operator,
  text: string,
): Promise<FoundTask> {
  const whose = await ownWhoseNamed(needs.records, operator, {});
  return await findTask(needs, text, { ...whose, withDeleted: false });
}

export async function findTask(
  { records, book }: TaskWorkNeeds,
  text: string,
  own: TaskFilter = {},
): Promise<FoundTask> {
  const id = readId(text, "task_") as TaskId;
  await records.store.applied();
  const page = { offset: 0, limit: 1 };
  const { items } = await listTaskOverviews(records.database, { ...own, id }, page);
  const row = existing(items[0]);
  const stored = existing(await readTask(records.database, id));
  const task = (await book.find(id)) ?? fromRow(stored);
  if (own.withDeleted === false && task.deletedAtMs !== null) throw new GatewayError("not_found");
  return { task, row };
}

export async function viewTask(needs: TaskWorkNeeds, one: FoundTask): Promise<TaskDetail> {
  const { task, row } = one;
  return {
    ...toView(row, needs),
    ...(await detailsOf(needs, one)),
    operation: task.operation,
    next_poll_at: task.nextPollAtMs === null ? null : toSeconds(task.nextPollAtMs),
    lease_until: row.lease_until_ms === 0 ? null : toSeconds(row.lease_until_ms),
  };
}

export async function viewOwnTask(needs: TaskWorkNeeds, one: FoundTask): Promise<OwnTaskDetail> {
  return { ...toOwnView(one.row, needs), ...(await detailsOf(needs, one)) };
}

async function detailsOf({ records, kinds, media }: TaskWorkNeeds, { task, row }: FoundTask) {
  const page = { offset: 0, limit: callbacksMax };
  const ofTask = { taskId: task.id, accountId: null };
  const { items: deliveries } = await listDeliveries(records.database, ofTask, page);
  const keyNames = await readKeyNames(records.database, [row.key_id]);
  return {
    key_name: keyNames.get(row.key_id) ?? null,
    asked: task.job,
    again: askAgain(row.kind, task.job),
    shown: kinds.render(task),
    price: JSON.parse(mediaPriceText(task.price)),
    states: statesOf(task),
    results: resultViewsOf(media, task.result),
    callbacks: deliveries.map(toOwnDeliveryView),
  };
}

/** Those whose moment is kept. */
function statesOf({ state, createdAtMs, completedAtMs, deletedAtMs }: Task): StateView[] {
  return [
    { state: "submitting", at: toSeconds(createdAtMs) },
    ...(completedAtMs === null ? [] : [{ state, at: toSeconds(completedAtMs) }]),
    ...(deletedAtMs === null ? [] : [{ state: "deleted" as const, at: toSeconds(deletedAtMs) }]),
  ];
}
