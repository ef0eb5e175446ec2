// Questions about imgF tasks that are there: none of them costs anything.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { renderImgFTask, resultOf } from "../../gateway/img-f/render.ts";
import { findOwnTask, requireOwnTask } from "../../gateway/task/own-task.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore } from "../../media/media.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import { mediaAnswer } from "../media.ts";
import type { Incoming } from "../route.ts";
import { missingResult } from "../video/missing-result.ts";
import { linksFor } from "../../gateway/own-links.ts";

export interface ReadImgFNeeds {
  book: TaskBook;
  engine: TaskEngine;
  media: MediaStore;
}

export async function fetchTask(
  needs: ReadImgFNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await own(needs, incoming, caller);
  return jsonAnswer(show(needs, task, incoming));
}

function own({ book }: ReadImgFNeeds, { params }: Incoming, caller: Caller): Promise<Task> {
  return requireOwnTask(book, caller, { kind: "img-f", id: params["id"], param: "id" });
}

/** Show a task; while it runs, the vendor is asked. */
function show({ engine, media }: ReadImgFNeeds, task: Task, incoming: Incoming) {
  if (!isTerminal(task.state)) engine.nudge(task.id);
  return renderImgFTask(task, linksFor(media, incoming));
}

const idsMax = 100;
const bodyBytesMax = 64 * 1024;

/** Those that are not there, or another account's, are left out. */
export async function listByIds(
  needs: ReadImgFNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const { value } = await incoming.json(bodyBytesMax);
  const tasks: Task[] = [];
  for (const id of new Set(readIds(value["ids"]))) {
    const task = await findOwnTask(needs.book, caller, { kind: "img-f", id });
    if (task) tasks.push(task);
  }
  return jsonAnswer(tasks.map((task) => show(needs, task, incoming)));
}

function readIds(value: Json | undefined): string[] {
  const ids = Array.isArray(value) ? value : [];
  const texts = ids.filter((id) => typeof id === "string");
  if (Array.isArray(value) && texts.length === ids.length && ids.length <= idsMax) return texts;
  throw invalid("ids", `must be a list of at most ${idsMax} ids of tasks`);
}

/** The picture itself, from our own storage: the vendor's link may be dead by now. */
export async function readImage(
  needs: ReadImgFNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await own(needs, incoming, caller);
  if (task.state !== "completed") throw missingResult(task.state);
  const image = resultOf(task)?.image ?? null;
  const media = image && (await needs.media.open(image.mediaId));
  if (!media) throw new GatewayError("not_found", { message: "The task has no picture." });
  return mediaAnswer(media, incoming.headers);
}
