// A neutral exchange as the body for a messages upstream.
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, FieldNames, Part } from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { cannotExpress } from "../kit/refuse.ts";
import { encodeTools } from "./encode-tools.ts";
import { encodeSystem, encodeTurns } from "./encode-turns.ts";
import { claudeRulesOf } from "../../catalogue/rules/claude.ts";
import { resumesWithoutThinking } from "./rules/open-turn.ts";
import { boundOutput } from "./rules/output-bound.ts";
import { encodeShape } from "../kit/claude/structured-output.ts";
import { encodeThinking } from "../kit/claude/thinking.ts";

type LeaveOut = (field: keyof FieldNames) => void;

export function encodeRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  if (exchange.choices > 1) throw cannotExpress(exchange, "choices");
  const ignored = new Set<string>();
  const leaveOut: LeaveOut = (field) => ignored.add(exchange.names[field]);
  const capabilities = claudeRulesOf(target.model);
  const shape = encodeShape(exchange, capabilities);
  const messages = encodeTurns(exchange.turns);
  const system = encodeSystem(instructions(exchange, shape.instruction));
  const offer = encodeTools(exchange, capabilities, shape.tool);
  const { tools, choice, isForced, isFree } = offer;
  for (const name of offer.ignored) ignored.add(name);
  const maxTokens = boundOutput(exchange.outputTokensMax, target);
  const thought = encodeThinking({
    reasoning: exchange.reasoning,
    capabilities,
    maxTokens,
    isBarred: isForced || resumesWithoutThinking(messages),
  });
  if (thought.isLeftOut) leaveOut("reasoning");
  if (isFree) leaveOut("toolChoice");
  const body: JsonObject = { model: target.model, max_tokens: maxTokens, messages };
  if (system.length > 0) body["system"] = system;
  if (target.stream) body["stream"] = true;
  if (tools.length > 0) body["tools"] = tools;
  if (choice) body["tool_choice"] = choice;
  if (thought.thinking) body["thinking"] = thought.thinking;
  const config = outputConfig(thought.effort, shape.format);
  if (config) body["output_config"] = config;
  if (exchange.stop.length > 0) body["stop_sequences"] = exchange.stop;
  addSampling(body, exchange, leaveOut);
  addHints(body, exchange, leaveOut);
  return { body, ignored: [...ignored] };
}

/** Instructions in the middle of a conversation have no place there, so they follow the first. */
function instructions({ system, turns }: Exchange, added: string | null): Part[] {
  const later = turns.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  const all: Part[] = [...system, ...later];
  if (added !== null) all.push({ kind: "text", text: added });
  return all;
}

function outputConfig(effort: string | null, format: JsonObject | null): JsonObject | null {
  if (effort === null && !format) return null;
  return { ...(effort === null ? {} : { effort }), ...(format ? { format } : {}) };
}

/** Add all of it: a field the model does not take goes where every body is fitted to its model. */
function addSampling(body: JsonObject, { sampling }: Exchange, leaveOut: LeaveOut): void {
  const { temperature, topP, topK } = sampling;
  if (temperature !== null) body["temperature"] = Math.min(temperature, 1);
  if (topP !== null) body["top_p"] = topP;
  if (topK !== null) body["top_k"] = topK;
  if (sampling.seed !== null) leaveOut("seed");
  if (sampling.presencePenalty !== null) leaveOut("presencePenalty");
  if (sampling.frequencyPenalty !== null) leaveOut("frequencyPenalty");
}

const tiers: ReadonlyMap<string, string> = new Map([
  ["auto", "auto"],
  ["default", "standard_only"],
]);

function addHints(body: JsonObject, { hints }: Exchange, leaveOut: LeaveOut): void {
  if (hints.userId !== null) body["metadata"] = { user_id: hints.userId };
  if (hints.serviceTier !== null) {
    const tier = tiers.get(hints.serviceTier);
    if (tier === undefined) leaveOut("serviceTier");
    else body["service_tier"] = tier;
  }
  if (hints.metadata) leaveOut("metadata");
  if (hints.verbosity !== null) leaveOut("verbosity");
  if (hints.cacheKey !== null) leaveOut("cacheKey");
  if (hints.store === true) leaveOut("store");
  if (hints.safety) leaveOut("safety");
}
