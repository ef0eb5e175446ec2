// A generateContent request as an exchange.
import { isObject, type JsonObject } from "../../core/json.ts";
import {
  noHints,
  type Exchange,
  type FieldNames,
  type Hints,
  type OutputShape,
  type Sampling,
  type TextPart,
} from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import { unsupported } from "../kit/refuse.ts";
import { readThinking } from "./thinking.ts";
import { decodeTools } from "./decode-tools.ts";
import { decodeTurns } from "./decode-turns.ts";
import { toJsonSchema } from "./json-schema.ts";
import { field, listField, numberField, objectField, textField } from "./schema.ts";

const config = "generationConfig";

const names: FieldNames = {
  temperature: `${config}.temperature`,
  topP: `${config}.topP`,
  topK: `${config}.topK`,
  seed: `${config}.seed`,
  presencePenalty: `${config}.presencePenalty`,
  frequencyPenalty: `${config}.frequencyPenalty`,
  choices: `${config}.candidateCount`,
  stop: `${config}.stopSequences`,
  shape: `${config}.responseSchema`,
  reasoning: `${config}.thinkingConfig`,
  cache: "cachedContent",
  outputTokensMax: `${config}.maxOutputTokens`,
  tools: "tools",
  toolChoice: "toolConfig.functionCallingConfig",
  parallelCalls: "toolConfig.functionCallingConfig",
  userId: "labels",
  metadata: "labels",
  verbosity: config,
  serviceTier: "serviceTier",
  cacheKey: "cachedContent",
  store: "store",
  safety: "safetySettings",
};

export function decodeContentRequest(body: JsonObject, request: TextRequest): Exchange {
  refuseUncarried(body);
  const generation = objectField(body, config) ?? {};
  refuseOutputs(generation);
  const { tools, toolChoice, search, ignored: toolsIgnored } = decodeTools(body);
  const { turns, ignored: partsIgnored } = decodeTurns(listField(body, "contents"));
  const ignored = [...toolsIgnored, ...partsIgnored, ...ignoredHints(generation)];
  const thinking = objectField(generation, "thinkingConfig");
  const stop = field(generation, "stopSequences");
  return {
    model: request.model,
    system: decodeSystem(body),
    turns,
    tools,
    toolChoice,
    search,
    parallelCalls: null,
    shape: decodeShape(generation),
    reasoning: thinking && readThinking(thinking),
    outputTokensMax: request.outputTokensMax,
    choices: request.choices,
    stop: Array.isArray(stop) ? stop.filter((text) => typeof text === "string") : [],
    sampling: decodeSampling(generation, ignored),
    hints: decodeHints(body),
    names,
    ignored,
  };
}

/**
 * Defaults of Google's models, which its clients ask for all the same. Another vendor's model has
 * defaults of its own, and many refuse to be given these.
 */
const habits = { topP: 0.95, topK: 64 } as const;

function decodeSampling(generation: JsonObject, ignored: string[]): Sampling {
  const wishOf = (name: keyof typeof habits): number | null => {
    const value = numberField(generation, name);
    if (value !== habits[name]) return value;
    ignored.push(names[name]);
    return null;
  };
  return {
    temperature: numberField(generation, "temperature"),
    topP: wishOf("topP"),
    topK: wishOf("topK"),
    seed: numberField(generation, "seed"),
    presencePenalty: numberField(generation, "presencePenalty"),
    frequencyPenalty: numberField(generation, "frequencyPenalty"),
  };
}

/** Things that only Google keeps, and without which the request means something else. */
function refuseUncarried(body: JsonObject): void {
  for (const name of ["cachedContent", "continuationToken"]) {
    if (textField(body, name)) throw unsupported(name);
  }
}

function refuseOutputs(generation: JsonObject): void {
  const modalities = field(generation, "responseModalities");
  const isText = (name: unknown) => typeof name === "string" && name.toUpperCase() === "TEXT";
  if (Array.isArray(modalities) && !modalities.every(isText)) {
    throw unsupported(`${config}.responseModalities`);
  }
  if (field(generation, "responseLogprobs") === true) {
    throw unsupported(`${config}.responseLogprobs`);
  }
  if (numberField(generation, "logprobs")) throw unsupported(`${config}.logprobs`);
  if (objectField(generation, "speechConfig")) throw unsupported(`${config}.speechConfig`);
}

/** Known fields that no other dialect has and that do not change what is asked for. */
const hintNames = [
  "mediaResolution",
  "imageConfig",
  "audioTimestamp",
  "routingConfig",
  "modelSelectionConfig",
  "enableAffectiveDialog",
  "enableEnhancedCivicAnswers",
];

function ignoredHints(generation: JsonObject): string[] {
  return hintNames
    .filter((name) => (field(generation, name) ?? null) !== null)
    .map((name) => `${config}.${name}`);
}

function decodeSystem(body: JsonObject): TextPart[] {
  const instruction = objectField(body, "systemInstruction");
  return (instruction ? listField(instruction, "parts") : []).flatMap((part) => {
    const text = textField(part, "text");
    return text === null ? [] : [{ kind: "text", text } satisfies TextPart];
  });
}

function decodeShape(generation: JsonObject): OutputShape | null {
  const type = textField(generation, "responseMimeType");
  if (type !== null && type !== "application/json" && type !== "text/plain") {
    throw unsupported(`${config}.responseMimeType`);
  }
  const json = objectField(generation, "responseJsonSchema") ?? generation["_responseJsonSchema"];
  const dialect = isObject(json) ? json : objectField(generation, "responseSchema");
  if (!dialect) return type === "application/json" ? { kind: "json" } : null;
  const schema = toJsonSchema(dialect);
  const { title } = schema;
  return {
    kind: "schema",
    name: typeof title === "string" && /^[\w-]{1,64}$/.test(title) ? title : "response",
    // It stands in the schema, and a vendor would read it twice.
    description: null,
    schema,
    isStrict: null,
  };
}

function decodeHints(body: JsonObject): Hints {
  const safety = listField(body, "safetySettings");
  const store = field(body, "store");
  return {
    ...noHints,
    metadata: decodeLabels(objectField(body, "labels")),
    serviceTier: textField(body, "serviceTier"),
    store: typeof store === "boolean" ? store : null,
    safety: safety.length > 0 ? safety : null,
  };
}

function decodeLabels(labels: JsonObject | null): Record<string, string> | null {
  if (!labels) return null;
  const texts = Object.entries(labels).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return Object.fromEntries(texts);
}
