// Usage of a text request, counted here because its vendor did not say.
import type { Reasoning } from "../../formats/exchange.ts";
import type { Observed, TextRequest } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import { estimateUsage } from "../../quota/estimate.ts";
import type { Meter } from "./meter/meter.ts";
import type { Tally } from "./meter/tally.ts";
import { toExchange } from "./plan-text.ts";
import type { TextInput, TextJob } from "./text-job.ts";

/** The part of a reply that was seen. */
interface Uncounted {
  served: { tally: Tally };
  observed: Observed;
}

const nothing: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** Nothing may be there to see, and tools that the vendor runs have been called all the same. */
export function hasUsed({ usage, outputTokensEstimate, use }: Observed): boolean {
  return usage !== null || outputTokensEstimate > 0 || use?.hasCalls === true;
}

/**
 * With what may have been thought unseen, where the client bounded that by a number of its own. An
 * effort bounds nothing, and what is shown of thoughts is counted already.
 */
export function withThoughts({ input, request, bound }: TextJob, usage: Usage): Usage {
  const reasoning = reasoningOf(input, request);
  const budget = reasoning?.budgetTokens ?? 0;
  if (budget <= 0 || usage.reasoningTokens > 0) return usage;
  const { outputTokens } = usage;
  const most = reasoning?.isShown === true ? budget : outputTokens + budget;
  const thought = Math.min(most, bound.outputTokensMax);
  return { ...usage, outputTokens: Math.max(outputTokens, thought) };
}

function reasoningOf({ format, body }: TextInput, request: TextRequest): Reasoning | null {
  try {
    return toExchange(format, body, request).reasoning;
  } catch {
    // It asks for what only its own dialect can say.
    return null;
  }
}

/** Input that was told stands. Media cannot be counted, and are taken for the most they can be. */
export async function countText(
  meter: Meter,
  { input, request, bound }: TextJob,
  { served, observed }: Uncounted,
): Promise<Usage> {
  const reportedTokens = observed.usage?.inputTokens;
  const [inputTokens, outputTokens] = await Promise.all([
    reportedTokens ?? meter.countRequest(input.format.name, input.body),
    served.tally.count(),
  ]);
  const estimate = estimateUsage(request, input.bodyBytes, observed.outputTokensEstimate);
  const read = inputTokens || estimate.inputTokens;
  return {
    ...(observed.usage ?? nothing),
    inputTokens: reportedTokens === undefined ? read + bound.mediaTokensMax : read,
    outputTokens: outputTokens || estimate.outputTokens,
  };
}
