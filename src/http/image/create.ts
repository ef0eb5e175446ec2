// Images that are made as a task, whether somebody waits for it or not.
import type { JsonObject } from "../../core/json.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { findFamily, parseImage } from "../../gateway/image/serve-image.ts";
import type { RenderImages } from "../../gateway/image/render-image.ts";
import { submitImage, type SubmitImageNeeds } from "../../gateway/image/submit-image.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import { createTask, type CreateTaskNeeds } from "../../gateway/task/create-task.ts";
import type { CreatedTask } from "../../gateway/task/idempotency.ts";
import { isForm } from "../multipart.ts";
import type { Incoming } from "../route.ts";

export interface CreateImageNeeds {
  tasks: CreateTaskNeeds;
  submitting: SubmitImageNeeds;
  bodyBytesMax: number;
}

export interface ImageCreation {
  kind: ImageJob["kind"];
  incoming: Incoming;
  call: OpenCall;
  /** Absent where the answer is in OpenAI's words. */
  render?: RenderImages;
}

/** Image that is asked for, as its family reads it. */
interface AskedImage {
  family: ImageFamily;
  job: ImageJob;
  /** The body as it came. */
  value: JsonObject;
  bytes: number;
}

export async function readImage(
  { bodyBytesMax }: CreateImageNeeds,
  { kind, incoming, call }: ImageCreation,
): Promise<AskedImage> {
  call.attempts = 1;
  const { value, bytes } = await incoming.jsonOrForm(bodyBytesMax);
  const family = findFamily({ kind, body: value });
  const job = parseImage(family, { kind, isForm: isForm(incoming.headers), body: value });
  return { family, job, value, bytes };
}

/** The part of an order that depends on whether somebody waits. */
interface ImageOrder extends Pick<AskedImage, "family" | "job" | "bytes"> {
  identity: JsonObject;
  webhookUrl: string | null;
  /** Part of it that is submitted. */
  body: JsonObject;
}

export function createImageTask(
  { tasks, submitting }: CreateImageNeeds,
  { incoming, call }: ImageCreation,
  { identity, webhookUrl, ...order }: ImageOrder,
): Promise<CreatedTask> {
  const { hops } = incoming.scope;
  const { caller } = call;
  return createTask(tasks, call, {
    idempotencyKey: incoming.headers.get("idempotency-key"),
    identity,
    webhookUrl,
    submit: (terms) => submitImage(submitting, { ...order, caller, hops, ...terms }),
  });
}
