// Images for which nobody waits: a create answers with a task, and the task is asked about.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { readImageRow } from "../../families/image-row.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { openBase64Task } from "../../gateway/image/task/base64-task.ts";
import { renderImageTask, renderNewImageTask } from "../../gateway/image/task/render.ts";
import {
  answerCreated,
  finishCreate,
  nameTask,
  webhookFields,
} from "../../gateway/task/create-task.ts";
import { requireOwnTask } from "../../gateway/task/own-task.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore } from "../../media/media.ts";
import type { TaskBook } from "../../tasks/book.ts";
import { isTerminal } from "../../tasks/task.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { imageEntries as entries } from "./entries.ts";
import { createImageTask, readImage, type CreateImageNeeds, type ImageCreation } from "./create.ts";
import { linksFor } from "../../gateway/own-links.ts";

export interface ImageTaskRouteNeeds {
  creating: CreateImageNeeds;
  book: TaskBook;
  media: MediaStore;
  /** The wait told to clients that poll by themselves. */
  pollAfterMs: number;
}

const paths: readonly [path: string, kind: ImageJob["kind"], entry: ReferenceEntry][] = [
  ["/v1/images/generations/async", "generate", entries.generateTask],
  ["/v1/images/edits/async", "edit", entries.editTask],
];

export function imageTaskRoutes(needs: ImageTaskRouteNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  return paths.flatMap(([path, kind, entry]): KeyRoute[] => [
    {
      ...key,
      isPaid: true,
      method: "POST",
      path,
      entry,
      serve: (incoming, call) => create(needs.creating, { kind, incoming, call }),
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: `${path}/{taskId}`,
      entry: entries.readTask,
      serve: (incoming, { caller }) => read(needs, incoming, caller),
    },
  ]);
}

async function create(needs: CreateImageNeeds, creation: ImageCreation): Promise<Answer> {
  const { call } = creation;
  const { job, value, family, bytes } = await readImage(needs, creation);
  const webhookUrl = await nameTask(needs.tasks, call, { job, body: value });
  if (job.stream) {
    const message = "stream is not for asynchronous tasks.";
    throw new GatewayError("invalid_request", { param: "stream", message });
  }
  const identity = { kind: job.kind, value };
  const body = withoutWebhook(value);
  const order = { identity, webhookUrl, family, job, body, bytes };
  const created = await createImageTask(needs, creation, order);
  return finishCreate(call, answerCreated(created, renderNewImageTask(created.task)));
}

/** Take the webhook out: its receiver is told of the end by us. */
function withoutWebhook(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !webhookFields.includes(name)));
}

async function read(
  needs: ImageTaskRouteNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const name = { kind: "image", id: incoming.params["taskId"], param: "taskId" } as const;
  const task = await requireOwnTask(needs.book, caller, name);
  const isBase64 = readImageRow(task.job).delivery === "b64_json";
  if (task.state === "completed" && isBase64) {
    const body = await openBase64Task(needs.media, task);
    return { status: 200, contentType: "application/json", body };
  }
  const answer = jsonAnswer(renderImageTask(task, linksFor(needs.media, incoming)));
  if (isTerminal(task.state)) return answer;
  return { ...answer, headers: { "openai-poll-after-ms": String(needs.pollAfterMs) } };
}
