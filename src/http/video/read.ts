// Questions about videos that are there: none of them costs anything.
import { invalid } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { inEnvelope } from "../envelopes/enveloped-error.ts";
import { linksFor, type Links } from "../../gateway/own-links.ts";
import type { TaskEvents } from "../../gateway/task/events.ts";
import type { Creates } from "../../gateway/task/idempotency.ts";
import { requireOwnTask } from "../../gateway/task/own-task.ts";
import { cancelVideo, type CancelNeeds } from "../../gateway/video/cancel.ts";
import { familyOf, renderVideo } from "../../gateway/video/render.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import { listTasks } from "../../tasks/queries.ts";
import { fromRow } from "../../tasks/row.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import type { Incoming } from "../route.ts";

export interface ReadVideoNeeds {
  book: TaskBook;
  engine: TaskEngine;
  events: TaskEvents;
  creates: Creates;
  cancelling: CancelNeeds;
  database: Database;
  store: Store;
  media: MediaStore;
  /** The wait told to clients that poll by themselves. */
  pollAfterMs: number;
}

export function ownVideo(book: TaskBook, { params }: Incoming, caller: Caller): Promise<Task> {
  return requireOwnTask(book, caller, { kind: "video", id: params["id"] });
}

export async function showVideo(
  needs: ReadVideoNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  return answerTask(needs, task, jsonAnswer(renderVideo(task, linksFor(needs.media, incoming))));
}

/** Tell a client that asks about a running task when to ask again, and have the vendor asked. */
export function answerTask(needs: ReadVideoNeeds, { id, state }: Task, answer: Answer): Answer {
  if (isTerminal(state)) return answer;
  needs.engine.nudge(id);
  return { ...answer, headers: { "openai-poll-after-ms": String(needs.pollAfterMs) } };
}

export async function streamEvents(
  needs: ReadVideoNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  const links = linksFor(needs.media, incoming);
  const body = needs.events.open(task, (changed) => renderVideo(changed, links));
  return { status: 200, contentType: "text/event-stream", body };
}

const pageSizeDefault = 20;
const pageSizeMax = 100;

export async function listVideos(
  needs: ReadVideoNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const { database, store, book, media } = needs;
  const { query } = incoming;
  const links = linksFor(media, incoming);
  const { accountId, keyId } = caller;
  const createKey = query.get("idempotency_key");
  if (createKey !== null) return await listMade(needs, caller, { createKey, links });
  const limit = Number(query.get("limit") ?? pageSizeDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    throw invalid("limit", `must be from 1 to ${pageSizeMax}`);
  }
  const order = query.get("order") === "asc" ? "asc" : "desc";
  const after = (query.get("after") ?? null) as TaskId | null;
  await store.applied();
  const page = { accountId, keyId, kind: "video", after, order, limit: limit + 1 } as const;
  const rows = await listTasks(database, page);
  const tasks = rows.slice(0, limit).map((row) => book.latest(fromRow(row)));
  return jsonAnswer({ ...toList(links, tasks), has_more: rows.length > limit });
}

/** The one that was made by a create with this key; the key in the answer says that it was read. */
async function listMade(
  needs: ReadVideoNeeds,
  caller: Caller,
  { createKey, links }: { createKey: string; links: Links },
): Promise<Answer> {
  const task = await needs.creates.findMade(caller, createKey);
  const tasks = task?.kind === "video" ? [task] : [];
  return jsonAnswer({ ...toList(links, tasks), idempotency_key: createKey, has_more: false });
}

function toList(links: Links, tasks: readonly Task[]): JsonObject {
  return {
    object: "list",
    data: tasks.map((task) => renderVideo(task, links)),
    first_id: tasks[0]?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
  };
}

/** Delete a task that has ended; one that runs is stopped first, where that is possible. */
export async function removeVideo(
  needs: ReadVideoNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  await inEnvelope(familyOf(task).envelope, async () => {
    if (isTerminal(task.state)) await needs.book.remove(task);
    else await cancelVideo(needs.cancelling, task);
  });
  return jsonAnswer({ id: task.id, object: "video.deleted", deleted: true });
}
