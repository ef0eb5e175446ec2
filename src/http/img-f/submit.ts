// What the imgF models are asked for: each create answers in the dialect, with the task's id.
import type { JsonObject } from "../../core/json.ts";
import { renderImgFAccepted, type ImgFCode } from "../../families/index.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { resultOf } from "../../gateway/img-f/render.ts";
import { sayMore, type SayMoreNeeds } from "../../gateway/img-f/say-more.ts";
import { submitImgF, type SubmitImgFNeeds } from "../../gateway/img-f/submit.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import {
  answerCreated,
  createTask,
  webhookFields,
  type CreateTaskNeeds,
  type TaskOrder,
} from "../../gateway/task/create-task.ts";
import { requireOwnTask } from "../../gateway/task/own-task.ts";
import type { Incoming } from "../route.ts";

export interface SubmitRouteNeeds {
  tasks: CreateTaskNeeds;
  submitting: SubmitImgFNeeds;
  sayingMore: SayMoreNeeds;
  bodyBytesMax: number;
}

interface ImgFCreation {
  incoming: Incoming;
  call: OpenCall;
  /** It goes on with a task that is there, which makes no new one. */
  isModal: boolean;
  parse(body: JsonObject): ImgFJob;
}

/** As the dialect calls it, and as all other creates do. */
const hookFields = ["notifyHook", ...webhookFields];

export function submit(needs: SubmitRouteNeeds, creation: ImgFCreation): Promise<Answer> {
  const { incoming, call, isModal } = creation;
  return createTask(needs.tasks, {
    call,
    idempotencyKey: isModal ? null : incoming.headers.get("idempotency-key"),
    async readOrder() {
      const { value } = await incoming.json(needs.bodyBytesMax);
      return toOrder(needs, creation, value);
    },
  });
}

function toOrder(
  { submitting, sayingMore }: SubmitRouteNeeds,
  { call, isModal, parse }: ImgFCreation,
  value: JsonObject,
): TaskOrder<ImgFJob> {
  const { caller } = call;
  let code: ImgFCode | null = null;
  return {
    body: value,
    identity: ({ action }) => ({ action, value }),
    webhookFields: hookFields,
    parse: () => parse(value),
    async prepare(job) {
      const { parentTaskId: id } = job;
      const name = { kind: "img-f", id: id ?? "", param: "taskId" } as const;
      const parent = id === null ? null : await requireOwnTask(sayingMore.book, caller, name);
      return async (terms) => {
        const accepted =
          isModal && parent
            ? await sayMore(sayingMore, parent, job)
            : await submitImgF(submitting, { job, parent, caller, ...terms });
        ({ code } = accepted);
        return accepted.task;
      };
    },
    async answer(created) {
      const { task } = created;
      const result = resultOf(task);
      // Who asks again is told how it stands.
      const shown = code ?? (result?.isModal ? 21 : 1);
      return answerCreated(created, renderImgFAccepted(task.id, shown, result?.properties));
    },
  };
}
