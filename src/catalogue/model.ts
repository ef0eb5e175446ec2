// What the catalogue knows of a model.

export type ModelKind = "text" | "embedding" | "image" | "video";

/** List prices in micros; text prices are per million tokens. Null is not priced, 0 is free. */
export interface ListedPrice {
  inputMicrosPerMillion: number | null;
  outputMicrosPerMillion: number | null;
  cacheReadMicrosPerMillion: number | null;
  cacheWriteMicrosPerMillion: number | null;
  imageMicros: number | null;
  secondMicros: number | null;
  callMicros: number | null;
  /** Other amounts for media where every named condition holds; the first that fits counts. */
  rules?: readonly MediaRule[];
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
  imageMicros: null,
  secondMicros: null,
  callMicros: null,
};
