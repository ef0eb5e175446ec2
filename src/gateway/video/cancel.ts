// Stops a task that is running, where its vendor can.
import { GatewayError } from "../../core/errors.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { OtherNodes } from "../../tasks/other-nodes.ts";
import { isTerminal, type Task, type TaskError } from "../../tasks/task.ts";
import { findTaskPlace, videoWay, type VendorNeeds } from "../task/vendor-call.ts";

export interface CancelNeeds {
  vendors: VendorNeeds;
  book: TaskBook;
  others: OtherNodes;
}

export const cancelled: TaskError = { code: "cancelled", message: "The task was cancelled." };

/** Paid back and gone, or the refusal: it goes on. */
export async function cancelVideo(needs: CancelNeeds, task: Task): Promise<void> {
  const { book } = needs;
  await stop(needs, task, () => book.drop(task.id, cancelled));
  const left = await book.find(task.id);
  if (left && isTerminal(left.state)) await book.remove(left);
}

/** Paid back and shown as failed, or the refusal: it goes on. */
export async function stopVideo(needs: CancelNeeds, task: Task): Promise<void> {
  await stop(needs, task, () => needs.book.fail(task.id, cancelled));
}

/** One of those who ask at once, on whichever nodes, asks the vendor; the others find it ended. */
async function stop(needs: CancelNeeds, { id }: Task, end: () => Promise<boolean>): Promise<void> {
  const { book, others } = needs;
  await others.withOwn(id, ["queued", "in_progress"], async (own) => {
    const running = own ?? (await book.find(id));
    if (!running || isTerminal(running.state)) return;
    if (!book.isOpen(id) || !(await askVendor(needs.vendors, running))) {
      throw new GatewayError("task_not_finished", {
        message: "The task is running, and its upstream does not stop it any more.",
      });
    }
    // A poll may be ending it at this moment; then it is what it has become.
    while (book.isOpen(id) && !(await end())) {
      book.assertHeld();
      await book.settled(id);
    }
  });
}

async function askVendor(vendors: VendorNeeds, task: Task): Promise<boolean> {
  const { id, operation, upstreamModel } = task;
  const place = operation === null ? null : await findTaskPlace(vendors, task);
  const way = place && videoWay(vendors, place, { taskId: id, model: upstreamModel });
  if (!way?.facet.cancel || operation === null) return false;
  try {
    return await way.facet.cancel(operation, way.call);
  } catch (error) {
    // The next poll shows what came of it.
    throw new GatewayError("do_request_failed", { cause: error });
  }
}
