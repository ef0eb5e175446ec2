// Bounds and estimates for text: the most a request can use before it runs, and roughly what it
// used when the vendor did not say.
import type { KnownModel } from "../catalogue/catalogue.ts";
import type { TextRequest } from "../formats/format.ts";
import type { Usage } from "../formats/usage.ts";
import type { TextBound } from "./price.ts";

export interface BoundRules {
  outputTokensMaxDefault: number;
  imageTokensMax: number;
}

/** Bytes of the request that the vendor will read. */
interface SentBytes {
  bodyBytes: number;
  mayConvert: boolean;
  /** The least bound that a wire it may be sent in takes; a smaller one is raised to it. */
  outputTokensMin: number;
  /** The most that the model answers; null where nobody says. */
  modelTokensMax: number | null;
}

/** The most that a request can use. */
export interface RequestBound extends TextBound {
  /** The part of the input that its media are bounded by. */
  mediaTokensMax: number;
  /** The most that the operator says the model answers. */
  declaredTokensMax?: number;
  /** The output is bounded by what the wallet covers. */
  isOfWallet?: true;
}

const bytesPerToken = 4;
/** The largest window of a model that is not in the catalogue. */
const windowTokens = 1_000_000;
/** Conversion may add a few words of its own, such as how JSON is asked for. */
const phraseTokens = 128;
/** Past every wallet, and still a number that can be multiplied by a price. */
const tokensMax = 1_000_000_000_000;

/** A token is at least one byte, so the bytes of the body bound the tokens of the prompt. */
export function boundText(
  request: TextRequest,
  model: KnownModel | undefined,
  { bodyBytes, mayConvert, outputTokensMin, modelTokensMax }: SentBytes,
  rules: BoundRules,
): RequestBound {
  const wantedTokens = request.outputTokensMax;
  // An answer is part of the window, where nothing more is known of how long it may be.
  const most = modelTokensMax ?? model?.inputTokensMax ?? Number.MAX_SAFE_INTEGER;
  const unasked = modelTokensMax ?? rules.outputTokensMaxDefault;
  const perChoice = Math.max(Math.min(wantedTokens ?? unasked, most), outputTokensMin);
  const mediaTokensMax = request.mediaParts * rules.imageTokensMax;
  const sent = bodyBytes - request.mediaBytes + mediaTokensMax + (mayConvert ? phraseTokens : 0);
  // A model reads at most what fits into its window of things that are nowhere in the body.
  const readsMore = request.readsMore === true || request.origins.required !== null;
  const readings = (readsMore ? 1 : 0) + (request.readings ?? 0);
  const window = model?.inputTokensMax ?? windowTokens;
  // Thoughts were the output of the same model once.
  const thoughts = (request.keptThoughts ?? 0) * (modelTokensMax ?? window);
  const kept = window * readings + Math.min(thoughts, window);
  return {
    inputTokensMax: Math.min(sent + kept, tokensMax),
    outputTokensMax: Math.min(perChoice * request.choices, tokensMax),
    mediaTokensMax,
    keptTokensMax: Math.min(kept, tokensMax),
  };
}

/** Roughly what the prompt has. */
export function estimatePrompt({ mediaBytes }: TextRequest, bodyBytes: number): number {
  return Math.ceil((bodyBytes - mediaBytes) / bytesPerToken);
}

export function estimateUsage(
  request: TextRequest,
  bodyBytes: number,
  outputTokensEstimate: number,
): Usage {
  return {
    inputTokens: estimatePrompt(request, bodyBytes),
    outputTokens: Math.ceil(outputTokensEstimate),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

/** "~" for what was counted here, "!" for what the vendor told and cannot be, and was clamped. */
export type UsageMark = "" | "~" | "!";

/** Usage as it stands on a ledger entry. */
export function usageText(usage: Usage, mark: UsageMark): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return `${mark}${inputTokens}/${outputTokens}/${cacheReadTokens}/${cacheWriteTokens}`;
}
