// Stops an image task while no vendor has heard of it, on whichever node it waits.
import { GatewayError } from "../../../core/errors.ts";
import type { TaskBook } from "../../../tasks/book.ts";
import type { OtherNodes } from "../../../tasks/other-nodes.ts";
import { isTerminal, type Task } from "../../../tasks/task.ts";
import { cancelled } from "../../video/cancel.ts";
import { forgetOrder, type KeptOrderNeeds } from "./kept-order.ts";
import type { ImageRuns } from "./runs.ts";

interface StopImageNeeds {
  book: TaskBook;
  others: OtherNodes;
  runs: ImageRuns;
  orders: KeptOrderNeeds;
}

/** Paid back and shown as failed, or the refusal: it goes on. */
export async function stopImage(needs: StopImageNeeds, { id }: Task): Promise<void> {
  const { book, others } = needs;
  await others.withOwn(id, ["queued"], async () => {
    const task = book.isOpen(id) ? await book.find(id) : null;
    if (task?.state === "queued") await drop(needs, task);
    const left = await book.find(id);
    if (!left || isTerminal(left.state)) return;
    throw new GatewayError("task_not_finished", {
      message: "The images are being made, and their upstream does not stop that.",
    });
  });
}

async function drop({ book, runs, orders }: StopImageNeeds, { id }: Task): Promise<void> {
  // A run of this node is told to end itself; it does, unless its vendor has heard of it.
  if (runs.has(id)) return await runs.cancel(id, cancelled);
  await book.settled(id);
  if (await book.fail(id, cancelled)) await forgetOrder(orders, id);
}
