// Ends a task that runs, or hides one that has ended.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { isTerminal } from "../../tasks/task.ts";
import type { OwnTaskDetail, TaskDetail } from "./contract.ts";
import { noteAlone } from "../audit/entry.ts";
import type { TaskWorkNeeds } from "./needs.ts";
import { findTaskOfOwn, findTask, viewOwnTask, viewTask, type FoundTask } from "./show.ts";

/** Paid back, told to its callback, and still shown; or the refusal, and it goes on. */
export async function cancelTask(
  needs: TaskWorkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<TaskDetail> {
  await cancel(needs, operator, await findTask(needs, id));
  return await viewTask(needs, await findTask(needs, id));
}

export async function cancelOwnTask(
  needs: TaskWorkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<OwnTaskDetail> {
  await cancel(needs, operator, await findTaskOfOwn(needs, operator, id));
  return await viewOwnTask(needs, await findTaskOfOwn(needs, operator, id));
}

async function cancel(
  needs: TaskWorkNeeds,
  operator: Operator,
  { task, row }: FoundTask,
): Promise<void> {
  if (isTerminal(task.state)) {
    throw new GatewayError("conflict", { message: `The task is ${task.state} already.` });
  }
  await needs.kinds.stop(task);
  const changes = { account: row.username };
  await noteAlone(needs.noting, operator, { action: "task.cancel", target: task.id, changes });
}

/** It is shown no more, and its files go with their age. */
export async function removeTask(
  needs: TaskWorkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await remove(needs, operator, await findTask(needs, id));
}

export async function removeOwnTask(
  needs: TaskWorkNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await remove(needs, operator, await findTaskOfOwn(needs, operator, id));
}

async function remove(
  needs: TaskWorkNeeds,
  operator: Operator,
  { task, row }: FoundTask,
): Promise<{ id: string }> {
  const { id } = task;
  if (!isTerminal(task.state)) {
    throw new GatewayError("task_not_finished", { message: "It is running: cancel it first." });
  }
  if (task.deletedAtMs !== null) return { id };
  await needs.book.remove(task);
  const changes = { account: row.username };
  await noteAlone(needs.noting, operator, { action: "task.delete", target: id, changes });
  return { id };
}
