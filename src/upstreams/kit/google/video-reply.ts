// Ends of Veo's operations that bring no video.
import type { JsonObject } from "../../../core/json.ts";
import type { VideoProgress } from "../../upstream.ts";
import { listIn, textOf } from "../vendor-reply.ts";

export function readVeoFailure(error: JsonObject): VideoProgress {
  return {
    kind: "failed",
    code: textOf(error["status"])?.toLowerCase() ?? "task_failed",
    message: textOf(error["message"]) ?? "The upstream could not make the video.",
  };
}

export function filteredVideo(response: JsonObject): VideoProgress {
  const reasons = listIn(response, "raiMediaFilteredReasons");
  const message = reasons.filter((reason) => textOf(reason) !== null).join(" ");
  return {
    kind: "failed",
    code: "content_policy_violation",
    message: message === "" ? "The upstream withheld the video." : message,
  };
}
