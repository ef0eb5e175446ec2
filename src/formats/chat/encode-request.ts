// An exchange as the request of a chat upstream.
import type { JsonObject } from "../../core/json.ts";
import type {
  Effort,
  Exchange,
  FieldNames,
  Hints,
  OutputShape,
  Part,
  Reasoning,
  Sampling,
} from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { hasCacheMarks } from "../kit/cache-marks.ts";
import { encodeToolFields } from "./encode-tools.ts";
import { encodeMessages } from "./encode-turns.ts";
import { encodeSearch } from "./web-search.ts";

/** Models that count their reasoning as output and refuse the older name of its bound. */
const reasoningModels = /^(o\d|gpt-5)/;

export function encodeChatRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  const { choices, stop, shape, names, hints, sampling } = exchange;
  const effort = encodeEffort(exchange.reasoning, target.model);
  const tier = encodeTier(hints.serviceTier);
  const search = encodeSearch(exchange.search ?? null, target.model);
  const body = {
    model: target.model,
    messages: encodeMessages(withJsonWord(exchange)),
    ...(target.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...encodeBound(exchange, target),
    ...encodeSampling(sampling),
    ...(choices > 1 ? { n: choices } : {}),
    ...(stop.length > 0 ? { stop } : {}),
    ...encodeToolFields(exchange),
    ...search.fields,
    ...encodeShape(shape),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...encodeHints(hints),
    ...(tier === null ? {} : { service_tier: tier }),
  };
  const missing: (keyof FieldNames)[] = [];
  if (sampling.topK !== null) missing.push("topK");
  if (hints.safety !== null) missing.push("safety");
  if (hints.serviceTier !== null && tier === null) missing.push("serviceTier");
  const ignored = [...missing.map((field) => names[field]), ...search.ignored];
  if (hasCacheMarks(exchange)) ignored.push(names.cache);
  return { body, ignored };
}

function encodeBound({ outputTokensMax }: Exchange, target: RequestTarget): JsonObject {
  if (outputTokensMax === null) return {};
  const bound = Math.min(outputTokensMax, target.outputTokensMax);
  return reasoningModels.test(target.model)
    ? { max_completion_tokens: bound }
    : { max_tokens: bound };
}

function encodeSampling(sampling: Sampling): JsonObject {
  return withoutNulls({
    temperature: sampling.temperature,
    top_p: sampling.topP,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
  });
}

function encodeHints(hints: Hints): JsonObject {
  return withoutNulls({
    user: hints.userId,
    metadata: hints.metadata,
    verbosity: hints.verbosity,
    prompt_cache_key: hints.cacheKey,
    store: hints.store,
  });
}

const budgetSteps: readonly [tokensMax: number, effort: Effort][] = [
  [0, "none"],
  [2048, "low"],
  [8192, "medium"],
  [24_576, "high"],
];

/** Null where nothing is to be said. */
function encodeEffort(reasoning: Reasoning | null, model: string): Effort | null {
  if (!reasoning) return null;
  const effort = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens);
  return effort === "none" ? leastEffort(model) : effort;
}

function effortOfBudget(tokens: number | null): Effort | null {
  if (tokens === null || tokens < 0) return null;
  return budgetSteps.find(([tokensMax]) => tokens <= tokensMax)?.[1] ?? "xhigh";
}

/** "none" is known to few models, and those without reasoning refuse the field altogether. */
function leastEffort(model: string): Effort | null {
  if (/^o\d/.test(model)) return "low";
  if (/^gpt-5(?!\.)/.test(model)) return "minimal";
  return model.startsWith("gpt-5.") ? "none" : null;
}

const tiers = new Set(["auto", "default", "flex", "scale", "priority", "fast"]);

/** Null for a tier that only another vendor has. */
function encodeTier(tier: string | null): string | null {
  if (tier === null || tiers.has(tier)) return tier;
  return tier === "standard_only" ? "default" : null;
}

function encodeShape(shape: OutputShape | null): JsonObject {
  if (!shape || shape.kind === "text") return {};
  if (shape.kind === "json") return { response_format: { type: "json_object" } };
  const { name, description, schema, isStrict } = shape;
  const json_schema = { name, ...withoutNulls({ description, strict: isStrict }), schema };
  return { response_format: { type: "json_schema", json_schema } };
}

/** The vendor refuses to answer in JSON when no message speaks of it. */
function withJsonWord(exchange: Exchange): Exchange {
  const { shape, system, turns } = exchange;
  if (shape?.kind !== "json") return exchange;
  const parts = turns
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.kind === "result" ? part.content : [part]));
  const isSpokenOf = (part: Part) => part.kind === "text" && /json/i.test(part.text);
  if (system.some(isSpokenOf) || parts.some(isSpokenOf)) return exchange;
  return { ...exchange, system: [...system, { kind: "text", text: "Answer in JSON." }] };
}

function withoutNulls(fields: JsonObject): JsonObject {
  const present: JsonObject = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== null) present[name] = value;
  }
  return present;
}
