// An exchange as the request of a chat upstream.
import { withoutNulls, type JsonObject } from "../../core/json.ts";
import type { Exchange, FieldNames, Hints, OutputShape, Part, Sampling } from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import { hasCacheMarks } from "../kit/cache-marks.ts";
import { effortFor } from "../kit/effort.ts";
import { shortUserId } from "../kit/user-id.ts";
import { encodeToolFields } from "./encode-tools.ts";
import { encodeMessages } from "./encode-turns.ts";
import { encodeSearch } from "./web-search.ts";

export function encodeChatRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  const { choices, stop, shape, names, hints, sampling } = exchange;
  const { effort, isLeftOut } = encodeEffort(exchange, target.model);
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
  if (isLeftOut) missing.push("reasoning");
  if (hints.safety !== null) missing.push("safety");
  if (hints.serviceTier !== null && tier === null) missing.push("serviceTier");
  const ignored = [...missing.map((field) => names[field]), ...search.ignored];
  if (hasCacheMarks(exchange)) ignored.push(names.cache);
  return { body, ignored };
}

function encodeBound({ outputTokensMax }: Exchange, target: RequestTarget): JsonObject {
  if (outputTokensMax === null) return {};
  const bound = Math.min(outputTokensMax, target.outputTokensMax);
  return gptRulesOf(target.model)?.hasNewBound
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
    user: hints.userId && shortUserId(hints.userId),
    metadata: hints.metadata,
    verbosity: hints.verbosity,
    prompt_cache_key: hints.cacheKey,
    store: hints.store,
  });
}

/** "none" is known to few models, and those without reasoning refuse the field altogether. */
function encodeEffort({ reasoning }: Exchange, model: string): ReturnType<typeof effortFor> {
  const effortWord = effortFor(reasoning, model);
  const isUnheardOf = effortWord.effort === "none" && gptRulesOf(model) === null;
  return isUnheardOf ? { effort: null, isLeftOut: false } : effortWord;
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
