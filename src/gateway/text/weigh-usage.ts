// Usage that a vendor reported, weighed against what it delivered. A report is what the operator
// pays, so no count raises it. Only an answer that was reported as nothing is counted instead; one
// that was reported as far less than came is charged as reported, and its operator is notified.
import type { JsonObject } from "../../core/json.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Format, Observed } from "../../formats/format.ts";
import { estimateTokens, type Usage } from "../../formats/usage.ts";
import type { RequestBound } from "../../quota/estimate.ts";
import { clampUsage } from "../../quota/plausible.ts";
import type { Tally } from "./meter/tally.ts";

/** Tokenizers differ by far less. */
const lowTimes = 4;
const lowSlackTokens = 256;
/** A token of text is four bytes or more, wherever it is estimated. */
const bytesPerToken = 4;

type Delivered = Pick<Observed, "outputTokensEstimate" | "hasThought">;

/** The report stands, and is so far below what was delivered that its vendor may count wrongly. */
function isFarBelow({ outputTokens }: Usage, deliveredTokens: number): boolean {
  return outputTokens > 0 && deliveredTokens > outputTokens * lowTimes + lowSlackTokens;
}

/** The charge depends on a count of the reply, although the vendor reported a usage. */
export function needsCount(usage: Usage, delivered: Delivered, bound: RequestBound): boolean {
  if (usage.outputTokens === 0) return delivered.outputTokensEstimate > 0;
  const thinks = usage.reasoningTokens > 0 || delivered.hasThought === true;
  return thinks && clampUsage(usage, bound).outputTokens < usage.outputTokens;
}

/** The reply has to be kept until its usage is settled. */
export function mayBeCounted(usage: Usage, delivered: Delivered, bound: RequestBound): boolean {
  const isLow = isFarBelow(usage, delivered.outputTokensEstimate);
  return isLow || needsCount(usage, delivered, bound);
}

/** Estimate what a whole reply delivered, where its size says that it may be far more than told. */
export function withDelivered(
  observed: Observed,
  { replyTexts }: Format,
  reply: { body: JsonObject; bytes: number },
): Observed {
  const { outputTokens = 0 } = observed.usage ?? {};
  const least = (outputTokens * lowTimes + lowSlackTokens) * bytesPerToken;
  if (!observed.usage || (outputTokens > 0 && reply.bytes <= least)) return observed;
  const texts = replyTexts(reply.body);
  const delivered = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { ...observed, outputTokensEstimate: Math.max(outputTokens, delivered) };
}

/** Null where nobody has to count: the report is no surprise, or was counted within the hour. */
export function checkLowReport(
  { channel, model, nowMs }: { channel: Channel; model: string; nowMs: number },
  reported: Usage,
  { tally, estimate }: { tally: Tally; estimate: number },
): Promise<void> | null {
  if (!isFarBelow(reported, estimate) || !channel.lowReports.claimCount(model, nowMs)) {
    tally.drop();
    return null;
  }
  return tally.count().then((deliveredTokens) => {
    if (!isFarBelow(reported, deliveredTokens)) return;
    const reportedTokens = reported.outputTokens;
    channel.lowReports.add({ model, reportedTokens, deliveredTokens, atMs: nowMs });
  });
}
