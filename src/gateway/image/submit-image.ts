// Images for which nobody waits, from a parsed body to a task. The intent and its hold are safe
// before any vendor is called, the answer is the queued task, and the rest goes on without the
// client. What it asks for is kept until it has begun, so that another process can begin it.
import { shownModel } from "../../families/index.ts";
import { toImageRow } from "../../families/image-row.ts";
import { namesOf } from "../../families/model-names.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { Create, Task, TaskPlace } from "../../tasks/task.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Progress } from "../progress.ts";
import { Intent, type IntentNeeds } from "../task/intent.ts";
import { openImage, type ImageOrder, type OpenImageNeeds } from "./open-image.ts";
import { forgetOrder, keepOrder, type KeptOrderNeeds } from "./task/kept-order.ts";
import { performImage, type PerformNeeds, type TaskWork } from "./task/perform.ts";
import type { ImageRuns } from "./task/runs.ts";

export interface SubmitImageNeeds {
  intents: IntentNeeds;
  opening: OpenImageNeeds;
  performing: PerformNeeds;
  book: TaskBook;
  engine: TaskEngine;
  runs: ImageRuns;
  orders: KeptOrderNeeds;
}

interface ImageSubmission extends ImageOrder {
  /** Length of the body. */
  bytes: number;
  /** The count of gateways like this one that the request has passed. */
  hops: number;
  webhookUrl: string | null;
  /** The mark that tells the same create when it comes again. */
  create: Create | null;
  tries: Pick<Progress, "trace">;
}

export async function submitImage(
  needs: SubmitImageNeeds,
  submission: ImageSubmission,
): Promise<Task> {
  const { family, job, caller, webhookUrl, create, label, bytes, hops, tries } = submission;
  const { book, runs } = needs;
  const opened = await openImage(needs.opening, submission);
  const { price, micros, candidates } = opened;
  const names = namesOf(job);
  const named = { family: family.name, model: shownModel(job), names };
  const lower = job.count > 1 ? "n" : null;
  const draft = { ...named, job: toImageRow(job), price, micros, lower };
  const rest = { caller, webhookUrl, create, label, trace: tries.trace?.kept ?? null };
  const intent = await Intent.open(needs.intents, { kind: "image", ...draft, ...rest });
  const { id } = intent;
  enterRun(needs, { id, bytes, order: submission, opened, hops });
  try {
    const { body } = submission;
    const request = await keepOrder(needs.orders, id, { job, body, hops });
    await intent.record(placeBefore(candidates.channels, names), "queued", request);
  } catch (error) {
    runs.leave(id);
    await forgetOrder(needs.orders, id);
    throw error;
  }
  const task = await find(book, id);
  needs.engine.watch(task);
  runs.begin(id);
  return task;
}

interface ImageEntry extends Pick<TaskWork, "order" | "opened" | "hops"> {
  id: TaskId;
  bytes: number;
}

/** Takes a task in, not to begin yet; throws a 429 when there are too many. */
export function enterRun(
  needs: Pick<SubmitImageNeeds, "runs" | "book" | "performing" | "orders">,
  { id, bytes, order, opened, hops }: ImageEntry,
): void {
  const { runs, book, orders } = needs;
  runs.enter({
    id,
    bytes,
    channels: opened.candidates.channels,
    async perform(abort) {
      const task = await find(book, id);
      const work = { task, order, opened, hops, slots: runs.slots };
      await performImage(needs.performing, work, abort);
      if (book.latest(task).state !== "queued") await forgetOrder(orders, id);
    },
    async drop(why) {
      await book.fail(id, why);
      await forgetOrder(orders, id);
    },
  });
}

async function find(book: TaskBook, id: TaskId): Promise<Task> {
  const task = await book.find(id);
  if (!task) throw new GatewayError("server_error");
  return task;
}

/** The place it would go to if it went now: it has no key before its turn. */
function placeBefore([first]: readonly Channel[], names: readonly string[]): TaskPlace {
  if (!first) throw new GatewayError("model_not_found", { param: "model" });
  const upstreamModel = first.upstreamModelOf(names);
  return { channelId: first.settings.id, keyDigest: "", upstreamModel };
}
