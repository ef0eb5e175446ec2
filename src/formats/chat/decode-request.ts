// A client's chat completion request as an exchange.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Effort, Exchange, Hints, OutputShape, Reasoning } from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import {
  openaiNames,
  readFlag,
  readSampling,
  readStop,
  readText,
  refuseLogitBias,
} from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeToolFields } from "./decode-tools.ts";
import { decodeSearch } from "./web-search.ts";

export function decodeChatRequest(body: JsonObject, request: TextRequest): Exchange {
  refuse(body);
  const { system, turns, ignored } = decodeMessages(body["messages"]);
  const { tools, toolChoice, parallelCalls, ignored: hostedTools } = decodeToolFields(body);
  return {
    model: request.model,
    system,
    turns,
    tools,
    toolChoice,
    search: decodeSearch(body),
    parallelCalls,
    shape: decodeShape(body["response_format"]),
    reasoning: decodeReasoning(body["reasoning_effort"]),
    outputTokensMax: request.outputTokensMax,
    choices: request.choices,
    stop: readStop(body["stop"]),
    sampling: readSampling(body),
    hints: decodeHints(body),
    names: openaiNames(body),
    ignored: [...ignored, ...hostedTools, ...ignoredFields(body)],
  };
}

/** Fields that ask for something which only chat upstreams can give. */
function refuse(body: JsonObject): void {
  refuseLogitBias(body);
  if (body["logprobs"] === true) throw unsupported("logprobs");
  const { modalities } = body;
  if (Array.isArray(modalities) && modalities.some((modality) => modality !== "text")) {
    throw unsupported("modalities");
  }
  for (const name of ["prediction", "moderation"]) {
    if ((body[name] ?? null) !== null) throw unsupported(name);
  }
}

const hintsWithoutPlace = [
  "audio",
  "search_parameters",
  "plugins",
  "enable_search",
  "prompt_cache_options",
  "prompt_cache_retention",
];

function ignoredFields(body: JsonObject): string[] {
  const names = hintsWithoutPlace.filter((name) => (body[name] ?? null) !== null);
  const options = body["stream_options"];
  if (isObject(options) && options["include_obfuscation"] === true) {
    names.push("stream_options.include_obfuscation");
  }
  return names;
}

function decodeHints(body: JsonObject): Hints {
  return {
    userId: readText(body["safety_identifier"]) ?? readText(body["user"]),
    metadata: decodeMetadata(body["metadata"]),
    verbosity: readText(body["verbosity"]),
    serviceTier: readText(body["service_tier"]),
    cacheKey: readText(body["prompt_cache_key"]),
    store: readFlag(body["store"]),
    safety: null,
  };
}

function decodeMetadata(metadata: Json | undefined): Record<string, string> | null {
  if (!isObject(metadata)) return null;
  const pairs = Object.entries(metadata).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(pairs);
}

const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

function decodeReasoning(value: Json | undefined): Reasoning | null {
  if (value === undefined || value === null) return null;
  const effort = efforts.find((known) => known === value);
  if (!effort) throw invalid("reasoning_effort", `must be one of ${efforts.join(", ")}`);
  return { effort, budgetTokens: null, isShown: null };
}

function decodeShape(format: Json | undefined): OutputShape | null {
  if (!isObject(format)) return null;
  const { type, json_schema: wanted } = format;
  if (type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema") {
    throw invalid("response_format.type", "must be text, json_object or json_schema");
  }
  if (!isObject(wanted)) throw invalid("response_format.json_schema", "must be an object");
  const { schema, name, description, strict } = wanted;
  if (!isObject(schema)) return { kind: "json" };
  return {
    kind: "schema",
    name: readText(name) ?? "response",
    description: readText(description),
    schema,
    isStrict: readFlag(strict),
  };
}
