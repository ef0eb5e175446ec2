// Emptiness of an answer: it has no text, no reasoning, no call, no refusal and no media, its end
// is that of a success, nobody counted it, and nothing of the request says that it may be so.
import type { Reply, ReplyChoice, ReplyPart, StopReason } from "../exchange.ts";
import type { Observed, TextRequest } from "../format.ts";
import type { StreamPart } from "../stream-part.ts";

/** Only an end by itself, or by calls that are not there, leaves open why nothing came. */
const unexplained: ReadonlySet<StopReason> = new Set(["stop", "calls", "malformed"]);

/** Whether this end says why there is nothing before it. */
export function explains(stop: StopReason): boolean {
  return !unexplained.has(stop);
}

type Judged = Pick<Observed, "usage" | "isOutputUntold" | "isEmpty" | "isUnreadable">;

/**
 * Whether what came is to be tried elsewhere. An empty answer that its vendor counted is one: the
 * model had nothing to say. A call that could not be read is none, whatever was counted.
 */
export function isNoAnswer(
  { usage, isOutputUntold, isEmpty, isUnreadable }: Judged,
  { mayBeEmpty, takesAny }: Pick<TextRequest, "mayBeEmpty" | "takesAny">,
): boolean {
  if (!isEmpty || takesAny) return false;
  if (isUnreadable) return true;
  return !mayBeEmpty && (isOutputUntold === true || (usage?.outputTokens ?? 0) === 0);
}

export function isEmptyReply({ choices }: Reply): boolean {
  return choices.every(
    ({ parts, stop }) => !explains(stop) && !parts.some((part) => says(part, stop)),
  );
}

/** Whether nothing came but calls that its vendor could not read. */
export function isUnreadableReply({ choices }: Reply): boolean {
  return choices.length > 0 && choices.every(isUnreadable);
}

function isUnreadable({ parts, stop }: ReplyChoice): boolean {
  return stop === "malformed" && !parts.some((part) => says(part, stop));
}

/** Reasoning before a call that could not be read is of no use to anybody. */
function says(part: ReplyPart, stop: StopReason): boolean {
  if (part.kind === "call" || part.kind === "media") return true;
  if (part.kind === "search" || (part.kind === "reasoning" && stop === "malformed")) return false;
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
