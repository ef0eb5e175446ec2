// The video routes.
import { GatewayError, toGatewayError } from "../core/errors.ts";
import type { TaskId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { VideoFamily } from "../families/family.ts";
import { findVideoFamily } from "../families/index.ts";
import { jsonAnswer, type Answer } from "../gateway/answer.ts";
import { submittedOutcome } from "../gateway/outcome.ts";
import { familyOf, renderVideo, type LinkTo } from "../gateway/video/render.ts";
import { submitVideo, type SubmitParts } from "../gateway/video/submit.ts";
import type { Caller } from "../identity/caller.ts";
import type { MediaStore } from "../media/media.ts";
import { listTasks } from "../tasks/queries.ts";
import { fromRow } from "../tasks/row.ts";
import { isTerminal, type Task } from "../tasks/task.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { mediaAnswer } from "./media.ts";
import type { Incoming, KeyCall, KeyRoute } from "./route.ts";

export interface VideoParts extends SubmitParts {
  database: Database;
  store: Store;
  media: MediaStore;
  linkTo: LinkTo;
  bodyBytesMax: number;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
}

const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;

export function videoRoutes(parts: VideoParts): KeyRoute[] {
  const free = { ...key, isPaid: false } as const;
  const paid = { ...key, isPaid: true, method: "POST" } as const;
  return [
    { ...paid, path: "/v1/videos", serve: (incoming, call) => create(parts, incoming, call) },
    {
      ...free,
      method: "GET",
      path: "/v1/videos",
      serve: (incoming, { caller }) => list(parts, incoming, caller),
    },
    {
      ...free,
      method: "GET",
      path: "/v1/videos/{id}",
      serve: ({ params }, { caller }) => read(parts, params["id"], caller),
    },
    {
      ...free,
      method: "GET",
      path: "/v1/videos/{id}/content",
      serve: (incoming, { caller }) => readContent(parts, incoming, caller),
    },
    {
      ...free,
      method: "DELETE",
      path: "/v1/videos/{id}",
      serve: ({ params }, { caller }) => remove(parts, params["id"], caller),
    },
    {
      ...paid,
      path: "/v1/video/generations",
      serve: (incoming, call) => createUnified(parts, incoming, call),
    },
    {
      ...free,
      method: "GET",
      path: "/v1/video/generations/{id}",
      serve: ({ params }, { caller }) => read(parts, params["id"], caller),
    },
  ];
}

async function create(parts: VideoParts, incoming: Incoming, call: KeyCall): Promise<Answer> {
  const { value } = await incoming.jsonOrForm(parts.bodyBytesMax);
  return await submit(parts, value, { incoming, call });
}

/** The unified route has fields of its own, which each family reads in its way. */
async function createUnified(
  parts: VideoParts,
  incoming: Incoming,
  call: KeyCall,
): Promise<Answer> {
  const { value } = await incoming.jsonOrForm(parts.bodyBytesMax);
  try {
    return await submit(parts, familyFor(value).unified?.(value) ?? value, { incoming, call });
  } catch (error) {
    const shown = toGatewayError(error);
    if (shown.status === 429) shown.envelope = "b";
    throw shown;
  }
}

function familyFor(body: JsonObject): VideoFamily {
  const { model } = body;
  if (typeof model !== "string" || model === "") {
    throw new GatewayError("invalid_request", { param: "model", message: "model is required" });
  }
  const family = findVideoFamily(model);
  if (!family) throw new GatewayError("model_not_found", { param: "model" });
  return family;
}

async function submit(
  parts: VideoParts,
  body: JsonObject,
  { incoming, call }: { incoming: Incoming; call: KeyCall },
): Promise<Answer> {
  const { caller, admission, ended } = call;
  const { scope } = incoming;
  let model = "";
  try {
    const family = familyFor(body);
    const task = await inEnvelope(family, async () => {
      const job = family.parse(body);
      ({ model } = job);
      return await submitVideo(parts, { family, job, body, caller, scope, webhookUrl: null });
    });
    ended(submittedOutcome(task.model, null));
    return jsonAnswer(renderVideo(task, parts.linkTo, true));
  } catch (error) {
    const shown = toGatewayError(error);
    ended(submittedOutcome(model, shown));
    throw shown;
  } finally {
    admission.release();
  }
}

async function inEnvelope<Value>(
  { envelope }: VideoFamily,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const shown = toGatewayError(error);
    shown.envelope = envelope;
    throw shown;
  }
}

async function read(parts: VideoParts, id: string | undefined, caller: Caller): Promise<Answer> {
  const task = await own(parts, id, caller);
  const answer = jsonAnswer(renderVideo(task, parts.linkTo));
  if (isTerminal(task.state)) return answer;
  return { ...answer, headers: { "openai-poll-after-ms": String(parts.pollAfterMs) } };
}

/** The video itself, from our own storage: the vendor's link may be dead by now. */
async function readContent(
  parts: VideoParts,
  { params, headers }: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await own(parts, params["id"], caller);
  return await inEnvelope(familyOf(task), async () => {
    if (task.state !== "completed") throw new GatewayError("task_not_finished");
    const media = task.result?.kind === "kept" && (await parts.media.open(task.result.mediaId));
    if (!media) throw new GatewayError("not_found", { message: "The video is not kept any more." });
    return mediaAnswer(media, headers);
  });
}

/** Another account's task does not exist. */
async function own({ book }: VideoParts, id: string | undefined, caller: Caller): Promise<Task> {
  const task = await book.find((id ?? "") as TaskId);
  if (task?.accountId === caller.accountId && task.kind === "video") return task;
  throw new GatewayError("task_not_found");
}

const pageSizeDefault = 20;
const pageSizeMax = 100;

async function list(
  { database, store, linkTo }: VideoParts,
  { query }: Incoming,
  { accountId }: Caller,
): Promise<Answer> {
  const limit = Number(query.get("limit") ?? pageSizeDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    const message = `limit must be from 1 to ${pageSizeMax}`;
    throw new GatewayError("invalid_request", { param: "limit", message });
  }
  const order = query.get("order") === "asc" ? "asc" : "desc";
  const after = (query.get("after") ?? null) as TaskId | null;
  await store.applied();
  const rows = await listTasks(database, {
    accountId,
    kind: "video",
    after,
    order,
    limit: limit + 1,
  });
  const tasks = rows.slice(0, limit).map(fromRow);
  return jsonAnswer({
    object: "list",
    data: tasks.map((task) => renderVideo(task, linkTo)),
    has_more: rows.length > limit,
    first_id: tasks[0]?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
  });
}

async function remove(parts: VideoParts, id: string | undefined, caller: Caller): Promise<Answer> {
  const task = await own(parts, id, caller);
  await inEnvelope(familyOf(task), async () => {
    if (!isTerminal(task.state)) throw new GatewayError("task_not_finished");
    await parts.book.remove(task);
  });
  return jsonAnswer({ id: task.id, object: "video.deleted", deleted: true });
}
