// The end of a response: its status, and for one that is not complete the reason.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { StopReason } from "../exchange.ts";

export interface Ending {
  status: "completed" | "incomplete" | "failed";
  incompleteReason: "max_output_tokens" | "content_filter" | null;
}

const completed: Ending = { status: "completed", incompleteReason: null };
const cut: Ending = { status: "incomplete", incompleteReason: "max_output_tokens" };

const endings: Readonly<Record<StopReason, Ending>> = {
  stop: completed,
  "stop-sequence": completed,
  calls: completed,
  length: cut,
  context: cut,
  // There is no word for a turn that wants to go on; this one makes clients ask again.
  pause: cut,
  filter: { status: "incomplete", incompleteReason: "content_filter" },
  other: { status: "incomplete", incompleteReason: "content_filter" },
  malformed: { status: "failed", incompleteReason: null },
};

export function endingOf(stop: StopReason): Ending {
  return endings[stop];
}

/** Parts that the output was seen to have; a response does not say itself that calls were made. */
interface SeenOutput {
  hasOutput: boolean;
  hasCalls: boolean;
}

export function readStop(response: JsonObject, { hasOutput, hasCalls }: SeenOutput): StopReason {
  const { status } = response;
  if (status === "incomplete") return readIncomplete(response["incomplete_details"]);
  if (typeof status === "string" && !isSuccess(status, hasOutput)) return "other";
  return hasCalls ? "calls" : "stop";
}

/** Some vendors have words of their own for a response that is done, such as "complete". */
function isSuccess(status: string, hasOutput: boolean): boolean {
  return successes.has(status) || (hasOutput && !failures.has(status));
}

/** One that is read from a stream may still say that it is being made. */
const successes: ReadonlySet<string> = new Set(["", "completed", "in_progress", "queued"]);
const failures: ReadonlySet<string> = new Set(["failed", "cancelled"]);

function readIncomplete(details: Json | undefined): StopReason {
  const reason = isObject(details) ? details["reason"] : null;
  if (reason === "content_filter") return "filter";
  return typeof reason === "string" && reason !== "" && !bounds.has(reason) ? "other" : "length";
}

const bounds: ReadonlySet<string> = new Set(["max_output_tokens", "max_tokens", "length"]);
