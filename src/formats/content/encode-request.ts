// An exchange as a generateContent request.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type {
  Exchange,
  FieldNames,
  OutputShape,
  Tool,
  ToolChoice,
  WebSearch,
} from "../exchange.ts";
import type { EncodedRequest, RequestTarget } from "../format.ts";
import { hasCacheMarks } from "../kit/cache-marks.ts";
import { needsSignatures } from "../../catalogue/rules/gemini.ts";
import { writeThinking } from "./thinking.ts";
import { encodeTurns } from "./encode-turns.ts";
import { toSubset } from "./schema-subset.ts";
import { unsaidIn } from "./web-search.ts";

export function encodeContentRequest(exchange: Exchange, target: RequestTarget): EncodedRequest {
  const ignored: string[] = [];
  const { systemInstruction, contents } = encodeTurns(exchange, target.model);
  const body: JsonObject = { contents };
  if (systemInstruction) body["systemInstruction"] = systemInstruction;
  writeTools(exchange, body, ignored);
  if (exchange.search)
    offerSearch(exchange, exchange.search, { body, ignored, model: target.model });
  const generationConfig = encodeConfig(exchange, target, ignored);
  if (Object.keys(generationConfig).length > 0) body["generationConfig"] = generationConfig;
  if (exchange.hints.safety) body["safetySettings"] = exchange.hints.safety;
  for (const name of missingHints) {
    if (exchange.hints[name] !== null) ignored.push(exchange.names[name]);
  }
  if (hasCacheMarks(exchange)) ignored.push(exchange.names.cache);
  return { body, ignored };
}

/** Labels are for Vertex alone; Google's tiers and stored replies are not those of others. */
const missingHints = [
  "userId",
  "metadata",
  "verbosity",
  "serviceTier",
  "cacheKey",
  "store",
] as const satisfies (keyof FieldNames)[];

const stopSequencesMax = 5;
const seedBound = 2 ** 31;

function encodeConfig(
  exchange: Exchange,
  { model, outputTokensMax }: RequestTarget,
  ignored: string[],
): JsonObject {
  const { sampling, stop, names, shape, reasoning, choices } = exchange;
  const config: JsonObject = {};
  const { seed, ...asGiven } = sampling;
  for (const [name, value] of Object.entries(asGiven)) if (value !== null) config[name] = value;
  // Google's seeds have 32 bits; any rule that is the same every time will do.
  if (seed !== null) config["seed"] = Math.trunc(seed) % seedBound;
  if (exchange.outputTokensMax !== null) config["maxOutputTokens"] = exchange.outputTokensMax;
  if (choices > 1) config["candidateCount"] = choices;
  if (stop.length > stopSequencesMax) {
    throw invalid(names.stop, `takes at most ${stopSequencesMax} sequences for this model`);
  }
  if (stop.length > 0) config["stopSequences"] = stop;
  if (shape) writeShape(shape, config);
  if (reasoning) {
    const bound = exchange.outputTokensMax ?? outputTokensMax;
    const thinking = writeThinking(reasoning, { model, outputTokensMax: bound });
    if (!thinking) ignored.push(names.reasoning);
    else if (Object.keys(thinking).length > 0) config["thinkingConfig"] = thinking;
  }
  return config;
}

function writeShape(shape: OutputShape, config: JsonObject): void {
  if (shape.kind === "text") return;
  config["responseMimeType"] = "application/json";
  if (shape.kind !== "schema") return;
  const { schema, description } = shape;
  const subset = toSubset(schema);
  if (!subset) {
    config["responseJsonSchema"] = schema;
    return;
  }
  if (description !== null) subset["description"] ??= description;
  config["responseSchema"] = subset;
}

function writeTools(exchange: Exchange, body: JsonObject, ignored: string[]): void {
  const { toolChoice: choice, names, parallelCalls } = exchange;
  // To choose from some of the tools freely is to have no others.
  const isNarrowed = choice?.kind === "some" && !choice.isRequired;
  const chosen = new Set(isNarrowed ? choice.names : []);
  const tools = exchange.tools.filter(({ name }) => !isNarrowed || chosen.has(name));
  if (tools.length === 0) return;
  body["tools"] = [{ functionDeclarations: tools.map(encodeTool) }];
  if (choice) body["toolConfig"] = { functionCallingConfig: encodeChoice(choice) };
  if (parallelCalls === false) ignored.push(names.parallelCalls);
  // A grammar is told to the model, which nothing makes it keep.
  if (tools.some(({ custom }) => custom?.format?.["type"] === "grammar")) {
    ignored.push(names.tools);
  }
}

/** Google searches for who has no functions, and older models only for an answer in free words. */
function offerSearch(
  { tools, shape }: Exchange,
  search: WebSearch,
  { body, ignored, model }: { body: JsonObject; ignored: string[]; model: string },
): void {
  const isFree = shape === null || shape.kind === "text" || needsSignatures(model);
  if (tools.length > 0 || !isFree) {
    ignored.push(search.at);
    return;
  }
  body["tools"] = [{ googleSearch: {} }];
  ignored.push(...unsaidIn(search));
}

function encodeChoice(choice: ToolChoice): JsonObject {
  switch (choice.kind) {
    case "none":
      return { mode: "NONE" };
    case "auto":
      return { mode: "AUTO" };
    case "required":
      return { mode: "ANY" };
    case "tool":
      return { mode: "ANY", allowedFunctionNames: [choice.name] };
    case "some":
      return choice.isRequired
        ? { mode: "ANY", allowedFunctionNames: choice.names }
        : { mode: "AUTO" };
  }
}

function encodeTool({ name, description, schema, custom }: Tool): JsonObject {
  const declaration: JsonObject = { name };
  if (description !== null) declaration["description"] = description;
  if (custom) {
    const input: JsonObject = { type: "STRING" };
    if (custom.format?.["type"] === "grammar") {
      input["description"] = `Must keep to this grammar: ${JSON.stringify(custom.format)}`;
    }
    declaration["parameters"] = { type: "OBJECT", properties: { input }, required: ["input"] };
    return declaration;
  }
  if (!schema || takesNothing(schema)) return declaration;
  const subset = toSubset(schema);
  if (subset) declaration["parameters"] = subset;
  else declaration["parametersJsonSchema"] = schema;
  return declaration;
}

/** Google refuses an object without properties; a function without parameters says the same. */
function takesNothing(schema: JsonObject): boolean {
  const { type, properties, additionalProperties: others } = schema;
  if (type !== undefined && type !== "object") return false;
  const names = Object.keys(schema);
  const isPlain = names.every((name) => plainNames.has(name));
  return isPlain && Object.keys(properties ?? {}).length === 0 && typeof others !== "object";
}

const plainNames = new Set([
  "$schema",
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
]);
