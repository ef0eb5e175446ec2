// A vendor's usage report, held against what the request can have used: nobody is charged for more,
// whatever the wire and however it was counted.
import type { Usage } from "../formats/usage.ts";
import type { RequestBound } from "./estimate.ts";
import type { ImageTokens } from "./image-tokens.ts";
import type { TextBound } from "./price.ts";

/**
 * Vendors count by tokenizers of their own, and some a little past the bound they were given, so
 * each bound has a quarter on top. Before the prompt stand words of theirs: how tools are called
 * is told in some hundred tokens, how a computer is used in about 1,500.
 */
const shareOnTop = 1.25;
const inputSlackTokens = 2048;
const outputSlackTokens = 256;
/** Films are whole frames and whole sounds long, and often a little longer than was asked for. */
const lengthSlackSeconds = 1;
/** Some vendors bound the answer alone: what their models think before it is bounded by this. */
const thoughtTokensMax = 131_072;
/** A picture is held for by what most models count; some small ones count 48,169 tokens for it. */
const mediaSlackTimes = 11;

/** The most that a vendor is believed. */
function believedBound({
  inputTokensMax,
  outputTokensMax,
  mediaTokensMax,
  searchesMax = 0,
  thoughtTokensMax = 0,
}: RequestBound): Required<
  Omit<TextBound, "heldTokensMax" | "keptTokensMax" | "thoughtTokensMax">
> {
  const readMost = inputTokensMax + mediaTokensMax * mediaSlackTimes;
  return {
    inputTokensMax: Math.ceil(readMost * shareOnTop) + inputSlackTokens,
    outputTokensMax:
      Math.ceil((outputTokensMax + thoughtTokensMax) * shareOnTop) + outputSlackTokens,
    // Believe one search of a model that nobody knows to search.
    searchesMax: Math.max(1, Math.ceil(searchesMax * shareOnTop)),
  };
}

/** The usage itself where it can be, and otherwise the most of it that can. */
export function clampUsage(usage: Usage, bound: RequestBound): Usage {
  const { inputTokensMax, outputTokensMax, searchesMax } = believedBound(bound);
  const { fetchedTokens = 0, searches = 0 } = usage;
  const isInputBelieved = usage.inputTokens + fetchedTokens <= inputTokensMax;
  const isOutputBelieved = usage.outputTokens <= outputTokensMax;
  if (isInputBelieved && isOutputBelieved && searches <= searchesMax) return usage;
  const inputTokens = Math.min(usage.inputTokens, inputTokensMax);
  const outputTokens = Math.min(usage.outputTokens, outputTokensMax);
  const cacheReadTokens = Math.min(usage.cacheReadTokens, inputTokens);
  return {
    ...usage,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens: Math.min(usage.cacheWriteTokens, inputTokens - cacheReadTokens),
    reasoningTokens: Math.min(usage.reasoningTokens, outputTokens),
    ...(usage.audioInputTokens && {
      audioInputTokens: Math.min(usage.audioInputTokens, inputTokens),
    }),
    ...(searches > 0 && { searches: Math.min(searches, searchesMax) }),
    ...(fetchedTokens > 0 && {
      fetchedTokens: Math.min(fetchedTokens, inputTokensMax - inputTokens),
    }),
  };
}

/**
 * False where a usage had to be clamped and nothing explains it. Thoughts past the bound do: then
 * the vendor is believed, and what was cut off is a loss. Of a model that thinks, vendors that do
 * not tell how much of the output were thoughts are believed as well.
 */
export function isBelievable(usage: Usage, clamped: Usage, thinks = false): boolean {
  if (usage === clamped) return true;
  const cut = usage.outputTokens - clamped.outputTokens;
  const isInputCut =
    usage.inputTokens > clamped.inputTokens || usage.fetchedTokens !== clamped.fetchedTokens;
  const thoughtTokens = thinks && usage.reasoningTokens === 0 ? cut : usage.reasoningTokens;
  return !isInputCut && cut <= thoughtTokens && thoughtTokens <= thoughtTokensMax;
}

interface Claim {
  usage: Usage;
  clamped: Usage;
  /** Its model thinks, whether or not the vendor tells how much. */
  thinks: boolean;
}

/** Charge thoughts past the bound as far as they were delivered; nobody saw the rest. */
export function withThoughtsDelivered(
  { usage, clamped, thinks }: Claim,
  deliveredTokens: number,
): Usage {
  if (usage === clamped || !isBelievable(usage, clamped, thinks)) return clamped;
  const delivered = Math.ceil(deliveredTokens * shareOnTop);
  const outputTokens = Math.min(usage.outputTokens, Math.max(clamped.outputTokens, delivered));
  const isWhole = outputTokens === usage.outputTokens && usage.searches === clamped.searches;
  if (isWhole) return usage;
  return {
    ...clamped,
    outputTokens,
    reasoningTokens: Math.min(usage.reasoningTokens, outputTokens),
  };
}

/** False for a film that is told to be longer than it can be; what was asked for is charged. */
export function isLengthBelievable(toldSeconds: number, askedSeconds: number): boolean {
  return toldSeconds <= askedSeconds * shareOnTop + lengthSlackSeconds;
}

/** Tokens of as many images as came, each within the most that one can take. */
export function clampImageTokens(
  counted: ImageTokens,
  most: ImageTokens,
  images: number,
): ImageTokens {
  const { inputTokensMax, outputTokensMax } = believedBound({
    inputTokensMax: most.inputTokens * images,
    outputTokensMax: most.outputTokens * images,
    mediaTokensMax: 0,
  });
  if (counted.inputTokens <= inputTokensMax && counted.outputTokens <= outputTokensMax) {
    return counted;
  }
  return {
    inputTokens: Math.min(counted.inputTokens, inputTokensMax),
    outputTokens: Math.min(counted.outputTokens, outputTokensMax),
  };
}
