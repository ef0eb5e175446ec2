// What the catalogue knows of a model.

export type ModelKind = "text" | "image" | "video";

/** List prices in micros; text prices are per million tokens. */
export interface ListedPrice {
  inputMicrosPerMillion: number;
  outputMicrosPerMillion: number;
  cacheReadMicrosPerMillion: number | null;
  cacheWriteMicrosPerMillion: number | null;
  imageMicros: number;
  secondMicros: number;
  callMicros: number;
}

export interface CatalogueModel {
  id: string;
  kind: ModelKind;
  ownedBy: string;
  inputTokensMax: number;
  outputTokensMax: number;
  price: ListedPrice;
}

export const freePrice: ListedPrice = {
  inputMicrosPerMillion: 0,
  outputMicrosPerMillion: 0,
  cacheReadMicrosPerMillion: null,
  cacheWriteMicrosPerMillion: null,
  imageMicros: 0,
  secondMicros: 0,
  callMicros: 0,
};
