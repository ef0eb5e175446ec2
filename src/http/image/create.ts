// Images that are made as a task, whether somebody waits for it or not.
import type { JsonObject } from "../../core/json.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { findFamily, parseImage } from "../../gateway/image/serve-image.ts";
import { submitImage, type SubmitImageNeeds } from "../../gateway/image/submit-image.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import {
  createTask,
  type CreateTaskNeeds,
  type TaskOrder,
} from "../../gateway/task/create-task.ts";
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
}

type Order = TaskOrder<ImageJob>;

/** What depends on whether somebody waits. */
interface ImageManner extends Pick<Order, "identity" | "webhookFields" | "answer"> {
  /** What is submitted of it, or the refusal. */
  admit(job: ImageJob): { job: ImageJob; body: JsonObject };
}

export function createImageTask(
  { tasks, submitting, bodyBytesMax }: CreateImageNeeds,
  { kind, incoming, call }: ImageCreation,
  mannerOf: (value: JsonObject, family: ImageFamily) => ImageManner,
): Promise<Answer> {
  const { headers, scope } = incoming;
  const { caller } = call;
  return createTask(tasks, {
    call,
    idempotencyKey: headers.get("idempotency-key"),
    async readOrder() {
      const { value, bytes } = await incoming.jsonOrForm(bodyBytesMax);
      const family = findFamily({ kind, body: value });
      const { admit, ...manner } = mannerOf(value, family);
      return {
        ...manner,
        body: value,
        parse: () => parseImage(family, { kind, isForm: isForm(headers), body: value }),
        async prepare(parsed) {
          const { job, body } = admit(parsed);
          const order = { family, job, body, caller, bytes, hops: scope.hops };
          return (terms) => submitImage(submitting, { ...order, ...terms });
        },
      };
    },
  });
}
