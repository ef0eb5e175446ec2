// Images for which nobody waits: a create answers with a task, and the task is asked about.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { readImageRow } from "../../families/image-row.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { findFamily } from "../../gateway/image/serve-image.ts";
import { submitImage, type SubmitImageParts } from "../../gateway/image/submit-image.ts";
import { openBase64Task } from "../../gateway/image/task/base64-task.ts";
import type { ImageTaskTools } from "../../gateway/image/task/open-image-tasks.ts";
import { renderImageTask, renderNewImageTask } from "../../gateway/image/task/render.ts";
import { submittedOutcome } from "../../gateway/outcome.ts";
import type { Made } from "../../gateway/task/idempotency.ts";
import { kindOf } from "../../gateway/task/kinds.ts";
import type { Caller } from "../../identity/caller.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import { isForm } from "../multipart.ts";
import type { Incoming, KeyCall, KeyRoute } from "../route.ts";
import { answerMade, makeOnce, readWebhookUrl, webhookFields } from "../task/create.ts";
import { imageEntries as entries } from "./entries.ts";

export interface ImageTaskParts extends SubmitImageParts, ImageTaskTools {
  bodyBytesMax: number;
}

const paths: readonly [path: string, kind: ImageJob["kind"], entry: ReferenceEntry][] = [
  ["/v1/images/generations/async", "generate", entries.generateTask],
  ["/v1/images/edits/async", "edit", entries.editTask],
];

export function imageTaskRoutes(parts: ImageTaskParts): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  return paths.flatMap(([path, kind, entry]): KeyRoute[] => [
    {
      ...key,
      isPaid: true,
      method: "POST",
      path,
      entry,
      serve: (incoming, call) => create(parts, kind, { incoming, call }),
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: `${path}/{taskId}`,
      entry: entries.readTask,
      serve: (incoming, { caller }) => read(parts, incoming, caller),
    },
  ]);
}

interface Ask {
  incoming: Incoming;
  call: KeyCall;
}

async function create(parts: ImageTaskParts, kind: ImageJob["kind"], ask: Ask): Promise<Answer> {
  const { incoming, call } = ask;
  const { admission, ended } = call;
  let model = "";
  try {
    const { value, bytes } = await incoming.jsonOrForm(parts.bodyBytesMax);
    const family = findFamily({ kind, body: value });
    const job = family.parse(value, { kind, isForm: isForm(incoming.headers) });
    ({ model } = job);
    const made = await make(parts, ask, { family, job, value, bytes });
    ended({ ...submittedOutcome(model, null), taskId: made.task.id });
    return answerMade(made, renderNewImageTask(made.task));
  } catch (error) {
    const shown = toGatewayError(error);
    ended(submittedOutcome(model, shown));
    throw shown;
  } finally {
    admission.release();
  }
}

interface Read {
  family: ImageFamily;
  job: ImageJob;
  value: JsonObject;
  bytes: number;
}

async function make(
  parts: ImageTaskParts,
  { incoming, call }: Ask,
  { family, job, value, bytes }: Read,
): Promise<Made> {
  if (job.stream) {
    const message = "stream is not for asynchronous tasks.";
    throw new GatewayError("invalid_request", { param: "stream", message });
  }
  const { headers, scope } = incoming;
  const { caller } = call;
  const webhookUrl = readWebhookUrl(value, parts);
  const body = withoutWebhook(value);
  const asked = { family, job, body, caller, bytes, hops: scope.hops, webhookUrl };
  const once = { headers, accountId: caller.accountId, value: { kind: job.kind, value } };
  return await makeOnce(parts, once, (create) => submitImage(parts, { ...asked, create }));
}

/** Who is told of the end is told by us. */
function withoutWebhook(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !webhookFields.includes(name)));
}

/** Another account's task does not exist. */
async function ownTask(
  { book }: ImageTaskParts,
  { params }: Incoming,
  { accountId }: Caller,
): Promise<Task> {
  const task = await book.find((params["taskId"] ?? "") as TaskId);
  if (task?.accountId === accountId && kindOf(task) === "image") return task;
  throw new GatewayError("task_not_found", { param: "taskId" });
}

async function read(parts: ImageTaskParts, incoming: Incoming, caller: Caller): Promise<Answer> {
  const task = await ownTask(parts, incoming, caller);
  const isBase64 = readImageRow(task.job).delivery === "b64_json";
  if (task.state === "completed" && isBase64) {
    const body = await openBase64Task(parts.media, task);
    return { status: 200, contentType: "application/json", body };
  }
  const answer = jsonAnswer(renderImageTask(task, parts.linkTo));
  if (isTerminal(task.state)) return answer;
  return { ...answer, headers: { "openai-poll-after-ms": String(parts.pollAfterMs) } };
}
