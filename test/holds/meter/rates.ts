// Prices of vendors, from their public pages: tokens by the million, calls of tools by the one.
import type { JsonObject } from "./json.ts";

export interface ModelRate {
  windowTokens: number;
  outputTokensMax: number;
  /** In dollars for a million tokens, which is micros for one. */
  input: number;
  output: number;
}

export const modelRates: Readonly<Record<string, ModelRate>> = {
  "gpt-4o": { windowTokens: 128_000, outputTokensMax: 16_384, input: 2.5, output: 10 },
  "gpt-4o-mini": { windowTokens: 128_000, outputTokensMax: 16_384, input: 0.15, output: 0.6 },
  "claude-sonnet-4-5": { windowTokens: 200_000, outputTokensMax: 64_000, input: 3, output: 15 },
  "gemini-2.5-flash": { windowTokens: 1_048_576, outputTokensMax: 65_536, input: 0.3, output: 2.5 },
  "text-embedding-3-small": { windowTokens: 8191, outputTokensMax: 0, input: 0.02, output: 0 },
  "gemini-embedding-001": { windowTokens: 2048, outputTokensMax: 0, input: 0.15, output: 0 },
};

/** The most that a picture is counted as by most of them. */
const pictureTokensMax = 1600;
/** The same of a small model, which counts 2,833 and 5,667 for each of eight tiles. */
const smallModelPictureTokensMax = 48_169;
/** The same where Qwen is asked for all pixels. */
const fullPictureTokensMax = 16_384;

export function pictureTokensOf({ model, body }: { model: string; body: JsonObject }): number {
  if (model === "gpt-4o-mini") return smallModelPictureTokensMax;
  return body["vl_high_resolution_images"] === true ? fullPictureTokensMax : pictureTokensMax;
}

/** Calls of a vendor's tool where nothing that was sent says less. */
export const callsMaxDefault = 10;

/** In micros. A tool that is not here has no price, so nobody may have it. */
export const toolMicros: ReadonlyMap<string, number> = new Map([
  ["web_search", 10_000],
  ["web_search_preview", 25_000],
  ["web_fetch", 0],
  ["file_search", 2_500],
  ["code_interpreter", 30_000],
  ["code_execution", 4_167],
  ["shell", 30_000],
  ["image_generation", 16_000],
  ["mcp", 0],
  ["mcp_toolset", 0],
  ["google_search", 14_000],
  ["google_search_retrieval", 35_000],
  ["enterprise_web_search", 45_000],
  ["google_maps", 25_000],
  ["url_context", 0],
  ["code_execution_google", 0],
  ["file_search_google", 0],
]);
