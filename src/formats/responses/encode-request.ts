// An exchange as the body for an upstream that speaks responses. Nothing is kept there unless the
// client asked for it, so the reasoning travels back and forth encrypted.
import { hasCacheMarks } from "../kit/cache-marks.ts";
import { createHash } from "node:crypto";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, FieldNames, Hints, OutputShape, Reasoning } from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { cannotExpress } from "../kit/refuse.ts";
import { encodeTurn } from "./encode-items.ts";
import { listOf } from "./read.ts";
import { encodeShape, encodeTool, encodeToolChoice } from "./tools.ts";
import { encodeSearch, searchSources } from "./web-search.ts";

const serviceTiers = new Set(["auto", "default", "flex", "scale", "priority", "fast"]);
const userIdCharactersMax = 64;

export function encodeResponsesRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  if (exchange.choices > 1) throw cannotExpress(exchange, "choices");
  if (exchange.stop.length > 0) throw cannotExpress(exchange, "stop");
  const { sampling, hints, shape } = exchange;
  const input = withJsonWord(exchange.turns.flatMap(encodeTurn), shape);
  const body: JsonObject = { model: target.model, input };
  if (exchange.system.length > 0) {
    body["instructions"] = exchange.system.map(({ text }) => text).join("\n\n");
  }
  if (target.stream) body["stream"] = true;
  body["store"] = hints.store === true;
  if (exchange.outputTokensMax !== null) body["max_output_tokens"] = exchange.outputTokensMax;
  if (sampling.temperature !== null) body["temperature"] = sampling.temperature;
  if (sampling.topP !== null) body["top_p"] = sampling.topP;
  const ignored = setTools(body, exchange);
  setText(body, exchange);
  setReasoning(body, exchange);
  setHints(body, hints);
  ignored.push(...leftOut(exchange));
  if (hasCacheMarks(exchange)) ignored.push(exchange.names.cache);
  return { body, ignored };
}

/** The vendor refuses to answer in JSON when no message of the input speaks of it. */
function withJsonWord(input: JsonObject[], shape: OutputShape | null): JsonObject[] {
  if (shape?.kind !== "json") return input;
  if (input.some(({ content }) => /json/i.test(JSON.stringify(content ?? "")))) return input;
  const content = [{ type: "input_text", text: "Answer in JSON." }];
  return [{ type: "message", role: "developer", content }, ...input];
}

/** Tells what of the search cannot be said. */
function setTools(body: JsonObject, exchange: Exchange): string[] {
  const search = exchange.search ? encodeSearch(exchange.search) : null;
  const tools = exchange.tools.map(encodeTool);
  if (search) tools.push(search.tool);
  if (tools.length > 0) body["tools"] = tools;
  if (search) body["include"] = [searchSources];
  const callsMax = exchange.search?.usesMax ?? null;
  if (callsMax !== null) body["max_tool_calls"] = callsMax;
  if (exchange.tools.length > 0) setChoice(body, exchange);
  return search?.ignored ?? [];
}

function setChoice(body: JsonObject, exchange: Exchange): void {
  const choice = encodeToolChoice(exchange);
  if (choice !== null) body["tool_choice"] = choice;
  if (exchange.parallelCalls !== null) body["parallel_tool_calls"] = exchange.parallelCalls;
}

function setText(body: JsonObject, { shape, hints }: Exchange): void {
  const text: JsonObject = {};
  if (shape) text["format"] = encodeShape(shape);
  if (hints.verbosity !== null) text["verbosity"] = hints.verbosity;
  if (shape || hints.verbosity !== null) body["text"] = text;
}

/** Models that do not reason refuse to be asked for it: there must be a sign that this one does. */
function setReasoning(body: JsonObject, { reasoning, turns }: Exchange): void {
  const level = reasoning ? levelOf(reasoning) : null;
  const isShown = reasoning !== null && reasoning.isShown !== false && level !== "none";
  if (level !== null || isShown) {
    const effort = level === null ? {} : { effort: level };
    body["reasoning"] = isShown ? { ...effort, summary: "auto" } : effort;
  }
  const hasOwnProof = turns.some(({ parts }) =>
    parts.some((part) => part.kind === "reasoning" && part.proof?.dialect === "responses"),
  );
  if (isShown || hasOwnProof || (level !== null && level !== "none")) {
    body["include"] = [...listOf(body["include"]), "reasoning.encrypted_content"];
  }
}

function levelOf({ effort, budgetTokens }: Reasoning): string | null {
  return effort ?? (budgetTokens === null ? null : effortOf(budgetTokens));
}

/** How hard a model thinks that may spend so many tokens on it. */
function effortOf(budgetTokens: number): string {
  if (budgetTokens <= 0) return "none";
  if (budgetTokens <= 2048) return "low";
  if (budgetTokens <= 8192) return "medium";
  return budgetTokens <= 24_576 ? "high" : "xhigh";
}

function setHints(body: JsonObject, hints: Hints): void {
  const { userId, metadata, serviceTier, cacheKey } = hints;
  if (userId !== null) body["safety_identifier"] = shortened(userId);
  if (metadata) body["metadata"] = metadata;
  if (cacheKey !== null) body["prompt_cache_key"] = cacheKey;
  if (serviceTier !== null && serviceTiers.has(serviceTier)) body["service_tier"] = serviceTier;
}

/** The vendor bounds its length, and needs it only to tell users apart. */
function shortened(userId: string): string {
  if (userId.length <= userIdCharactersMax) return userId;
  return createHash("sha256").update(userId).digest("hex");
}

function leftOut({ sampling, hints, names }: Exchange): string[] {
  const lacking: (keyof FieldNames)[] = [];
  const { topK, seed, presencePenalty, frequencyPenalty } = sampling;
  if (topK !== null) lacking.push("topK");
  if (seed !== null) lacking.push("seed");
  // A penalty of 0 is none, and many clients always send it.
  if ((presencePenalty ?? 0) !== 0) lacking.push("presencePenalty");
  if ((frequencyPenalty ?? 0) !== 0) lacking.push("frequencyPenalty");
  if (hints.safety) lacking.push("safety");
  const { serviceTier } = hints;
  if (serviceTier !== null && !serviceTiers.has(serviceTier)) lacking.push("serviceTier");
  return lacking.map((field) => names[field]);
}
