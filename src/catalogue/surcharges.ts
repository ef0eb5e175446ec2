// List prices of what costs more than its tokens, for models whose own price does not name one:
// tools by the call, and what the tokens are multiplied by. What is not listed has no price.

export interface TokenFactor {
  inputPercent: number;
  outputPercent: number;
}

/** Another price for all tokens of a request whose input is longer. */
export interface LongContext extends TokenFactor {
  aboveTokens: number;
}

/**
 * In micros for one call. A tool that costs nothing is listed with 0: what it brings is input.
 * Containers are paid by the one, code of the messages wire by the five minutes that a run is
 * billed at least, and Google's searches by the query.
 */
export const listedToolMicros: ReadonlyMap<string, number> = new Map([
  ["web_search", 10_000],
  ["web_search_preview", 25_000],
  ["web_fetch", 0],
  ["file_search", 2_500],
  ["code_execution", 4_167],
  ["container", 30_000],
  ["container.4g", 120_000],
  ["container.16g", 480_000],
  ["container.64g", 1_920_000],
  ["image_generation.high", 250_000],
  ["image_generation.medium", 63_000],
  ["image_generation.low", 16_000],
  ["mcp", 0],
  ["googleSearch", 14_000],
  ["googleSearch.reply", 0],
  ["googleSearchRetrieval", 35_000],
  ["enterpriseWebSearch", 45_000],
  ["googleMaps", 25_000],
  ["urlContext", 0],
  ["codeExecution", 0],
  ["fileSearch", 0],
]);

/** The highest that any vendor or model asks, where they differ. */
export const listedFactors: ReadonlyMap<string, TokenFactor> = new Map([
  ["service_tier.priority", { inputPercent: 200, outputPercent: 200 }],
  ["service_tier.fast", { inputPercent: 250, outputPercent: 250 }],
  ["speed.fast", { inputPercent: 600, outputPercent: 600 }],
  ["inference_geo.us", { inputPercent: 110, outputPercent: 110 }],
]);

export const listedLongContext: LongContext = {
  aboveTokens: 200_000,
  inputPercent: 200,
  outputPercent: 150,
};

/** A cache that lasts an hour is written at this share of the input's price. */
export const hourWritePercent = 200;

/** Models that are paid by the reply that searched, and not by the query. */
export const searchByReply: Readonly<Record<string, number>> = {
  googleSearch: 0,
  "googleSearch.reply": 35_000,
};

/** OpenAI's models that search before every answer, whether or not they are asked to. */
export function alwaysSearches(model: string): boolean {
  return /(?:^|[/.])gpt-[\w.-]*-search(?:-|$)/.test(model);
}

/** The name of that search among tools. */
export const ownSearchName = "web_search_preview";
