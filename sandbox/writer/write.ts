// Decides what a sandbox model answers, in no vendor's terms: prose, JSON or tool calls, within the
// limits that the request sets. The same assignment always gets the same answer.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { writeJsonFor } from "./json-for-schema.ts";
import { createDraw, type Draw, seedOf } from "./seed.ts";
import { writeName, writeProse } from "./text.ts";
import { countTokens, cutToTokens } from "./tokens.ts";
import { idleInput, withoutReminders, type WishedTool } from "./tool-wish.ts";

export type Shape =
  { kind: "prose" } | { kind: "object" } | { kind: "schema"; schema: unknown; isStrict: boolean };

export interface Assignment {
  /** The user's last words, without directives. */
  prompt: string;
  /** Attachments of the prompt, each in a few words. */
  attachments: readonly string[];
  /** Results of the tools, when they spoke last. */
  toolResults: readonly string[];
  /** The tools to call; none means an answer in words. */
  toolsToCall: readonly WishedTool[];
  shape: Shape;
  words: number;
  tokensMax: number | null;
  stop: readonly string[];
  reasoningTokens: number;
  isFiltered: boolean;
}

export interface WrittenCall {
  name: string;
  /** JSON text. */
  arguments: string;
}

export type Finish = "stop" | "length" | "calls" | "filter";

export interface Written {
  /** Null when there are tool calls instead. */
  text: string | null;
  calls: WrittenCall[];
  finish: Finish;
  /** Without the reasoning. */
  tokens: number;
  reasoningTokens: number;
}

const filteredWords = 4;
const quoteCharactersMax = 4000;

/** `variant` tells apart the choices of one request. */
export function write(assignment: Assignment, variant = 0): Written {
  const { tokensMax, stop, toolsToCall, isFiltered } = assignment;
  const reasoningTokens = reasoningWithin(assignment);
  const budget = tokensMax === null ? Number.POSITIVE_INFINITY : tokensMax - reasoningTokens;
  const seed = (seedOf(assignment.prompt) + variant) >>> 0;
  if (toolsToCall.length > 0 && !isFiltered) {
    return { ...writeCalls(assignment, seed, budget), reasoningTokens };
  }
  const full = writeContent(assignment, seed);
  const wanted = isFiltered ? full.split(" ").slice(0, filteredWords).join(" ") : full;
  const stopped = cutAtStop(wanted, stop);
  const text = cutToTokens(stopped, budget);
  let finish: Finish = text.length < stopped.length ? "length" : "stop";
  if (isFiltered) finish = "filter";
  return { text, calls: [], finish, tokens: countTokens(text), reasoningTokens };
}

/** Thinking may take half of a tight budget, so that something is left for the answer. */
function reasoningWithin({ reasoningTokens, tokensMax }: Assignment): number {
  if (reasoningTokens === 0 || tokensMax === null) return reasoningTokens;
  return Math.min(reasoningTokens, Math.max(1, Math.floor(tokensMax / 2)));
}

function writeContent({ shape, ...assignment }: Assignment, seed: number): string {
  const { prompt, attachments, toolResults, words } = assignment;
  const seen = attachments.map((attachment) => `I see ${attachment}. `).join("");
  const quotes = toolResults
    .map((result) => `The tool returned: ${result.slice(0, quoteCharactersMax)}\n`)
    .join("");
  const prose = `${seen}${quotes}${writeProse(prompt, seed, words)}`;
  if (shape.kind === "prose") return prose;
  if (shape.kind === "object") return JSON.stringify({ answer: prose });
  return writeForSchema(shape, seed, (_name, draw) => writeName(withoutReminders(prompt), draw));
}

type Fitted = Omit<Written, "reasoningTokens">;

/** Calls as far as the budget goes; the last one may end in the middle of its arguments. */
function writeCalls({ toolsToCall, prompt }: Assignment, seed: number, budget: number): Fitted {
  const calls: WrittenCall[] = [];
  let tokens = 0;
  for (const tool of toolsToCall) {
    const whole = writeArguments(tool, prompt, seed);
    const left = budget - tokens - countTokens(tool.name);
    if (left <= 0) return { text: null, calls, finish: "length", tokens };
    const fitted = cutToTokens(whole, left);
    calls.push({ name: tool.name, arguments: fitted });
    tokens += countTokens(tool.name) + countTokens(fitted);
    if (fitted.length < whole.length) return { text: null, calls, finish: "length", tokens };
  }
  return { text: null, calls, finish: "calls", tokens };
}

/** An input that is an object in JSON is all the arguments, any other one each text of theirs. */
function writeArguments({ input, ...tool }: WishedTool, prompt: string, seed: number): string {
  const given = input === null ? null : readInput(input);
  if (isObject(given)) return JSON.stringify(given);
  const spoken = withoutReminders(prompt);
  return writeForSchema(
    tool,
    seed,
    (parameter, draw) => given ?? idleInput(parameter) ?? writeName(spoken, draw),
  );
}

/** In quotes or braces it is JSON, so that it may have lines and names. */
function readInput(input: string): string | JsonObject {
  if (!/^[{"]/.test(input)) return input;
  try {
    const value: Json = JSON.parse(input);
    return isObject(value) || typeof value === "string" ? value : input;
  } catch {
    return input;
  }
}

type Fillable = Pick<WishedTool, "schema" | "isStrict">;

function writeForSchema(
  { schema, isStrict }: Fillable,
  seed: number,
  text: (parameter: string, draw: Draw) => string,
): string {
  const draw = createDraw(seed);
  return JSON.stringify(writeJsonFor(schema, { isStrict, text: (name) => text(name, draw) }));
}

function cutAtStop(text: string, stop: readonly string[]): string {
  const ends = stop
    .filter((sequence) => sequence !== "")
    .map((sequence) => text.indexOf(sequence))
    .filter((at) => at !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}
