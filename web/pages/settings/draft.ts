// Values of settings while they are edited: what is typed, by the schema of the setting.
import type { SettingView } from "../../../src/admin/contract.ts";
import { readInUnit } from "./units.ts";
import { textOf, type Value } from "./text.ts";
import { t } from "./words.ts";

export type Schema = NonNullable<SettingView["schema"]>;
type Fields = Schema;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Kind = "flag" | "choice" | "number" | "text" | "lines" | "choices" | "fields" | "list";

export function kindOf(schema: Schema): Kind {
  if (Array.isArray(schema["enum"])) return "choice";
  if (schema["type"] === "boolean") return "flag";
  if (schema["type"] === "integer" || schema["type"] === "number") return "number";
  if (schema["type"] === "object") return "fields";
  if (schema["type"] !== "array") return "text";
  const items = itemsOf(schema);
  if (items["type"] === "object") return "list";
  return Array.isArray(items["enum"]) ? "choices" : "lines";
}

export function itemsOf({ items }: Schema): Schema {
  return isFields(items) ? items : {};
}

export function propertiesOf({ properties }: Schema): [name: string, schema: Schema][] {
  const all = isFields(properties) ? Object.entries(properties) : [];
  return all.flatMap(([name, schema]) => (isFields(schema) ? [[name, schema]] : []));
}

export function isRequired({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** Words to choose from, each with the value that it stands for. */
export function choicesOf(schema: Schema): Map<string, Value> {
  const all = schema["enum"];
  return new Map(Array.isArray(all) ? all.map((one) => [String(one), one]) : []);
}

/** A word of a choice as people read it. */
export function choiceText(word: string): string {
  const words: Readonly<Record<string, string>> = t().choices;
  return words[word] ?? word;
}

/** A value as the list shows it. */
export function shownText(schema: Schema | null, value: Value): string {
  const kind = schema && kindOf(schema);
  if (kind === "flag") return choiceText(value === true ? "on" : "off");
  if (kind === "choice") return choiceText(textOf(value));
  if (!Array.isArray(value)) return textOf(value);
  const names = value.map((one) => (isFields(one) ? one["name"] : one));
  return names.length === 0 ? textOf(null) : names.map(String).join(", ");
}

/** Value of what was typed; undefined for nothing. What is wrong is for the gateway to say. */
export function valueOf(schema: Schema, typed: Value, name: string): Value | undefined {
  if (typed === null || typed === "") return undefined;
  const kind = kindOf(schema);
  if (kind === "number") return toNumber(typed, name);
  if (kind === "choice") return choicesOf(schema).get(String(typed)) ?? typed;
  if (kind === "lines" && typeof typed === "string") return linesOf(schema, typed);
  if (kind === "fields" && isFields(typed)) return fieldsOf(schema, typed);
  if (kind !== "list" || !Array.isArray(typed)) return typed;
  return typed.map((one) => (isFields(one) ? fieldsOf(itemsOf(schema), one) : one));
}

function toNumber(typed: Value, name: string): Value {
  const inUnit = typeof typed === "string" ? readInUnit(name, typed) : null;
  if (inUnit !== null) return inUnit;
  const number = Number(typed);
  return Number.isNaN(number) ? typed : number;
}

function linesOf(schema: Schema, typed: string): Value {
  const lines = typed.split("\n").map((line) => line.trim());
  const isNumbers = kindOf(itemsOf(schema)) === "number";
  return lines.filter(Boolean).map((line) => (isNumbers ? toNumber(line, "") : line));
}

function fieldsOf(schema: Schema, typed: Fields): Value {
  const entries = propertiesOf(schema).flatMap(([name, inner]) => {
    const value = valueOf(inner, typed[name] ?? null, `.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
