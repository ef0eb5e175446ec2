// The fields of a generateContent request that must have a certain type, in both spellings that
// Google takes: camelCase and snake_case. Unknown fields pass.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { compile, Type } from "../../core/schema.ts";
import { toSnake } from "../kit/places/spelling.ts";

/** The spellings of the names that this code asks for; never of names that a client made up. */
const snakeNames = new Map<string, string>();

/** A field by its name in camelCase, however the client spelled it. */
export function field(object: JsonObject, name: string): Json | undefined {
  const value = object[name];
  if (value !== undefined) return value;
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = toSnake(name);
    snakeNames.set(name, snake);
  }
  return object[snake];
}

export function objectField(object: JsonObject, name: string): JsonObject | null {
  const value = field(object, name);
  return isObject(value) ? value : null;
}

export function textField(object: JsonObject, name: string): string | null {
  const value = field(object, name);
  return typeof value === "string" ? value : null;
}

export function numberField(object: JsonObject, name: string): number | null {
  const value = field(object, name);
  return typeof value === "number" ? value : null;
}

/** Google takes one thing where a list of things is meant. */
export function listField(object: JsonObject, name: string): JsonObject[] {
  const value = field(object, name);
  if (isObject(value)) return [value];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

type Rules = Readonly<Record<string, object>>;

const text = { type: ["string", "null"] };
const flag = { type: ["boolean", "null"] };
const number = { type: ["number", "null"] };
const anyObject = { type: ["object", "null"] };
const objects = { type: ["array", "null"], items: { type: "object" } };
const texts = { type: ["array", "null"], items: { type: "string" } };

function whole(minimum: number, maximum: number): object {
  return { type: ["integer", "null"], minimum, maximum };
}

function record(rules: Rules, more: object = {}): object {
  return { type: ["object", "null"], properties: bothSpellings(rules), ...more };
}

function bothSpellings(rules: Rules): Rules {
  const named = Object.entries(rules);
  return Object.fromEntries([...named, ...named.map(([name, rule]) => [toSnake(name), rule])]);
}

const blob = record({ mimeType: text, data: { type: "string" } }, { required: ["data"] });

const part = {
  type: "object",
  properties: bothSpellings({
    text,
    thought: flag,
    thoughtSignature: text,
    inlineData: blob,
    fileData: record({ mimeType: text, fileUri: text }),
    functionCall: record(
      { id: text, name: { type: "string", minLength: 1 }, args: anyObject },
      { required: ["name"] },
    ),
    functionResponse: record(
      {
        id: text,
        name: text,
        response: anyObject,
        parts: { type: ["array", "null"], items: record({ inlineData: blob }) },
      },
      {},
    ),
    executableCode: anyObject,
    codeExecutionResult: anyObject,
    videoMetadata: anyObject,
  }),
};

const parts = { type: ["array", "null"], items: part };

const content = {
  type: "object",
  required: ["parts"],
  properties: {
    role: { type: ["string", "null"], enum: ["user", "model", "function", null] },
    parts: { type: "array", items: part },
  },
};

const generationConfig = record({
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: whole(1, 128),
  maxOutputTokens: whole(0, 100_000_000),
  stopSequences: texts,
  seed: number,
  presencePenalty: number,
  frequencyPenalty: number,
  responseMimeType: text,
  responseSchema: anyObject,
  responseModalities: texts,
  responseLogprobs: flag,
  logprobs: number,
  thinkingConfig: record({
    includeThoughts: flag,
    thinkingBudget: whole(-1, 100_000_000),
    thinkingLevel: text,
  }),
});

const declaration = {
  type: "object",
  required: ["name"],
  properties: bothSpellings({
    name: { type: "string", minLength: 1 },
    description: text,
    parameters: anyObject,
  }),
};

const tool = {
  type: "object",
  properties: bothSpellings({
    functionDeclarations: { type: ["array", "null"], items: declaration },
  }),
};

export const contentRequest = compile(
  Type.Unsafe<unknown>({
    type: "object",
    required: ["contents"],
    properties: bothSpellings({
      contents: { type: "array", minItems: 1, items: content },
      systemInstruction: record({ parts }),
      generationConfig,
      tools: { type: ["array", "null"], items: tool },
      toolConfig: record({
        functionCallingConfig: record({ mode: text, allowedFunctionNames: texts }),
      }),
      safetySettings: objects,
      cachedContent: text,
      labels: anyObject,
    }),
  }),
);
