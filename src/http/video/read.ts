// What is asked about videos that are there: none of it costs anything.
import { GatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { cancelVideo } from "../../gateway/video/cancel.ts";
import { familyOf, renderVideo } from "../../gateway/video/render.ts";
import type { Caller } from "../../identity/caller.ts";
import type { OpenMedia } from "../../media/media.ts";
import { listTasks } from "../../tasks/queries.ts";
import { fromRow } from "../../tasks/row.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import { mediaAnswer } from "../media.ts";
import type { Incoming } from "../route.ts";
import { inEnvelope } from "./create.ts";
import type { VideoParts } from "./parts.ts";

/** Another account's task does not exist. */
export async function ownVideo(
  { book }: VideoParts,
  { params }: Incoming,
  { accountId }: Caller,
): Promise<Task> {
  const task = await book.find((params["id"] ?? "") as TaskId);
  if (task?.accountId === accountId && task.kind === "video") return task;
  throw new GatewayError("task_not_found");
}

export async function readVideo(
  parts: VideoParts,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(parts, incoming, caller);
  return answerTask(parts, task, jsonAnswer(renderVideo(task, parts.linkTo)));
}

/** Whoever asks about a task that runs is told when to ask again, and has the vendor asked. */
export function answerTask(parts: VideoParts, { id, state }: Task, answer: Answer): Answer {
  if (isTerminal(state)) return answer;
  parts.engine.nudge(id);
  return { ...answer, headers: { "openai-poll-after-ms": String(parts.pollAfterMs) } };
}

/** The video itself, from our own storage: the vendor's link may be dead by now. */
export async function readContent(
  parts: VideoParts,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(parts, incoming, caller);
  return await inEnvelope(familyOf(task).envelope, async () => {
    if (task.state !== "completed") throw new GatewayError("task_not_finished");
    const media = await openResult(parts, task);
    if (!media) throw new GatewayError("not_found", { message: "The video is not kept any more." });
    return mediaAnswer(media, incoming.headers);
  });
}

async function openResult(
  { media, worker, book }: VideoParts,
  task: Task,
): Promise<OpenMedia | null> {
  let { result } = task;
  if (result?.kind === "vendor") {
    result = await worker.copyLate(task);
    if (result) await book.move(task, result);
  }
  return result?.kind === "kept" ? await media.open(result.mediaId) : null;
}

export async function readEvents(
  parts: VideoParts,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(parts, incoming, caller);
  return { status: 200, contentType: "text/event-stream", body: parts.events.open(task) };
}

const pageSizeDefault = 20;
const pageSizeMax = 100;

export async function listVideos(
  { database, store, book, linkTo }: VideoParts,
  { query }: Incoming,
  { accountId, keyId }: Caller,
): Promise<Answer> {
  const limit = Number(query.get("limit") ?? pageSizeDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    const message = `limit must be from 1 to ${pageSizeMax}`;
    throw new GatewayError("invalid_request", { param: "limit", message });
  }
  const order = query.get("order") === "asc" ? "asc" : "desc";
  const after = (query.get("after") ?? null) as TaskId | null;
  await store.applied();
  const page = { accountId, keyId, kind: "video", after, order, limit: limit + 1 } as const;
  const rows = await listTasks(database, page);
  const tasks = rows.slice(0, limit).map((row) => book.latest(fromRow(row)));
  return jsonAnswer({
    object: "list",
    data: tasks.map((task) => renderVideo(task, linkTo)),
    has_more: rows.length > limit,
    first_id: tasks[0]?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
  });
}

/** What has ended is deleted; what runs is stopped first, where that is possible. */
export async function removeVideo(
  parts: VideoParts,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(parts, incoming, caller);
  await inEnvelope(familyOf(task).envelope, async () => {
    if (isTerminal(task.state)) await parts.book.remove(task);
    else await cancelVideo(parts, task);
  });
  return jsonAnswer({ id: task.id, object: "video.deleted", deleted: true });
}
