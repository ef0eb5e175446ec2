// One object as lines for people: whatever fields it has, those that come with a later version too.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { dollars, renderTable } from "../table.ts";

export function renderFields(fields: JsonObject): string {
  const names = Object.keys(fields);
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map((name) => {
    const value = fields[name] ?? null;
    if (isTable(value)) return `${name}:\n${indent(renderTable(columnsOf(value), value))}`;
    return `${name.padEnd(width)}  ${show(name, value)}\n`;
  });
  return lines.join("");
}

function isTable(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function columnsOf(rows: readonly JsonObject[]) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => ({
    title: name.toUpperCase().replaceAll("_", " "),
    from: (row: JsonObject) => show(name, row[name] ?? null),
  }));
}

function show(name: string, value: Json): string {
  if (value === null) return "-";
  if (typeof value === "number" && /(?:^|_)micros$/.test(name)) return dollars(value);
  if (typeof value === "number" && /^time$|_at$/.test(name)) {
    return new Date(value * 1000).toISOString();
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A text of a vendor or a customer must not be able to draw on the terminal.
  return text.replace(/\p{C}/gu, "?");
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
