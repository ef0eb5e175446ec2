// Videos that were started: shown, listed, handed out, deleted.
import type { Job, JobBook, JobState } from "../../jobs.ts";
import { writeMp4, type VideoShape } from "../../mp4/index.ts";
import { drawPicture, type PictureFormat } from "../../picture/index.ts";
import { invalid } from "../check.ts";
import { Refusal } from "../errors.ts";
import type { WorkContext } from "../work.ts";

export const vendor = "openai";

const statuses: Readonly<Record<JobState, string>> = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  filtered: "failed",
  cancelled: "failed",
};
const errors: Partial<Record<JobState, { code: string; message: string }>> = {
  failed: { code: "video_generation_failed", message: "The video could not be generated." },
  filtered: {
    code: "moderation_blocked",
    message: "Your request was blocked by our moderation system.",
  },
};
const keptSeconds = 24 * 60 * 60;
const defaultLimit = 20;
const limitMax = 100;

export function renderVideo(job: Job, jobs: JobBook): object {
  const { state, progress, endedMs } = jobs.stand(job);
  const { width, height, seconds } = job.video;
  const endedAt = endedMs === null ? null : Math.floor(endedMs / 1000);
  const isDone = state === "succeeded";
  return {
    id: job.id,
    object: "video",
    created_at: Math.floor(job.createdMs / 1000),
    completed_at: isDone ? endedAt : null,
    expires_at: isDone && endedAt !== null ? endedAt + keptSeconds : null,
    status: statuses[state],
    progress,
    error: errors[state] ?? null,
    model: job.model,
    prompt: job.prompt,
    seconds: String(seconds),
    size: `${width}x${height}`,
    remixed_from_video_id: null,
  };
}

export function getVideo(context: WorkContext, id: string): object {
  return renderVideo(findJob(context, id), context.jobs);
}

export function listVideos({ jobs, bearer }: WorkContext, query: URLSearchParams): object {
  const limit = Number(query.get("limit") ?? defaultLimit);
  const order = query.get("order") ?? "desc";
  if (!Number.isInteger(limit) || limit < 0 || limit > limitMax) {
    throw invalid("limit", `Invalid 'limit': must be from 0 to ${limitMax}.`);
  }
  if (order !== "asc" && order !== "desc") throw invalid("order", "Invalid 'order'.");
  const newest = jobs.list(vendor, bearer);
  const all = order === "desc" ? newest : newest.toReversed();
  const from = all.findIndex(({ id }) => id === query.get("after")) + 1;
  const page = all.slice(from, from + limit);
  return {
    object: "list",
    data: page.map((job) => renderVideo(job, jobs)),
    has_more: from + limit < all.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

/** The vendor deletes what has ended, and stops nothing. */
export function deleteVideo(context: WorkContext, id: string): object {
  const job = findJob(context, id);
  if (context.jobs.stand(job).endedMs === null) {
    const message = "Video is still being generated and cannot be deleted.";
    throw new Refusal(409, { message, code: "video_in_progress" });
  }
  context.jobs.remove(job);
  return { id, object: "video.deleted", deleted: true };
}

export interface VideoFile {
  type: string;
  bytes: Uint8Array;
}

type Write = (video: VideoShape) => VideoFile;

const variants: ReadonlyMap<string, Write> = new Map<string, Write>([
  ["video", (video) => ({ type: "video/mp4", bytes: writeMp4(video) })],
  ["thumbnail", (video) => ({ type: "image/webp", bytes: draw(video, "webp") })],
  ["spritesheet", (video) => ({ type: "image/jpeg", bytes: draw(video, "jpeg") })],
]);

export function getContent(context: WorkContext, id: string, query: URLSearchParams): VideoFile {
  const job = findJob(context, id);
  const variant = query.get("variant") ?? "video";
  const write = variants.get(variant);
  if (!write) throw invalid("variant", `Invalid value: '${variant}'.`);
  if (context.jobs.stand(job).state !== "succeeded") {
    throw new Refusal(404, { message: "Video is not ready yet.", code: "video_not_ready" });
  }
  return write(job.video);
}

function draw({ width, height, seed = 0 }: VideoShape, format: PictureFormat): Uint8Array {
  return drawPicture({ width, height, format, seed: String(seed) });
}

function findJob({ jobs, bearer }: WorkContext, id: string): Job {
  const job = jobs.find(vendor, bearer, id);
  if (job) return job;
  throw new Refusal(404, { message: `Video with id '${id}' not found.`, code: "not_found" });
}
