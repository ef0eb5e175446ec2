// Tasks at MiniMax. An operation is the task's id.
import type { JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { bearerAddress } from "../kit/bearer.ts";
import { hasSucceeded, readUnfinished } from "../kit/task-progress.ts";
import { amountOf, idOf, partOf, textOf } from "../kit/vendor-reply.ts";
import type { Address, VideoCall, VideoProgress } from "../upstream.ts";
import { takenBody } from "../kit/video-reply.ts";
import { isContentCode, readFault } from "./errors.ts";
import { toBody } from "./request.ts";

const version = /(?<!\/)\/v[12]$/;
const createPath = "/v2/video_generation";
const queryPath = "/v2/query/video_generation";

export async function start(job: VideoJob, _: JsonObject, call: VideoCall): Promise<string> {
  const body = toBody(job, call.model);
  const reply = await call.send({ method: "POST", address: addressOf(call, createPath), body });
  const id = idOf(takenBody(reply, readFault)["task_id"]);
  if (id === null) throw new Error("the upstream's answer names no task");
  return id;
}

export async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const address = addressOf(call, `${queryPath}/${encodeURIComponent(operation)}`);
  const reply = await call.send({ method: "GET", address });
  const task = partOf(takenBody(reply, readFault), "task");
  if (!hasSucceeded(task)) {
    return readUnfinished(task["status"], partOf(task, "error"), isContentCode);
  }
  const url = textOf(partOf(task, "content")["url"]);
  if (url === null) throw new Error("the finished task has no video");
  // Seconds the vendor charges by come before those asked for.
  const seconds = amountOf(partOf(task, "usage")["output_seconds"]) ?? amountOf(task["duration"]);
  return { kind: "completed", result: { kind: "url", url, headers: {} }, seconds, tokens: null };
}

function addressOf({ target }: VideoCall, path: string): Address {
  return bearerAddress(target, { path, version });
}
