// A client's responses request as an exchange.
import { invalid } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Effort, Exchange, FieldNames, Hints, Reasoning } from "../exchange.ts";
import { noSampling } from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import { readFlag, readText, usualNames } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";
import { unsupported } from "../kit/refuse.ts";
import { ItemDecoder } from "./decode-items.ts";
import { readOffers } from "./offers/offer.ts";
import { decodeShape, decodeTools, decodeToolChoice } from "./tools.ts";
import { findSearch, searchSources } from "./web-search.ts";

const names: FieldNames = {
  ...usualNames,
  verbosity: "text.verbosity",
  shape: "text.format",
  reasoning: "reasoning",
  cache: "prompt_cache_breakpoint",
  outputTokensMax: "max_output_tokens",
};
/** For clients that still call the end user's id as it was called first. */
const namesByUser: FieldNames = { ...names, userId: "user" };

/** Fields that lean on what the vendor keeps, or that no other dialect has. */
const boundFields = ["previous_response_id", "conversation", "prompt", "context_management"];

/** Fields of the vendor that may be left out: the answer is of the same kind without them. */
const spareFields = [
  "max_tool_calls",
  "moderation",
  "prompt_cache_options",
  "prompt_cache_retention",
];

export function decodeResponsesRequest(body: JsonObject, request: TextRequest): Exchange {
  refuseBound(body);
  const ignored = spareFields.filter((name) => isGiven(body, name));
  if (body["truncation"] === "auto") ignored.push("truncation");
  const listed = readOffers(body["tools"], "tools", ignored);
  const hasHosted = ignored.some((name) => name.startsWith("tools."));
  const { system, turns, offers } = new ItemDecoder(ignored, request.earlier).decode(body["input"]);
  const instructions = readText(body["instructions"]) ?? "";
  const isToldNothing = system.length === 0 && instructions === "";
  if (turns.length === 0 && (isToldNothing || !isSaid(body["input"]))) {
    throw invalid("input", "is required");
  }
  const tools = decodeTools([...listed, ...offers]);
  const toolChoice = decodeToolChoice(body["tool_choice"]);
  if (toolChoice?.kind === "required" && hasHosted && tools.length === 0) {
    throw unsupported("tool_choice");
  }
  const search = findSearch(body);
  const untold = search ? [search.at, search.names.usesMax] : [];
  const reasoning = decodeReasoning(body["reasoning"], ignored);
  readInclude(body["include"], ignored);
  const text = isObject(body["text"]) ? body["text"] : {};
  return {
    model: request.model,
    system: instructions === "" ? system : [{ kind: "text", text: instructions }, ...system],
    turns,
    tools,
    toolChoice,
    search,
    parallelCalls: readFlag(body["parallel_tool_calls"]),
    shape: decodeShape(text["format"]),
    reasoning,
    outputTokensMax: request.outputTokensMax,
    choices: 1,
    stop: [],
    sampling: {
      ...noSampling,
      temperature: readNumber(body["temperature"]),
      topP: readNumber(body["top_p"]),
    },
    hints: decodeHints(body, text),
    names: isGiven(body, "safety_identifier") ? names : namesByUser,
    ignored: untold.length === 0 ? ignored : ignored.filter((name) => !untold.includes(name)),
  };
}

/** Instructions may stand alone, with an empty input beside them. */
function isSaid(input: JsonObject[string]): boolean {
  return typeof input === "string" || Array.isArray(input);
}

function refuseBound(body: JsonObject): void {
  for (const name of boundFields) if (isGiven(body, name)) throw unsupported(name);
  if ((readNumber(body["top_logprobs"]) ?? 0) > 0) throw unsupported("top_logprobs");
}

/** Null and an empty list say nothing. */
function isGiven(body: JsonObject, name: string): boolean {
  const value = body[name] ?? null;
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

function decodeReasoning(reasoning: unknown, ignored: string[]): Reasoning | null {
  if (!isObject(reasoning)) return null;
  for (const name of ["context", "mode"]) {
    if (isGiven(reasoning, name)) ignored.push(`reasoning.${name}`);
  }
  const name = readText(reasoning["effort"]);
  const effort = efforts.find((known) => known === name) ?? null;
  if (name !== null && effort === null) throw invalid("reasoning.effort", "is not known");
  const summary = readText(reasoning["summary"] ?? reasoning["generate_summary"]);
  if (effort === null && summary === null) return null;
  return { effort, budgetTokens: null, isShown: summary === null ? null : summary !== "none" };
}

/** Encrypted reasoning and the sources of a search are always given. */
const givenAnyway = new Set<unknown>(["reasoning.encrypted_content", searchSources]);

/** The rest belongs to tools of the vendor. */
function readInclude(include: unknown, ignored: string[]): void {
  if (!Array.isArray(include)) return;
  if (include.includes("message.output_text.logprobs")) throw unsupported("include");
  if (include.some((name) => !givenAnyway.has(name))) ignored.push("include");
}

function decodeHints(body: JsonObject, text: JsonObject): Hints {
  const metadata = isObject(body["metadata"]) ? Object.entries(body["metadata"]) : [];
  const pairs = metadata.flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return {
    userId: readText(body["safety_identifier"]) ?? readText(body["user"]),
    metadata: pairs.length === 0 ? null : Object.fromEntries(pairs),
    verbosity: readText(text["verbosity"]),
    serviceTier: readText(body["service_tier"]),
    cacheKey: readText(body["prompt_cache_key"]),
    store: readFlag(body["store"]),
    safety: null,
  };
}
