// Ark's tasks: made, shown, listed, cancelled.
import { readFaults } from "../directives.ts";
import { type Job, type JobBook, readJobPlan } from "../jobs.ts";
import { promptOf } from "../content-list.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { videoLink } from "../video-links.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { type Ask, readAsk } from "./request.ts";

const vendor = "ark";
export const prefix = "/ark";
const tokensPerSecond = 21_600;
const usual = { resolution: "720p", ratio: "16:9", duration: 5 } as const;
const errors: Readonly<Record<string, { code: string; message: string }>> = {
  failed: { code: "InternalServiceError", message: "The video could not be generated." },
  filtered: {
    code: "OutputVideoSensitiveContentDetected",
    message: "The request failed because the output video may contain sensitive information.",
  },
};

/** One request of a key. */
export interface Visit {
  request: VendorRequest;
  key: string;
  jobs: JobBook;
}

export function createTask({ request, key, jobs }: Visit): Answer {
  const ask = readAsk(jsonBodyOf(request));
  const prompt = promptOf(ask.content);
  request.note({ model: ask.model });
  const faults = readFaults(prompt, key);
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
  const { id } = jobs.add({
    vendor,
    key,
    model: ask.model,
    reference: ask.safety_identifier ?? null,
    prompt,
    plan: readJobPlan(prompt, key),
    video: { ...sizeOf(ask), seconds: secondsOf(ask) },
    details: {
      resolution: ask.resolution ?? usual.resolution,
      ratio: ratioOf(ask),
      seed: ask.seed ?? 0,
      generate_audio: ask.generate_audio ?? true,
    },
    id: (serial) => `cgt-${serial}`,
  });
  return jsonAnswer({ id }, { faults });
}

export function showTask(visit: Visit, id: string): Answer {
  return jsonAnswer(render(findJob(visit, id), visit));
}

export function listTasks(visit: Visit): Answer {
  const { query } = visit.request;
  const page = Number(query.get("page_num") ?? 1);
  const size = Number(query.get("page_size") ?? 10);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1;
  if (!isValid || page > 500 || size > 500) throw new Refusal(400, { param: "page_num" });
  const ids = query.getAll("filter.task_ids");
  const [status, model] = [query.get("filter.status"), query.get("filter.model")];
  const all = visit.jobs
    .list(vendor, visit.key)
    .filter((job) => ids.length === 0 || ids.includes(job.id))
    .filter((job) => model === null || model === job.model)
    .map((job) => render(job, visit))
    .filter((task) => status === null || status === task.status);
  return jsonAnswer({ total: all.length, items: all.slice((page - 1) * size, page * size) });
}

/** A waiting task is cancelled, an ended one forgotten, and a running one goes on. */
export function deleteTask(visit: Visit, id: string): Answer {
  const job = findJob(visit, id);
  const { state, endedMs } = visit.jobs.stand(job);
  if (state === "running") throw new Refusal(409);
  if (endedMs === null) visit.jobs.cancel(job);
  else visit.jobs.remove(job);
  return jsonAnswer({});
}

function findJob({ jobs, key }: Visit, id: string): Job {
  const job = jobs.find(vendor, key, id);
  if (!job) throw new Refusal(404, { message: `The task ${id} is not found.` });
  return job;
}

function render(job: Job, { request, jobs }: Visit) {
  const { state, endedMs } = jobs.stand(job);
  const { seconds } = job.video;
  const tokens = seconds * tokensPerSecond;
  const isDone = state === "succeeded";
  return {
    id: job.id,
    model: job.model,
    status: state === "filtered" ? "failed" : state,
    error: errors[state] ?? null,
    ...(isDone ? { content: { video_url: videoLink(request, prefix, job.video) } } : {}),
    ...(isDone ? { usage: { completion_tokens: tokens, total_tokens: tokens } } : {}),
    created_at: Math.floor(job.createdMs / 1000),
    updated_at: Math.floor((endedMs ?? job.createdMs) / 1000),
    ...job.details,
    duration: seconds,
    framespersecond: 24,
    service_tier: "default",
    execution_expires_after: 172_800,
    ...(job.reference === null ? {} : { safety_identifier: job.reference }),
  };
}

/** Width and height of each ratio that lies; the others are these turned upright. */
const sizes: Readonly<Record<string, Readonly<Record<string, [number, number]>>>> = {
  "480p": { "16:9": [864, 496], "4:3": [752, 560], "1:1": [640, 640], "21:9": [992, 432] },
  "720p": { "16:9": [1280, 720], "4:3": [1112, 834], "1:1": [960, 960], "21:9": [1470, 630] },
  "1080p": { "16:9": [1920, 1080], "4:3": [1664, 1248], "1:1": [1440, 1440], "21:9": [2206, 946] },
};

function sizeOf(ask: Ask): { width: number; height: number } {
  const ratio = ratioOf(ask);
  const row = sizes[ask.resolution ?? usual.resolution] ?? {};
  const lying = row[ratio];
  if (lying) return { width: lying[0], height: lying[1] };
  const [height = 1280, width = 720] = row[ratio.split(":").toReversed().join(":")] ?? [];
  return { width, height };
}

/** Media are not looked at, so what adapts to them comes out as usual. */
function ratioOf({ ratio }: Ask): string {
  return ratio === undefined || ratio === "adaptive" ? usual.ratio : ratio;
}

function secondsOf({ duration }: Ask): number {
  return duration === undefined || duration === -1 ? usual.duration : duration;
}
