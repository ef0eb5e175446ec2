// Videos of the reseller: made, shown, handed out, cancelled.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { noFaults, readFaults } from "../directives.ts";
import { type Job, type JobBook, type JobState, readJobPlan } from "../jobs.ts";
import { writeMp4 } from "../mp4/index.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { seedOf } from "../writer/seed.ts";
import { Refusal, refusalAnswer } from "./errors.ts";

const vendor = "gateway";
const usual = { width: 1280, height: 720, seconds: 5 };
const secondsMax = 60;
const statuses: Readonly<Record<JobState, string>> = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  filtered: "failed",
  cancelled: "failed",
};
const errors: Partial<Record<JobState, { code: string; message: string }>> = {
  failed: { code: "task_failed", message: "The video could not be made." },
  filtered: { code: "content_policy_violation", message: "The video was withheld." },
  cancelled: { code: "task_cancelled", message: "The task was cancelled." },
};

/** One request of a key. */
export interface Visit {
  request: VendorRequest;
  key: string;
  jobs: JobBook;
}

export function createVideo(visit: Visit): Answer {
  const { request, key, jobs } = visit;
  const body = jsonBodyOf(request);
  if (!isObject(body)) throw new Refusal(400);
  const { model, prompt } = body;
  if (typeof model !== "string" || model === "") throw new Refusal(400, "model");
  if (typeof prompt !== "string") throw new Refusal(400, "prompt");
  request.note({ model });
  const faults = readFaults(prompt, key);
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
  const reference = request.headers.get("idempotency-key");
  const known = jobs.list(vendor, key).find((job) => job.reference === reference);
  if (reference !== null && known) return jsonAnswer(render(known, jobs), { faults });
  const job = jobs.add({
    vendor,
    key,
    model,
    reference,
    prompt,
    plan: readJobPlan(prompt, key),
    video: { ...sizeOf(body), seconds: secondsOf(body), seed: seedOf(prompt) },
    details: {},
    id: (serial) => `task_${serial}`,
  });
  return jsonAnswer(render(job, jobs), { faults });
}

export function showVideo(visit: Visit, id: string): Answer {
  return jsonAnswer(render(findJob(visit, id), visit.jobs));
}

/** The one that was made under this key of idempotency. */
export function listVideos({ request, key, jobs }: Visit): Answer {
  const reference = request.query.get("idempotency_key");
  if (reference === null) throw new Refusal(400, "idempotency_key");
  const found = jobs.list(vendor, key).filter((job) => job.reference === reference);
  const data = found.map((job) => render(job, jobs));
  return jsonAnswer({ object: "list", data, idempotency_key: reference, has_more: false });
}

export function readContent(visit: Visit, id: string): Answer {
  if ((visit.request.query.get("variant") ?? "video") !== "video")
    throw new Refusal(400, "variant");
  const job = findJob(visit, id);
  if (visit.jobs.stand(job).state !== "succeeded") throw new Refusal(409);
  const headers = { "content-type": "video/mp4" };
  const bytes = writeMp4(job.video);
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

/** Cancel a video that runs, forget one that has ended. */
export function cancelVideo(visit: Visit, id: string): Answer {
  const job = findJob(visit, id);
  if (!visit.jobs.cancel(job)) visit.jobs.remove(job);
  return jsonAnswer({ id, object: "video.deleted", deleted: true });
}

function findJob({ jobs, key }: Visit, id: string): Job {
  const job = jobs.find(vendor, key, id);
  if (!job) throw new Refusal(404);
  return job;
}

/** Its results are handed out by a call of their own, so there is no link. */
function render(job: Job, jobs: JobBook): JsonObject {
  const { state, progress, endedMs } = jobs.stand(job);
  const error = errors[state];
  return {
    id: job.id,
    task_id: job.id,
    object: "video",
    model: job.model,
    status: statuses[state],
    progress,
    created_at: Math.floor(job.createdMs / 1000),
    ...(state === "succeeded" ? { completed_at: Math.floor((endedMs ?? 0) / 1000) } : {}),
    ...(state === "succeeded" ? { duration: job.video.seconds } : {}),
    video_url: "",
    ...(error === undefined ? {} : { error }),
  };
}

function sizeOf({ size }: JsonObject): { width: number; height: number } {
  const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(String(size ?? "")) ?? [];
  const even = (text: string | undefined, otherwise: number) =>
    text === undefined ? otherwise : 2 * Math.floor(Number(text) / 2);
  return { width: even(width, usual.width), height: even(height, usual.height) };
}

function secondsOf({ seconds, duration }: Record<string, Json | undefined>): number {
  const asked = Number(seconds ?? duration ?? usual.seconds);
  return asked >= 1 && asked <= secondsMax ? asked : usual.seconds;
}
