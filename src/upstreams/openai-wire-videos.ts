// Videos on the OpenAI wire, which gateways with this API speak as well: a job is an object that is
// read again until it has ended, and its bytes lie below it.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { readOpenaiFault } from "./openai-wire-faults.ts";
import { videosAddress } from "./openai-wire.ts";
import type { Address, VideoCall, VideoProgress, VideoResult, VideoVariant } from "./upstream.ts";
import { takenBody } from "./kit/video-reply.ts";

const queuedStatuses = new Set(["queued", "pending"]);
const doneStatuses = new Set(["completed", "succeeded", "success"]);
const failedStatuses = new Set([
  "failed",
  "fail",
  "error",
  "cancelled",
  "canceled",
  "expired",
  "deleted",
]);
const filterCodes = new Set(["moderation_blocked", "content_filter", "content_policy_violation"]);

export async function videoStatus(id: string, { target, send }: VideoCall): Promise<VideoProgress> {
  const reply = await send({ method: "GET", address: videosAddress(target, id) });
  const content = videosAddress(target, id, "content");
  return readVideo(takenBody(reply, readOpenaiFault), { kind: "url", ...content });
}

export function videoVariant(id: string, variant: VideoVariant, { target }: VideoCall): Address {
  const address = videosAddress(target, id, "content");
  return { ...address, url: `${address.url}?variant=${variant}` };
}

/** A status that is not known counts as work. */
function readVideo(video: JsonObject, result: VideoResult): VideoProgress {
  const status = text(video["status"])?.toLowerCase() ?? "";
  if (doneStatuses.has(status)) {
    const seconds = number(video["actualDuration"] ?? video["duration"] ?? video["seconds"]);
    return { kind: "completed", result, seconds, tokens: number(video["totalTokens"]) };
  }
  if (failedStatuses.has(status)) return readFailure(video["error"], status);
  const progress = number(video["progress"]);
  const stage = queuedStatuses.has(status) ? "queued" : "in_progress";
  return { kind: "pending", status: stage, progress: progress === null ? null : percent(progress) };
}

/** One of the families shows its error as a text. */
function readFailure(error: Json | undefined, status: string): VideoProgress {
  const detail: JsonObject = isObject(error) ? error : { message: text(error) };
  const code = text(detail["code"]) ?? (status === "expired" ? "task_expired" : "task_failed");
  return {
    kind: "failed",
    code: filterCodes.has(code) ? "content_policy_violation" : code,
    message: text(detail["message"]) ?? "The upstream could not make the video.",
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Seconds come as a text on this wire. */
function number(value: unknown): number | null {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : null;
}

function percent(progress: number): number {
  return Math.min(99, Math.floor(progress));
}
