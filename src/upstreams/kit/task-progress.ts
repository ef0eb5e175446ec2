// The words that Ark, MiniMax and those who resell them have for how a job is doing.
import type { Json, JsonObject } from "../../core/json.ts";
import type { VideoProgress } from "../upstream.ts";
import { idOf, textOf } from "./vendor-reply.ts";

const successes = new Set<unknown>(["succeeded", "completed"]);
const waits = new Set<unknown>(["queued", "pending"]);
const endings: ReadonlyMap<unknown, string> = new Map([
  ["failed", "The upstream could not make the video."],
  ["cancelled", "The task was cancelled at the upstream."],
  ["expired", "The task expired at the upstream."],
]);

export function hasSucceeded({ status }: JsonObject): boolean {
  return successes.has(status);
}

/** State of a job that has not succeeded; words that are not known mean that it goes on. */
export function readUnfinished(
  status: Json | undefined,
  error: JsonObject,
  isContentCode: (code: string) => boolean,
): VideoProgress {
  const ending = endings.get(status);
  if (ending === undefined) {
    const stage = waits.has(status) ? "queued" : "in_progress";
    return { kind: "pending", status: stage, progress: null };
  }
  const vendorCode = idOf(error["code"]) ?? `task_${String(status)}`;
  const code = isContentCode(vendorCode) ? "content_policy_violation" : vendorCode;
  return { kind: "failed", code, message: textOf(error["message"]) ?? ending };
}
