// Values of ours in somebody else's file: put in and taken out of its text, so that all else in it
// stays as it is. Whatever a format's text editing cannot do without harm is found by reading the
// result, and refused.
import { digestOf } from "../../core/digest.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";

export type SettingPath = readonly string[];

export interface SettingPart {
  at: SettingPath;
  value: string;
}

/** SettingPart that stands in a file; its value may be a secret, so a digest of it is kept. */
export interface WrittenPart {
  at: SettingPath;
  digest: string;
}

export interface TextFormat {
  /** Text of a file without anything in it. */
  empty: string;
  read(text: string): JsonObject;
  set(text: string, at: SettingPath, value: Json): string;
  remove(text: string, at: SettingPath): string;
}

export class PartError extends Error {
  override readonly name = "PartError";
}

function digestAt(values: JsonObject, at: SettingPath): string {
  return digestOf(JSON.stringify(valueAt(values, at)) ?? "");
}

export function writtenParts(parts: readonly SettingPart[]): WrittenPart[] {
  return parts.map(({ at, value }) => ({ at, digest: digestOf(JSON.stringify(value)) }));
}

export function holdsParts(format: TextFormat, text: string, parts: readonly WrittenPart[]) {
  const values = readText(format, text);
  return parts.every(({ at, digest }) => digestAt(values, at) === digest);
}

export function putIn(format: TextFormat, text: string, parts: readonly SettingPart[]): string {
  const start = text.trim() === "" ? format.empty : text;
  return edit(
    format,
    start,
    parts.filter(({ at, value }) => valueAt(readText(format, start), at) !== value),
  );
}

/** Puts back the values of the text as it was before; all else stays as it is now. */
export function takeOut(
  format: TextFormat,
  text: string,
  { former, parts }: { former: string | null; parts: readonly WrittenPart[] },
): string {
  const now = readText(format, text);
  const before = readText(format, former ?? "");
  const changed = parts.find(({ at, digest }) => digestAt(now, at) !== digest);
  if (changed) throw new PartError(`${changed.at.join(".")} was changed since`);
  const edits = parts.map(({ at }) => ({ at, value: valueAt(before, at) }));
  const without = edit(format, text, edits);
  return parts.reduce((rest, { at }) => dropEmpty(format, rest, at, before), without);
}

interface Edit {
  at: SettingPath;
  /** None to remove it. */
  value: Json | undefined;
}

function edit(format: TextFormat, text: string, edits: readonly Edit[]): string {
  let wanted = readText(format, text);
  let result = text;
  for (const { at, value } of edits) {
    wanted = withValue(wanted, at, value);
    result = value === undefined ? format.remove(result, at) : format.set(result, at, value);
  }
  if (Bun.deepEquals(readText(format, result), wanted)) return result;
  throw new PartError("it is written in a way that cannot be changed without harm to the rest");
}

/** Objects around a value that were made for it and have nothing else in them. */
function dropEmpty(format: TextFormat, text: string, at: SettingPath, before: JsonObject): string {
  const around = at.slice(0, -1);
  const values = readText(format, text);
  const empty = around
    .map((_name, index) => around.slice(0, index + 1))
    .find((place) => valueAt(before, place) === undefined && isHollow(valueAt(values, place)));
  return empty ? edit(format, text, [{ at: empty, value: undefined }]) : text;
}

function isHollow(value: Json | undefined): boolean {
  return isObject(value) && Object.values(value).every(isHollow);
}

function readText(format: TextFormat, text: string): JsonObject {
  return format.read(text.trim() === "" ? format.empty : text);
}

function valueAt(values: JsonObject, [name = "", ...rest]: SettingPath): Json | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (rest.length === 0) return value;
  return isObject(value) ? valueAt(value, rest) : undefined;
}

function withValue(values: JsonObject, [name = "", ...rest]: SettingPath, value: Json | undefined) {
  const inner = Object.hasOwn(values, name) ? values[name] : {};
  if (rest.length > 0 && !isObject(inner)) throw new PartError(`${name} must be an object`);
  const next: Json | undefined =
    rest.length > 0 && isObject(inner) ? withValue(inner, rest, value) : value;
  const others = Object.entries(values).filter(([other]) => other !== name);
  const all = next === undefined ? others : [...others, [name, next] as const];
  const result: JsonObject = Object.fromEntries(all);
  return result;
}
