// Bounds of a request for vectors, and usage of its reply: input, since nothing is generated.
import { noOrigins, type Observed, type TextRequest } from "../format.ts";
import type { PlaceWalk } from "./places/walk-places.ts";

const nothing = {
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** Null where the vendor did not count. */
export function observedInput(inputTokens: number | null): Observed {
  const usage = inputTokens === null ? null : { ...nothing, inputTokens };
  return { usage, outputTokensEstimate: 0, origins: [] };
}

export function embeddingRequest(model: string, walk: PlaceWalk): TextRequest {
  return {
    model,
    stream: false,
    framing: "events",
    choices: 1,
    outputTokensMax: 0,
    ...walk.hold,
    wantsUsage: true,
    origins: walk.objects.joinedTo(noOrigins),
  };
}
