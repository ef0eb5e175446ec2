// Single fields of a request. A form has only texts, so a number or a truth may come as one; null
// and the empty text say nothing, as if the field were not there.
import { isObject, JsonError, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import { invalidValue, missing, oneOf } from "./refuse.ts";

/** A field that says something, under the name that the client used for it. */
interface Field {
  param: string;
  value: Json;
}

export interface Range {
  min: number;
  max: number;
}

const wholeNumber = /^-?(?:0|[1-9]\d{0,9})$/;
const decimalNumber = /^-?(?:0|[1-9]\d{0,9})(?:\.\d{1,6})?$/;

/** The first of these names that says something. */
export function pick(body: JsonObject, names: readonly string[]): Field | null {
  for (const param of names) {
    const value = body[param];
    if (value !== undefined && value !== null && value !== "") return { param, value };
  }
  return null;
}

/** It must be there, and may be empty where media say what is wanted: see newJob. */
export function readPrompt(body: JsonObject): string {
  const prompt = body["prompt"];
  if (prompt === undefined || prompt === null) throw missing("prompt");
  if (typeof prompt !== "string") throw invalidValue("prompt", "must be text");
  return prompt;
}

/** Counted as a reader counts: a picture character is one, though it is stored as two. */
export function isLonger(text: string, charactersMax: number): boolean {
  return text.length > charactersMax && [...text].length > charactersMax;
}

export function readTextField(body: JsonObject, names: readonly string[]): string | null {
  const field = pick(body, names);
  return field === null ? null : textFieldOf(field);
}

export function textFieldOf({ param, value }: Field): string {
  if (typeof value !== "string") throw invalidValue(param, "must be text");
  return value;
}

/** One of the values, whatever case the client wrote it in. */
export function readChoice<Choice extends string>(
  body: JsonObject,
  names: readonly string[],
  choices: readonly Choice[],
): Choice | null {
  const field = pick(body, names);
  if (field === null) return null;
  const text = textFieldOf(field).toLowerCase();
  const choice = choices.find((known) => known.toLowerCase() === text);
  if (choice === undefined) throw oneOf(field.param, choices);
  return choice;
}

export function readWhole(body: JsonObject, names: readonly string[], range: Range): number | null {
  const field = pick(body, names);
  if (field === null) return null;
  const number = numberOf(field.value, wholeNumber);
  if (!Number.isSafeInteger(number)) throw invalidValue(field.param, "must be a whole number");
  return within(field.param, number, range);
}

export function readDecimal(
  body: JsonObject,
  names: readonly string[],
  range: Range,
): number | null {
  const field = pick(body, names);
  if (field === null) return null;
  const number = numberOf(field.value, decimalNumber);
  if (!Number.isFinite(number)) throw invalidValue(field.param, "must be a number");
  return within(field.param, number, range);
}

/** False is an answer and differs from null, which is none. */
export function readTruth(body: JsonObject, names: readonly string[]): boolean | null {
  const field = pick(body, names);
  if (field === null) return null;
  if (field.value === true || field.value === "true") return true;
  if (field.value === false || field.value === "false") return false;
  throw invalidValue(field.param, "must be true or false");
}

export const seedRange = { min: -1, max: 2 ** 32 - 1 };

export function readSeed(body: JsonObject): number | null {
  return readWhole(body, ["seed"], seedRange);
}

/** An object; a form has it as JSON in a text. */
export function readObjectField(body: JsonObject, name: string): JsonObject | null {
  const field = pick(body, [name]);
  if (field === null) return null;
  const value = unwrapText(field);
  if (!isObject(value)) throw invalidValue(name, "must be an object");
  return value;
}

/** A list; a form has it as JSON in a text. */
export function readList(body: JsonObject, name: string): Json[] | null {
  const field = pick(body, [name]);
  if (field === null) return null;
  const value = unwrapText(field);
  if (!Array.isArray(value)) throw invalidValue(name, "must be a list");
  return value;
}

/** A form has it as JSON in a text. */
export function unwrapText({ param, value }: Field): Json {
  if (typeof value !== "string") return value;
  try {
    return parseJson(new TextEncoder().encode(value));
  } catch (error) {
    if (error instanceof JsonError) throw invalidValue(param, "must be JSON");
    throw error;
  }
}

function numberOf(value: Json, form: RegExp): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && form.test(value) ? Number(value) : Number.NaN;
}

function within(param: string, number: number, { min, max }: Range): number {
  if (number < min || number > max) throw invalidValue(param, `must be from ${min} to ${max}`);
  return number;
}
