// videoE's native routes: the vendor's own body and the vendor's own envelope.
import type { JsonObject } from "../../core/json.ts";
import type { TaskStatus, ShownTask } from "../family.ts";
import { pick } from "../kit/fields.ts";
import { missing } from "../kit/refuse.ts";
import { failure } from "../kit/render.ts";
import type { JobMedia, VideoJob } from "../video-job.ts";
import { defaultName } from "./models.ts";
import { parseJob, readFrames } from "./request.ts";

export type NativeKind = "text2video" | "image2video";

const modelNames = ["model", "model_name"];

/** The name stands in `model_name` here, and may be left out. */
export function nativeModel(body: JsonObject): string {
  const name = pick(body, modelNames)?.value ?? defaultName;
  return typeof name === "string" ? name : "";
}

export function parseNative(kind: NativeKind, body: JsonObject): VideoJob {
  const named = pick(body, modelNames) === null ? { ...body, model: defaultName } : body;
  if (kind === "text2video") return parseJob(named, () => []);
  return parseJob({ ...named, prompt: body["prompt"] ?? "" }, readImages);
}

function readImages(body: JsonObject): JobMedia[] {
  const frames = readFrames(body, ["image"]);
  if (frames.length === 0) throw missing("image");
  return frames;
}

const statuses: Readonly<Record<TaskStatus, string>> = {
  queued: "submitted",
  in_progress: "processing",
  completed: "succeed",
  failed: "failed",
};

/** Times are in milliseconds here. */
export function renderNative(task: ShownTask, requestId: string = task.id): JsonObject {
  const endedAtSeconds = task.completedAtSeconds ?? task.createdAtSeconds;
  return {
    code: 0,
    message: "SUCCEED",
    request_id: requestId,
    data: {
      task_id: task.id,
      task_status: statuses[task.status],
      task_status_msg: task.status === "failed" ? failure(task).message : "",
      created_at: task.createdAtSeconds * 1000,
      updated_at: endedAtSeconds * 1000,
      ...(task.status === "completed" ? { task_result: { videos: [renderVideo(task)] } } : {}),
    },
  };
}

function renderVideo(task: ShownTask): JsonObject {
  const seconds = task.delivered.seconds ?? task.job.seconds;
  return {
    id: task.id,
    url: task.videoUrl ?? "",
    ...(seconds === null ? {} : { duration: String(seconds) }),
  };
}
