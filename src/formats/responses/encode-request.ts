// An exchange as the body for an upstream that speaks responses. Nothing is kept there unless the
// client asked for it, so the reasoning travels back and forth encrypted.
import { hasCacheMarks } from "../kit/cache-marks.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, FieldNames, Hints, OutputShape } from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { effortFor } from "../kit/effort.ts";
import { cannotExpress } from "../kit/refuse.ts";
import { shortUserId } from "../kit/user-id.ts";
import { encodeTurn } from "./encode-items.ts";
import { listOf } from "./read.ts";
import { encodeShape, encodeTool, encodeToolChoice } from "./tools.ts";
import { encodeSearch, searchSources } from "./web-search.ts";

const serviceTiers = new Set(["auto", "default", "flex", "scale", "priority", "fast"]);

export function encodeResponsesRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  if (exchange.choices > 1) throw cannotExpress(exchange, "choices");
  if (exchange.stop.length > 0) throw cannotExpress(exchange, "stop");
  const { sampling, hints, shape } = exchange;
  const input = withJsonWord(exchange.turns.flatMap(encodeTurn), shape);
  const body: JsonObject = { model: target.model, input };
  const instructions = exchange.system.map(({ text }) => text).join("\n\n");
  // The vendor answers nothing without an input.
  if (input.length === 0 && instructions !== "") input.push(developerMessage(instructions));
  else if (instructions !== "") body["instructions"] = instructions;
  if (target.stream) body["stream"] = true;
  body["store"] = hints.store === true;
  if (exchange.outputTokensMax !== null) body["max_output_tokens"] = exchange.outputTokensMax;
  if (sampling.temperature !== null) body["temperature"] = sampling.temperature;
  if (sampling.topP !== null) body["top_p"] = sampling.topP;
  const ignored = setTools(body, exchange);
  setText(body, exchange);
  const isSaid = setReasoning(body, exchange, target.model);
  setHints(body, hints);
  ignored.push(...leftOut(exchange));
  if (!isSaid) ignored.push(exchange.names.reasoning);
  if (hasCacheMarks(exchange)) ignored.push(exchange.names.cache);
  return { body, ignored };
}

/** The vendor refuses to answer in JSON when no message of the input speaks of it. */
function withJsonWord(input: JsonObject[], shape: OutputShape | null): JsonObject[] {
  if (shape?.kind !== "json") return input;
  if (input.some(({ content }) => /json/i.test(JSON.stringify(content ?? "")))) return input;
  return [developerMessage("Answer in JSON."), ...input];
}

function developerMessage(text: string): JsonObject {
  return { type: "message", role: "developer", content: [{ type: "input_text", text }] };
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

/**
 * Models that do not reason refuse to be asked for it: there must be a sign that this one does.
 * False when the model cannot be told.
 */
function setReasoning(body: JsonObject, { reasoning, turns }: Exchange, model: string): boolean {
  const { effort: level, isLeftOut } = effortFor(reasoning, model);
  const isAsked = reasoning !== null && !isLeftOut;
  const isShown = isAsked && reasoning.isShown !== false && level !== "none";
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
  return !isLeftOut;
}

function setHints(body: JsonObject, hints: Hints): void {
  const { userId, metadata, serviceTier, cacheKey } = hints;
  if (userId !== null) body["safety_identifier"] = shortUserId(userId);
  if (metadata) body["metadata"] = metadata;
  if (cacheKey !== null) body["prompt_cache_key"] = cacheKey;
  if (serviceTier !== null && serviceTiers.has(serviceTier)) body["service_tier"] = serviceTier;
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
