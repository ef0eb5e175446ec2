// Images under a key of the client's own: they are made as a task that the client waits for, so
// that the same request finds them again, whatever became of the connection.
import { toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { answerMade } from "../../gateway/image/answer-image.ts";
import { awaitTask, openTaskImages, type AwaitParts } from "../../gateway/image/await-task.ts";
import { deliveryOf, findFamily } from "../../gateway/image/serve-image.ts";
import { submitImage, type SubmitImageParts } from "../../gateway/image/submit-image.ts";
import { submittedOutcome } from "../../gateway/outcome.ts";
import type { Made } from "../../gateway/task/idempotency.ts";
import { isForm } from "../multipart.ts";
import type { Incoming, KeyCall } from "../route.ts";
import { makeOnce, type CreateParts } from "../task/create.ts";

export interface OnceParts extends AwaitParts, SubmitImageParts, CreateParts {
  bodyBytesMax: number;
}

interface Ask {
  incoming: Incoming;
  call: KeyCall;
}

export function isOnce({ headers }: Incoming): boolean {
  return headers.has("idempotency-key");
}

export async function serveOnce(
  parts: OnceParts,
  kind: ImageJob["kind"],
  ask: Ask,
): Promise<Answer> {
  const { incoming, call } = ask;
  const { value, bytes } = await incoming.jsonOrForm(parts.bodyBytesMax);
  let [model, taskId] = ["", ""];
  try {
    const family = findFamily({ kind, body: value });
    const job = family.parse(value, { kind, isForm: isForm(incoming.headers) });
    ({ model } = job);
    const made = await make(parts, ask, { family, job, value, bytes });
    taskId = made.task.id;
    const task = await awaitTask(parts, made.task, incoming.scope.signal);
    const served = await openTaskImages(parts, task, deliveryOf(family, job, value));
    call.ended({ ...submittedOutcome(model, null), taskId });
    const replayed = made.isRepeated ? { "idempotent-replayed": "true" } : {};
    return await answerMade(served, job, { ...call.admission.headers, ...replayed });
  } catch (error) {
    const shown = toGatewayError(error);
    call.ended({ ...submittedOutcome(model, shown), ...(taskId !== "" && { taskId }) });
    throw shown;
  } finally {
    call.admission.release();
  }
}

interface Read {
  family: ImageFamily;
  job: ImageJob;
  value: JsonObject;
  bytes: number;
}

async function make(
  parts: OnceParts,
  { incoming, call }: Ask,
  { family, job, value, bytes }: Read,
): Promise<Made> {
  const { headers, scope } = incoming;
  const { caller } = call;
  const whole: ImageJob = { ...job, stream: false, partialImages: null };
  const { hops } = scope;
  const asked = { family, job: whole, body: value, caller, bytes, hops, webhookUrl: null };
  // Another kind of create is another request, whatever its body says.
  const once = {
    headers,
    accountId: caller.accountId,
    value: { isAwaited: true, kind: job.kind, value },
  };
  return await makeOnce(parts, once, (create) => submitImage(parts, { ...asked, create }));
}
