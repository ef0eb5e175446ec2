// Usage as chat completions, legacy completions and, in names of their own, responses report it.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readCount, toUsage, type Usage } from "../usage.ts";

/** Names of what was read from a cache and written there, first number wins. */
const readsAmongDetails = ["cached_tokens"];
/** DeepSeek's, Moonshot's and Mistral's. */
const readsAtTheTop = ["prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens"];
/** The second is DashScope's. */
const writesAmongDetails = ["cache_write_tokens", "cache_creation_input_tokens"];

/** Null when the vendor sent nothing that can be trusted. */
export function readOpenaiUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  if (isObject(value["billed_units"])) return readBilledUnits(value["billed_units"]);
  const input = detailsOf(value["prompt_tokens_details"] ?? value["input_tokens_details"]);
  const output = detailsOf(value["completion_tokens_details"] ?? value["output_tokens_details"]);
  const answered = readCount(value["completion_tokens"] ?? value["output_tokens"]);
  // Perplexity counts these beside the answer, and its total has none of them.
  const beside = readCount(value["reasoning_tokens"]) ?? 0;
  const cacheRead =
    firstCount(input, readsAmongDetails) ??
    firstCount(value, readsAtTheTop) ??
    // Mistral's other name.
    firstCount(detailsOf(value["prompt_token_details"]), readsAmongDetails);
  const read = readCount(value["prompt_tokens"] ?? value["input_tokens"]);
  const reads = xaiFields.some((name) => name in value) ? (cacheRead ?? 0) : 0;
  const prompt = withReads(read, readCount(value["total_tokens"]), reads);
  return toUsage({
    input: prompt.input,
    output: answered === null ? null : answered + beside,
    total: beside > 0 ? null : prompt.total,
    cacheRead,
    cacheWrite: firstCount(input, writesAmongDetails),
    reasoning: readCount(output["reasoning_tokens"]) ?? beside,
    fetched: readCount(value["citation_tokens"]),
    searches: readCount(value["num_search_queries"]),
    audioInput: readCount(input["audio_tokens"]),
  });
}

/** Cohere bills its own prompt to nobody. */
function readBilledUnits(billed: JsonObject): Usage | null {
  const { input_tokens: input, output_tokens: output } = billed;
  return toUsage({ input: readCount(input), output: readCount(output) });
}

/** Fields that xAI alone has: of others more reads than input are a mistake. */
const xaiFields = ["cost_in_usd_ticks", "num_sources_used"];

/** Cache reads of xAI stand beside the prompt where there are more of them. */
function withReads(
  input: number | null,
  total: number | null,
  reads: number,
): { input: number | null; total: number | null } {
  if (input === null || reads <= input) return { input, total };
  const all = input + reads;
  return { input: all, total: total !== null && total < all ? total + reads : total };
}

function firstCount(holder: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const count = readCount(holder[name]);
    if (count !== null) return count;
  }
  return null;
}

/** Usage of a chunk of a stream: Groq has it below a name of its own. */
export function usageIn({ usage, x_groq: own }: JsonObject): JsonObject | null {
  if (isObject(usage)) return usage;
  return isObject(own) && isObject(own["usage"]) ? own["usage"] : null;
}

const noDetails: JsonObject = Object.freeze({});

function detailsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : noDetails;
}

export function encodeOpenaiUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

export function writeOpenaiUsage(reply: JsonObject, usage: Usage): JsonObject {
  return { ...reply, usage: encodeOpenaiUsage(usage) };
}
