// Token counts as Anthropic reports them: what comes from the cache is not part of the input.
import type { CountBody } from "./request/schema.ts";
import { segmentsOf } from "./segments.ts";

export interface InputUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
}

export interface OutputUsage {
  output_tokens: number;
  output_tokens_details: { thinking_tokens: number };
}

export const usageConstants = {
  server_tool_use: null,
  service_tier: "standard",
  speed: "standard",
  inference_geo: "not_available",
} as const;

export function inputTokensOf(body: CountBody): number {
  return Math.max(1, sum(segmentsOf(body)));
}

/**
 * Input up to the last mark comes from the cache. A mark that says how long it lives is new: what
 * stands up to it is written into the cache instead.
 */
export function inputUsageOf(body: CountBody): InputUsage {
  const segments = segmentsOf(body);
  const end = segments.findLastIndex(({ mark }) => mark !== null);
  const ttl = segments[end]?.mark?.ttl ?? null;
  const cached = sum(segments.slice(0, end + 1));
  const written = ttl === null ? 0 : cached;
  return {
    input_tokens: inputTokensOf(body) - cached,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached - written,
    cache_creation: {
      ephemeral_5m_input_tokens: ttl === "5m" ? written : 0,
      ephemeral_1h_input_tokens: ttl === "1h" ? written : 0,
    },
  };
}

function sum(segments: readonly { tokens: number }[]): number {
  return segments.reduce((total, { tokens }) => total + tokens, 0);
}
