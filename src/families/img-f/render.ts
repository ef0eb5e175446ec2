// The imgF dialect: a task as its clients poll it, and what they are told at once.
import type { Json, JsonObject } from "../../core/json.ts";
import type { ImgFJob } from "../img-f-job.ts";

export interface ImgFView {
  id: string;
  job: ImgFJob;
  /** `modal` waits until its owner says more. */
  status: "queued" | "in_progress" | "modal" | "completed" | "failed";
  /** Percent; 100 once it is completed. */
  progress: number;
  submittedAtMs: number;
  /** Null until the vendor has it. */
  startedAtMs: number | null;
  /** Null until it has ended. */
  endedAtMs: number | null;
  /** Null until there is a picture. */
  imageUrl: string | null;
  failReason: string | null;
  promptEn: string | null;
  /** The content of a picture in words, or the vendor's word on the task. */
  description: string | null;
  buttons: Json[];
  properties: JsonObject;
}

const statuses = {
  in_progress: "IN_PROGRESS",
  modal: "MODAL",
  completed: "SUCCESS",
  failed: "FAILURE",
} as const;

/** Times are in milliseconds, and those that have not come yet are zero. */
export function render(view: ImgFView): JsonObject {
  const { job } = view;
  const isDone = view.status === "completed";
  return {
    id: view.id,
    action: actionOf(job),
    status: statusOf(view),
    prompt: promptOf(view),
    promptEn: view.promptEn ?? job.prompt ?? "",
    description: view.description ?? "",
    state: job.state ?? "",
    submitTime: view.submittedAtMs,
    startTime: view.startedAtMs ?? 0,
    finishTime: view.endedAtMs ?? 0,
    progress: `${isDone ? 100 : percent(view.progress)}%`,
    imageUrl: view.imageUrl ?? "",
    failReason: view.status === "failed" ? (view.failReason ?? "The task failed.") : "",
    buttons: view.buttons,
    properties: { finalPrompt: view.promptEn ?? job.prompt ?? "", ...view.properties },
  };
}

/** The description of a picture is a prompt for another one like it. */
function promptOf({ job, promptEn }: ImgFView): string {
  return job.prompt ?? (job.action === "describe" ? promptEn : null) ?? "";
}

function statusOf({ status, startedAtMs }: ImgFView): string {
  if (status !== "queued") return statuses[status];
  return startedAtMs === null ? "NOT_START" : "SUBMITTED";
}

function percent(progress: number): number {
  return Number.isFinite(progress) ? Math.min(Math.max(Math.round(progress), 0), 99) : 0;
}

/** Actions by the names of their buttons. */
const buttonActions: readonly [pattern: RegExp, action: string][] = [
  [/upsample|upscale/i, "UPSCALE"],
  [/variation/i, "VARIATION"],
  [/reroll/i, "REROLL"],
  [/zoom|outpaint/i, "ZOOM"],
  [/pan_/i, "PAN"],
  [/inpaint/i, "INPAINT"],
  [/imagine|picread/i, "IMAGINE"],
];

function actionOf({ action, change, customId }: ImgFJob): string {
  if (action === "change") return change ?? "CHANGE";
  if (action !== "action") return action.toUpperCase();
  return buttonActions.find(([pattern]) => pattern.test(customId ?? ""))?.[1] ?? "ACTION";
}

/** 1 is taken, 21 waits for a modal, 22 waits in the queue. */
export type ImgFCode = 1 | 21 | 22;

const descriptions: Readonly<Record<ImgFCode, string>> = {
  1: "Submit success",
  21: "Waiting for window confirm",
  22: "In queue",
};

/** The answer to a request that was taken. */
export function renderAccepted(
  taskId: string,
  code: ImgFCode,
  properties: JsonObject = {},
): JsonObject {
  return { code, description: descriptions[code], result: taskId, properties };
}
