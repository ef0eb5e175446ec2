// Tasks at Ark. An operation is the task's id.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { bearerAddress } from "../kit/bearer.ts";
import { hasSucceeded, readUnfinished } from "../kit/task-progress.ts";
import { amountOf, idOf, isSuccess, partOf, textOf } from "../kit/vendor-reply.ts";
import type { Address, VideoCall, VideoProgress } from "../upstream.ts";
import { takenBody } from "../kit/video-reply.ts";
import { readCredentials, apiVersion } from "./credentials.ts";
import { isContentCode, readFault } from "./errors.ts";
import { toBody } from "./request.ts";

const tasksPath = "/api/v3/contents/generations/tasks";
const pageSize = 100;
const pagesMax = 5;

export async function start(job: VideoJob, _: JsonObject, call: VideoCall): Promise<string> {
  const body = toBody(job, call);
  const reply = await call.send({ method: "POST", address: addressOf(call), body });
  const id = idOf(takenBody(reply, readFault)["id"]);
  if (id === null) throw new Error("the upstream's answer names no task");
  return id;
}

export async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const task = await readTask(operation, call);
  if (!hasSucceeded(task)) {
    return readUnfinished(task["status"], partOf(task, "error"), isContentCode);
  }
  const url = textOf(partOf(task, "content")["video_url"]);
  if (url === null) throw new Error("the finished task has no video");
  const seconds = amountOf(task["duration"]);
  const tokens = amountOf(partOf(task, "usage")["total_tokens"]);
  return { kind: "completed", result: { kind: "url", url, headers: {} }, seconds, tokens };
}

/** Looks through the newest tasks for the one that carries our id. */
export async function find(call: VideoCall): Promise<string | null> {
  let seen = 0;
  let carriers = 0;
  for (let page = 1; page <= pagesMax; page++) {
    const { tasks, total } = await readPage(page, call);
    const own = tasks.find((task) => task["safety_identifier"] === call.taskId);
    if (own) return idOf(own["id"]);
    seen += tasks.length;
    carriers += tasks.filter((task) => textOf(task["safety_identifier"]) !== null).length;
    if (tasks.length > 0 && seen < total) continue;
    // Ours may be any of them where no task shows what it was made with.
    if (seen === 0 || carriers > 0) return null;
    break;
  }
  throw new Error("the upstream's list does not tell whether the task is in it");
}

/** Only a waiting task can be stopped: to delete an ended one is to lose what it made. */
export async function cancel(operation: string, call: VideoCall): Promise<boolean> {
  const task = await readTask(operation, call);
  if (task["status"] === "cancelled") return true;
  if (task["status"] !== "queued") return false;
  const address = addressOf(call, `/${encodeURIComponent(operation)}`);
  return isSuccess(await call.send({ method: "DELETE", address }));
}

async function readTask(operation: string, call: VideoCall): Promise<JsonObject> {
  const address = addressOf(call, `/${encodeURIComponent(operation)}`);
  return takenBody(await call.send({ method: "GET", address }), readFault);
}

async function readPage(
  page: number,
  call: VideoCall,
): Promise<{ tasks: JsonObject[]; total: number }> {
  const address = addressOf(call, `?page_num=${page}&page_size=${pageSize}`);
  const reply = await call.send({ method: "GET", address });
  const { items, total } = takenBody(reply, readFault);
  if (!Array.isArray(items)) throw new Error("the upstream's list is no list");
  return { tasks: items.filter(isObject), total: amountOf(total) ?? items.length };
}

function addressOf({ target }: VideoCall, rest = ""): Address {
  const { bearer: token } = readCredentials(target.key);
  return bearerAddress(target, { path: `${tasksPath}${rest}`, version: apiVersion, token });
}
