// Jobs at Kling. An operation names the address where the job was made, and the job there.
import { heardFault } from "../heard-fault.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { bearerAddress } from "../kit/bearer.ts";
import { amountOf, idOf, partOf, textOf } from "../kit/vendor-reply.ts";
import {
  type Address,
  type VendorReply,
  VendorRefusal,
  type VideoCall,
  type VideoProgress,
} from "../upstream.ts";
import { takenBody } from "../kit/video-reply.ts";
import { readFault } from "./errors.ts";
import { type Kind, kindOf, kinds, toBody } from "./request.ts";
import { bearerOf } from "./token.ts";

const version = /(?<!\/)\/v1$/;
const notFoundCode = 1203;

export async function start(job: VideoJob, _: JsonObject, call: VideoCall): Promise<string> {
  const kind = kindOf(job);
  const address = addressOf(call, `/${kind}`);
  const reply = await call.send({ method: "POST", address, body: toBody(job, call) });
  const { task_id: id } = dataOf(takenBody(reply, readFault), reply);
  return operationOf(kind, id);
}

export async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const reply = await call.send({ method: "GET", address: addressOf(call, pathOf(operation)) });
  return readProgress(dataOf(takenBody(reply, readFault), reply));
}

/** Our own id finds the job, at whichever of the addresses it was made. */
export async function find(call: VideoCall): Promise<string | null> {
  for (const kind of kinds) {
    const address = addressOf(call, `/${kind}/${encodeURIComponent(call.taskId)}`);
    const reply = await call.send({ method: "GET", address });
    if (isMissing(reply)) continue;
    const { task_id: id } = dataOf(takenBody(reply, readFault), reply);
    return operationOf(kind, id);
  }
  return null;
}

function addressOf({ target, nowSeconds }: VideoCall, path: string): Address {
  const token = bearerOf(target.key, nowSeconds);
  return bearerAddress(target, { path: `/v1/videos${path}`, version, token });
}

function operationOf(kind: Kind, id: unknown): string {
  const text = idOf(id);
  if (text === null) throw new Error("the upstream's answer names no job");
  return `${kind}/${text}`;
}

function pathOf(operation: string): string {
  const at = operation.indexOf("/");
  const kind = kinds.find((known) => known === operation.slice(0, at));
  if (kind === undefined) throw new Error("the operation names no job of this upstream");
  return `/${kind}/${encodeURIComponent(operation.slice(at + 1))}`;
}

/** An error may come in the envelope of a success. */
function dataOf(body: JsonObject, { status, headers }: VendorReply): JsonObject {
  const { code } = body;
  if (typeof code !== "number") throw new Error("the upstream's answer has no code");
  if (code !== 0) {
    throw new VendorRefusal(heardFault(readFault(status, headers, body), status, headers));
  }
  return partOf(body, "data");
}

/** Another 404 may come from a proxy that knows nothing of jobs. */
function isMissing({ json }: VendorReply): boolean {
  return isObject(json) && json["code"] === notFoundCode;
}

function readProgress(data: JsonObject): VideoProgress {
  const { task_status: status, task_status_msg: message } = data;
  if (status === "succeed") return readResult(data);
  if (status === "failed") {
    const why = textOf(message) ?? "The upstream could not make the video.";
    return { kind: "failed", code: "task_failed", message: why };
  }
  const isQueued = status === "submitted";
  return { kind: "pending", status: isQueued ? "queued" : "in_progress", progress: null };
}

function readResult(data: JsonObject): VideoProgress {
  const { videos } = partOf(data, "task_result") as { videos?: unknown };
  const video: unknown = Array.isArray(videos) ? videos[0] : undefined;
  const url = isObject(video) ? textOf(video["url"]) : null;
  if (!isObject(video) || url === null) throw new Error("the finished job has no video");
  const seconds = amountOf(video["duration"]);
  return { kind: "completed", result: { kind: "url", url, headers: {} }, seconds, tokens: null };
}
