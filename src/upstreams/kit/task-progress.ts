// The words that Ark and MiniMax have for how a job is doing.
import type { Json, JsonObject } from "../../core/json.ts";
import type { VideoProgress } from "../upstream.ts";
import { idOf, textOf } from "./vendor-reply.ts";

const endings: Readonly<Record<string, string>> = {
  failed: "The upstream could not make the video.",
  cancelled: "The task was cancelled at the upstream.",
  expired: "The task expired at the upstream.",
};

/** How a job is doing that has not succeeded; words that are not known mean that it goes on. */
export function readUnfinished(
  status: Json | undefined,
  error: JsonObject,
  isContentCode: (code: string) => boolean,
): VideoProgress {
  const ending = typeof status === "string" ? endings[status] : undefined;
  if (typeof status !== "string" || ending === undefined) {
    const isQueued = status === "queued";
    return { kind: "pending", status: isQueued ? "queued" : "in_progress", progress: null };
  }
  const said = idOf(error["code"]) ?? `task_${status}`;
  const code = isContentCode(said) ? "content_policy_violation" : said;
  return { kind: "failed", code, message: textOf(error["message"]) ?? ending };
}
