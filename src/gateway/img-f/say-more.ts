// Words of a task's owner when the vendor waits for them. The task itself goes on: it has its hold
// already, and there is nothing new to pay for.
import { GatewayError } from "../../core/errors.ts";
import type { ImgFCode } from "../../families/index.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import type { OtherNodes } from "../../tasks/other-nodes.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import { VendorRefusal } from "../../upstreams/upstream.ts";
import { findTaskPlace, imgFWay, type VendorNeeds, type VendorPlace } from "../task/vendor-call.ts";
import { teller } from "../conceal.ts";
import { toAttempt } from "../vendor-fault.ts";
import { resultOf } from "./render.ts";
import { waiting } from "./result.ts";

export interface SayMoreNeeds {
  vendors: VendorNeeds;
  book: TaskBook;
  engine: TaskEngine;
  others: OtherNodes;
}

interface Heard {
  task: Task;
  code: ImgFCode;
}

/** Throws when the task does not wait, or the vendor refuses: then it waits as before. */
export async function sayMore(needs: SayMoreNeeds, { id }: Task, job: ImgFJob): Promise<Heard> {
  const { book, others } = needs;
  // The outcome is for the node that was spoken to.
  return await others.withOwn(id, ["queued", "in_progress"], async (own) => {
    const task = own ?? (await book.find(id));
    if (!task) throw new GatewayError("task_not_found", { param: "taskId" });
    return await say(needs, task, job);
  });
}

async function say(
  { vendors, book, engine }: SayMoreNeeds,
  task: Task,
  job: ImgFJob,
): Promise<Heard> {
  const { id, operation } = task;
  if (isTerminal(task.state) || operation === null || !resultOf(task)?.isModal) {
    const message = "taskId names a task that does not wait for anything.";
    throw new GatewayError("invalid_request", { param: "taskId", message });
  }
  const place = await findTaskPlace(vendors, task);
  const way = place && imgFWay(vendors, place, { taskId: id, parent: operation });
  if (!way) throw new GatewayError("do_request_failed");
  try {
    const started = await way.facet.start(job, way.call);
    const { code } = started;
    const result = code === 21 ? waiting : null;
    // The next poll finds out where it cannot be written.
    await book.change(id, { operation: started.operation, result });
    engine.nudge(id);
    return { task: book.latest(task), code };
  } catch (error) {
    throw toShown(error, place);
  }
}

function toShown(error: unknown, place: VendorPlace): GatewayError {
  if (error instanceof VendorRefusal) {
    const attempt = toAttempt(error.fault, teller(place));
    if ("error" in attempt) return attempt.error;
  }
  // The task's course shows whether it was heard; it is not said again by itself.
  return new GatewayError("do_request_failed", { cause: error });
}
