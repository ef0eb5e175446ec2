// A task as the proxy shows it, and the picture that comes of it.
import type { JsonObject } from "../../src/core/json.ts";
import { noFaults, withoutDirectives } from "../directives.ts";
import type { Job, JobBook, JobState } from "../jobs.ts";
import { drawPicture, type PictureAsk } from "../picture/index.ts";
import { pictureLink } from "../picture/links.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { buttonsOf, type Parent } from "./buttons.ts";

export const vendor = "midjourney";
export const prefix = "/midjourney";

/** One request of a key. */
export interface Visit {
  request: VendorRequest;
  key: string;
  jobs: JobBook;
}

const statuses: Readonly<Record<JobState, string>> = {
  queued: "SUBMITTED",
  running: "IN_PROGRESS",
  succeeded: "SUCCESS",
  failed: "FAILURE",
  filtered: "FAILURE",
  cancelled: "CANCEL",
};
const failReasons: Partial<Record<JobState, string>> = {
  failed: "The picture could not be made.",
  filtered: "Banned prompt detected.",
};

export function statusOf(job: Job, jobs: JobBook): string {
  return isWaiting(job) ? "MODAL" : statuses[jobs.stand(job).state];
}

/** More has to be said before it goes on. */
export function isWaiting({ details }: Job): boolean {
  return details["waits"] === true;
}

export function parentOf({ id, details }: Job): Parent {
  const { makes } = details;
  return { id, makes: makes === "single" || makes === "words" ? makes : "grid" };
}

export function showTask({ request, jobs }: Visit, job: Job): JsonObject {
  const { state, progress, endedMs } = jobs.stand(job);
  const isDone = state === "succeeded";
  const prompt = textOf(job.details["words"]) ?? job.prompt;
  return {
    id: job.id,
    action: job.details["action"] ?? "",
    status: statusOf(job, jobs),
    prompt: isDone || job.details["words"] === undefined ? prompt : "",
    promptEn: isDone || job.details["words"] === undefined ? prompt : "",
    description: job.details["description"] ?? "",
    state: job.reference ?? "",
    submitTime: job.createdMs,
    startTime: state === "queued" ? 0 : job.createdMs,
    finishTime: endedMs ?? 0,
    progress: `${isWaiting(job) ? 0 : progress}%`,
    imageUrl: isDone ? pictureLink(request, prefix, pictureOf(job)) : "",
    failReason: failReasons[state] ?? "",
    buttons: isDone ? buttonsOf(parentOf(job)).map((button) => ({ ...button })) : [],
    // Those of the account are for the proxy's operator alone.
    properties: { finalPrompt: isDone ? prompt : "", discordInstanceId: "1118138338562560102" },
  };
}

/** The picture itself, of a task that has one. */
export function drawTask({ key, jobs }: Visit, id: string): Answer | null {
  const job = jobs.find(vendor, key, id);
  if (!job || jobs.stand(job).state !== "succeeded") return null;
  const bytes = drawPicture(pictureOf(job));
  const headers = { "content-type": "image/png" };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

function pictureOf({ id, prompt, video: { width, height } }: Job): PictureAsk {
  const label = withoutDirectives(prompt).slice(0, 60);
  return { width, height, format: "png", seed: `${id} ${prompt}`, label };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
