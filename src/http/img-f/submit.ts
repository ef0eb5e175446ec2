// What the imgF models are asked for: each create answers in the dialect, with the task's id.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { renderImgFAccepted, type ImgFCode } from "../../families/index.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { resultOf } from "../../gateway/img-f/render.ts";
import { sayMore } from "../../gateway/img-f/say-more.ts";
import { submitImgF } from "../../gateway/img-f/submit.ts";
import { submittedOutcome } from "../../gateway/outcome.ts";
import type { Made } from "../../gateway/task/idempotency.ts";
import { kindOf } from "../../gateway/task/kinds.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Task } from "../../tasks/task.ts";
import type { Incoming, KeyCall } from "../route.ts";
import { answerMade, makeOnce, readWebhookUrl, webhookFields } from "../task/create.ts";
import type { ImgFParts } from "./parts.ts";

interface Ask {
  incoming: Incoming;
  call: KeyCall;
  parse(body: JsonObject): ImgFJob;
}

/** As the dialect calls it, and as all other creates do. */
const hookFields = ["notifyHook", ...webhookFields];

export async function submit(parts: ImgFParts, ask: Ask): Promise<Answer> {
  const { incoming, call } = ask;
  const { admission, ended } = call;
  let model = "";
  try {
    const { value } = await incoming.json(parts.bodyBytesMax);
    const job = ask.parse(value);
    ({ model } = job);
    const made = await make(parts, { ...ask, value }, job);
    ended({ ...submittedOutcome(model, null), taskId: made.task.id });
    const { task, code } = made;
    return answerMade(made, renderImgFAccepted(task.id, code, resultOf(task)?.properties));
  } catch (error) {
    const shown = toGatewayError(error);
    ended(submittedOutcome(model, shown));
    throw shown;
  } finally {
    admission.release();
  }
}

interface Coded extends Made {
  code: ImgFCode;
}

async function make(
  parts: ImgFParts,
  { incoming, call, value }: Ask & { value: JsonObject },
  job: ImgFJob,
): Promise<Coded> {
  const { caller } = call;
  const webhookUrl = readWebhookUrl(value, parts, hookFields);
  const parent =
    job.parentTaskId === null ? null : await findOwn(parts, job.parentTaskId, caller, "taskId");
  if (parent && job.action === "modal") {
    return { ...(await sayMore(parts, parent, job)), isRepeated: false };
  }
  let said: ImgFCode | null = null;
  const once = {
    headers: incoming.headers,
    accountId: caller.accountId,
    value: { action: job.action, value },
  };
  const made = await makeOnce(parts, once, async (create) => {
    const { task, code } = await submitImgF(parts, { job, parent, caller, webhookUrl, create });
    said = code;
    return task;
  });
  return { ...made, code: said ?? codeOf(made.task) };
}

/** For who asks again. */
function codeOf(task: Task): ImgFCode {
  return resultOf(task)?.isModal ? 21 : 1;
}

/** Another account's task does not exist. */
export async function findOwn(
  { book }: Pick<ImgFParts, "book">,
  id: string,
  { accountId }: Caller,
  param: string,
): Promise<Task> {
  const task = await book.find(id as TaskId);
  if (task?.accountId === accountId && kindOf(task) === "img-f") return task;
  throw new GatewayError("task_not_found", { param });
}
