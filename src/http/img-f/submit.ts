// Requests for the imgF models: each create answers in the dialect, with the task's id.
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
  finishCreate,
  nameTask,
  webhookFields,
  type CreateTaskNeeds,
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

/** Names of the field in the dialect, and in all other creates. */
const hookFields = ["notifyHook", ...webhookFields];

export async function submit(needs: SubmitRouteNeeds, creation: ImgFCreation): Promise<Answer> {
  const { incoming, call, isModal } = creation;
  const { tasks, submitting, sayingMore } = needs;
  const { caller } = call;
  call.attempts = 1;
  const { value } = await incoming.json(needs.bodyBytesMax);
  const job = creation.parse(value);
  const webhookUrl = await nameTask(tasks, call, { job, body: value, fields: hookFields });
  const { parentTaskId: id } = job;
  const name = { kind: "img-f", id: id ?? "", param: "taskId" } as const;
  const parent = id === null ? null : await requireOwnTask(sayingMore.book, caller, name);
  const codes: ImgFCode[] = [];
  const created = await createTask(tasks, call, {
    idempotencyKey: isModal ? null : incoming.headers.get("idempotency-key"),
    identity: { action: job.action, value },
    webhookUrl,
    async submit(terms) {
      const { task, code } =
        isModal && parent
          ? await sayMore(sayingMore, parent, job)
          : await submitImgF(submitting, { job, parent, caller, ...terms });
      codes.push(code);
      return task;
    },
  });
  const result = resultOf(created.task);
  // A client that asks again is told how it stands.
  const [shown = result?.isModal ? 21 : 1] = codes;
  const body = renderImgFAccepted(created.task.id, shown, result?.properties);
  return finishCreate(call, answerCreated(created, body));
}
