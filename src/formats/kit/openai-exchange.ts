// Fields that chat and legacy completions put into an exchange under the same names.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { FieldNames, Sampling } from "../exchange.ts";
import { readNumber } from "./openai-fields.ts";
import { unsupported } from "./refuse.ts";

export function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function readFlag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

export function readStop(stop: unknown): string[] {
  const sequences: readonly unknown[] = Array.isArray(stop) ? stop : [stop ?? ""];
  return sequences.flatMap((sequence, at) => {
    if (typeof sequence !== "string") throw invalid(`stop.${at}`, "must be a string");
    return sequence === "" ? [] : [sequence];
  });
}

export function readSampling(body: JsonObject): Sampling {
  return {
    temperature: readNumber(body["temperature"]),
    topP: readNumber(body["top_p"]),
    topK: readNumber(body["top_k"]),
    seed: readNumber(body["seed"]),
    presencePenalty: readNumber(body["presence_penalty"]),
    frequencyPenalty: readNumber(body["frequency_penalty"]),
  };
}

/** No other dialect can shift the odds of single tokens; an empty table shifts none. */
export function refuseLogitBias({ logit_bias: bias }: JsonObject): void {
  if (Object.keys(bias ?? {}).length > 0) throw unsupported("logit_bias");
}

/** Names of the fields in OpenAI's dialects, and in others where they have no name of their own. */
export const usualNames: FieldNames = {
  temperature: "temperature",
  topP: "top_p",
  topK: "top_k",
  seed: "seed",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  userId: "safety_identifier",
  metadata: "metadata",
  verbosity: "verbosity",
  serviceTier: "service_tier",
  cacheKey: "prompt_cache_key",
  store: "store",
  safety: "safety_settings",
  choices: "n",
  stop: "stop",
  tools: "tools",
  toolChoice: "tool_choice",
  parallelCalls: "parallel_tool_calls",
  shape: "response_format",
  reasoning: "reasoning_effort",
  cache: "cache_control",
  outputTokensMax: "max_completion_tokens",
};

/** A field that has two names goes by the one that the client used. */
export function openaiNames(body: JsonObject): FieldNames {
  const pick = (first: string, second: string) =>
    (body[first] ?? null) === null && (body[second] ?? null) !== null ? second : first;
  return {
    ...usualNames,
    userId: pick("safety_identifier", "user"),
    tools: pick("tools", "functions"),
    toolChoice: pick("tool_choice", "function_call"),
    outputTokensMax: pick("max_completion_tokens", "max_tokens"),
  };
}
