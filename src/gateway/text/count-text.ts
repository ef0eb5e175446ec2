// What a text request used, counted here because its vendor did not say.
import type { Observed } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import { estimateUsage } from "../../quota/estimate.ts";
import type { Meter } from "./meter/meter.ts";
import type { Tally } from "./meter/tally.ts";
import type { TextJob } from "./text-job.ts";

/** What was seen of a reply. */
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

/** Input that was told stands. Media cannot be counted, and are taken for the most they can be. */
export async function countText(
  meter: Meter,
  { input, request, bound }: TextJob,
  { served, observed }: Uncounted,
): Promise<Usage> {
  const told = observed.usage?.inputTokens;
  const [inputTokens, outputTokens] = await Promise.all([
    told ?? meter.countRequest(input.format.name, input.body),
    served.tally.count(),
  ]);
  const estimate = estimateUsage(request, input.bodyBytes, observed.outputTokensEstimate);
  const read = inputTokens || estimate.inputTokens;
  return {
    ...(observed.usage ?? nothing),
    inputTokens: told === undefined ? read + bound.mediaTokensMax : read,
    outputTokens: outputTokens || estimate.outputTokens,
  };
}
