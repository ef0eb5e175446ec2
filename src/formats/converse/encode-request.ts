// A neutral exchange as the body of Converse. What only the model's own vendor has a word for goes
// in `additionalModelRequestFields`.
import { converseRulesOf, type ConverseRules } from "../../catalogue/rules/bedrock.ts";
import { claudeRulesOf } from "../../catalogue/rules/claude.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, FieldNames, Part, TextPart, Turn } from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { hasCacheMarks } from "../kit/cache-marks.ts";
import { encodeShape, type EncodedShape } from "../kit/claude/structured-output.ts";
import { cannotExpress } from "../kit/refuse.ts";
import { encodeTools } from "./encode-tools.ts";
import { TurnEncoder } from "./encode-turns.ts";
import { encodeReasoning } from "./reasoning.ts";

type LeaveOut = (field: keyof FieldNames) => void;

export function encodeConverseRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  if (exchange.choices > 1) throw cannotExpress(exchange, "choices");
  const ignored = new Set<string>();
  const leaveOut: LeaveOut = (field) => ignored.add(exchange.names[field]);
  const rules = converseRulesOf(target.model);
  const { hasStructuredOutput, canBeForced } = abilitiesOf(rules, target.model);
  const shape = inWords(encodeShape(exchange, { hasStructuredOutput }), canBeForced);
  const encoder = new TurnEncoder(rules.takesCachePoints);
  const { config, isForced, isFree } = encodeTools(
    exchange,
    {
      isStrictKnown: hasStructuredOutput,
      canBeForced,
      marked: (block, part) => encoder.marked(block, part),
    },
    shape.tool,
  );
  const { system, turns } = placeInstructions(exchange, shape.instruction, rules);
  const messages = encoder.encode(turns);
  const reasoning = encodeReasoning(exchange, target, { rules, messages, isForced });
  if (reasoning.isLeftOut) leaveOut("reasoning");
  if (isFree) leaveOut("toolChoice");
  const body: JsonObject = { messages };
  const instructions = encoder.encodeSystem(system);
  if (instructions.length > 0) body["system"] = instructions;
  const inference = encodeInference(exchange, reasoning.maxTokens);
  if (Object.keys(inference).length > 0) body["inferenceConfig"] = inference;
  if (config) body["toolConfig"] = config;
  const output = encodeOutput(exchange, shape.format, reasoning.effort);
  if (Object.keys(output).length > 0) body["outputConfig"] = output;
  addOwnFields(body, { ...reasoning.fields, ...topKFields(exchange, rules, leaveOut) });
  // Only where it is asked for does an answer say which sequence ended it.
  if (exchange.stop.length > 0 && rules.reasoning === "thinking") {
    body["additionalModelResponseFieldPaths"] = ["/stop_sequence"];
  }
  leaveRest(exchange, rules, leaveOut);
  if (exchange.search) ignored.add(exchange.search.at);
  return { body, ignored: [...ignored] };
}

type Abilities = Pick<ConverseRules, "hasStructuredOutput" | "canBeForced">;

function abilitiesOf(rules: ConverseRules, model: string): Abilities {
  return rules.reasoning === "thinking" ? claudeRulesOf(model) : rules;
}

/** A model that can neither keep a schema nor be made to answer by a tool is told of it. */
function inWords(shape: EncodedShape, canBeForced: boolean): EncodedShape {
  const { tool } = shape;
  if (!tool || canBeForced) return shape;
  const schema = JSON.stringify(tool["input_schema"] ?? {});
  const instruction = `Answer with one JSON object and nothing else, by this schema: ${schema}`;
  return { ...shape, tool: null, instruction };
}

interface Instructed {
  system: Part[];
  turns: readonly Turn[];
}

/** Those in the middle of a conversation follow the first; some models hear all from the user. */
function placeInstructions(
  { system, turns }: Exchange,
  added: string | null,
  { takesSystem }: ConverseRules,
): Instructed {
  const later = turns.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  const all: Part[] = [...system, ...later];
  if (added !== null) all.push({ kind: "text", text: added } satisfies TextPart);
  if (takesSystem || all.length === 0) return { system: all, turns };
  return { system: [], turns: [{ role: "user", parts: all }, ...turns] };
}

function encodeInference(
  { sampling, stop, outputTokensMax }: Exchange,
  maxTokens: number | null,
): JsonObject {
  const config: JsonObject = {};
  const bound = maxTokens ?? outputTokensMax;
  if (bound !== null) config["maxTokens"] = bound;
  if (sampling.temperature !== null) config["temperature"] = Math.min(sampling.temperature, 1);
  if (sampling.topP !== null) config["topP"] = sampling.topP;
  if (stop.length > 0) config["stopSequences"] = stop;
  return config;
}

function encodeOutput(
  { shape }: Exchange,
  format: JsonObject | null,
  effort: string | null,
): JsonObject {
  const output: JsonObject = {};
  if (format && shape?.kind === "schema") {
    const { name, description } = shape;
    const jsonSchema: JsonObject = { schema: JSON.stringify(format["schema"] ?? {}), name };
    if (description) jsonSchema["description"] = description;
    output["textFormat"] = { type: "json_schema", structure: { jsonSchema } };
  }
  if (effort !== null) output["effort"] = effort;
  return output;
}

function topKFields(
  { sampling }: Exchange,
  { topK: place }: ConverseRules,
  leaveOut: LeaveOut,
): JsonObject {
  const { topK } = sampling;
  if (topK === null) return {};
  if (place === "top_k") return { top_k: topK };
  if (place === "inference_config") return { inferenceConfig: { topK } };
  leaveOut("topK");
  return {};
}

function addOwnFields(body: JsonObject, fields: JsonObject): void {
  if (Object.keys(fields).length > 0) body["additionalModelRequestFields"] = fields;
}

const missingSampling = ["seed", "presencePenalty", "frequencyPenalty"] as const;
/** Tiers and metadata are the operator's own here, who sets them on the channel. */
const missingHints = [
  "userId",
  "metadata",
  "verbosity",
  "serviceTier",
  "cacheKey",
  "safety",
] as const satisfies (keyof FieldNames)[];

function leaveRest(exchange: Exchange, rules: ConverseRules, leaveOut: LeaveOut): void {
  const { sampling, hints, parallelCalls, tools } = exchange;
  for (const name of missingSampling) if (sampling[name] !== null) leaveOut(name);
  for (const name of missingHints) if (hints[name] !== null) leaveOut(name);
  if (hints.store === true) leaveOut("store");
  if (parallelCalls === false && tools.length > 0) leaveOut("parallelCalls");
  if (!rules.takesCachePoints && hasCacheMarks(exchange)) leaveOut("cache");
}
