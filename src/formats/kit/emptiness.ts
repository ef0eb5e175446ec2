// When an answer is empty: it has no text, no reasoning, no call, no refusal and no media, and its
// end is that of a success. An end by bound, filter, pause or stop sequence says itself why.
import type { Reply, ReplyPart, StopReason } from "../exchange.ts";
import type { StreamPart } from "../stream-part.ts";

const explaining: ReadonlySet<StopReason> = new Set([
  "length",
  "context",
  "filter",
  "pause",
  "stop-sequence",
]);

/** Whether this end says why there is nothing before it. */
export function explains(stop: StopReason): boolean {
  return explaining.has(stop);
}

export function isEmptyReply({ choices }: Reply): boolean {
  return choices.every(({ parts, stop }) => !explains(stop) && !parts.some(says));
}

function says(part: ReplyPart): boolean {
  if (part.kind === "call" || part.kind === "media") return true;
  if (part.kind === "search") return false;
  return part.text !== "" || ("proof" in part && (part.proof?.data ?? "") !== "");
}

/** Whether a stream that has this piece is no empty one. */
export function brings(part: StreamPart): boolean {
  switch (part.kind) {
    case "block-start":
      return part.content.kind === "call" || part.content.kind === "media";
    case "block-delta":
      return part.text !== "";
    case "block-proof":
      return part.proof.data !== "";
    case "choice-end":
      return explains(part.stop);
    default:
      return false;
  }
}
