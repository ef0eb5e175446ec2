// A caller's own task. Another account's does not exist, nor another member's, nor one of another
// kind.
import { GatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { Caller } from "../../identity/caller.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { Task } from "../../tasks/task.ts";
import { taskKindOf, type KindName } from "./kinds.ts";

interface TaskName {
  kind: KindName;
  id: string | undefined;
  /** The field that names it, where it is one. */
  param?: string;
}

export async function requireOwnTask(
  book: TaskBook,
  caller: Caller,
  name: TaskName,
): Promise<Task> {
  const task = await findOwnTask(book, caller, name);
  if (task) return task;
  throw new GatewayError("task_not_found", name.param === undefined ? {} : { param: name.param });
}

export async function findOwnTask(
  book: TaskBook,
  caller: Caller,
  { kind, id = "" }: TaskName,
): Promise<Task | null> {
  const task = await book.find(id as TaskId);
  if (task?.accountId !== caller.accountId || taskKindOf(task) !== kind) return null;
  return (await mayFind(book, caller, task)) ? task : null;
}

/** A member of an organisation has the tasks of the keys that it made. */
async function mayFind(
  book: TaskBook,
  { isOfMember, keyId, makerId }: Caller,
  task: Task,
): Promise<boolean> {
  if (!isOfMember || task.keyId === keyId) return true;
  return (await book.findMaker(task)) === makerId;
}
