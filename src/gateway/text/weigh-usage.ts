// Usage that a vendor reported, weighed against what it delivered. Sizes are looked at first; only
// what they make doubtful is counted, and only the count decides.
import type { JsonObject } from "../../core/json.ts";
import type { Format, Observed } from "../../formats/format.ts";
import { estimateTokens, type Usage } from "../../formats/usage.ts";
import type { RequestBound } from "../../quota/estimate.ts";
import { clampUsage } from "../../quota/plausible.ts";

/** Tokenizers differ by far less. */
const lowTimes = 4;
const lowSlackTokens = 256;
/** A token of text is four bytes or more, wherever it is estimated. */
const bytesPerToken = 4;

/** Told as nothing, or as far less than what came. */
export function isTooLow({ outputTokens }: Usage, deliveredTokens: number): boolean {
  if (outputTokens === 0) return deliveredTokens > 0;
  return deliveredTokens > outputTokens * lowTimes + lowSlackTokens;
}

/** True where the reply has to be counted, although the vendor told. */
export function isDoubtful(
  usage: Usage,
  { outputTokensEstimate, hasThought }: Pick<Observed, "outputTokensEstimate" | "hasThought">,
  bound: RequestBound,
): boolean {
  if (isTooLow(usage, outputTokensEstimate)) return true;
  const thinks = usage.reasoningTokens > 0 || hasThought === true;
  return thinks && clampUsage(usage, bound).outputTokens < usage.outputTokens;
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
