// The catalogue's entry of a model.
import type { WeekWindow } from "../core/week/week-windows.ts";
import type { LongContext, TokenFactor } from "./surcharges.ts";

export type ModelKind = "text" | "embedding" | "image" | "video";

/** List prices in micros; text prices are per million tokens. Null is not priced, 0 is free. */
export interface ListedPrice {
  inputMicrosPerMillion: number | null;
  outputMicrosPerMillion: number | null;
  cacheReadMicrosPerMillion: number | null;
  cacheWriteMicrosPerMillion: number | null;
  /** Price of writing caches that last an hour; otherwise a share of the input's price. */
  cacheWriteHourMicrosPerMillion: number | null;
  /** Spoken input, where it is not that of the text. */
  audioInputMicrosPerMillion: number | null;
  /** Spoken output; without it there is none. */
  audioOutputMicrosPerMillion: number | null;
  imageMicros: number | null;
  secondMicros: number | null;
  callMicros: number | null;
  /** For one call of a tool that the vendor runs, in place of what is listed for all models. */
  toolMicros?: Readonly<Record<string, number>>;
  /** The most that it answers, where that is not what its name says. */
  outputTokensMax?: number;
  /** Factors on the tokens' price for a tier, a speed or a place. */
  factors?: Readonly<Record<string, TokenFactor>>;
  longContext?: LongContext | null;
  /** Windows of the week in which tokens cost something else. */
  hours?: readonly PriceHours[];
  /** Other amounts for media where every named condition holds; the first that fits counts. */
  rules?: readonly MediaRule[];
}

export interface PriceHours extends WeekWindow {
  zone: string;
  inputPercent: number;
  outputPercent: number;
  /** In place of what the percentages make of them. */
  amounts: Partial<
    Pick<
      ListedPrice,
      | "inputMicrosPerMillion"
      | "outputMicrosPerMillion"
      | "cacheReadMicrosPerMillion"
      | "cacheWriteMicrosPerMillion"
    >
  >;
}

export interface MediaRule {
  size?: string;
  quality?: string;
  resolution?: string;
  tier?: string;
  imageMicros: number | null;
  secondMicros: number | null;
  callMicros: number | null;
}

export interface CatalogueModel {
  id: string;
  kind: ModelKind;
  ownedBy: string;
  inputTokensMax: number;
  outputTokensMax: number;
  price: ListedPrice;
}

export const noPrice: ListedPrice = {
  inputMicrosPerMillion: null,
  outputMicrosPerMillion: null,
  cacheReadMicrosPerMillion: null,
  cacheWriteMicrosPerMillion: null,
  cacheWriteHourMicrosPerMillion: null,
  audioInputMicrosPerMillion: null,
  audioOutputMicrosPerMillion: null,
  imageMicros: null,
  secondMicros: null,
  callMicros: null,
};
