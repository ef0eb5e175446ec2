// Rows of JSON as a table for people.
import type { Json, JsonObject } from "../core/json.ts";

export interface Column {
  title: string;
  /** A field of the row, or what to make of the row. */
  from: string | ((row: JsonObject) => Json | undefined);
}

const cellCharactersMax = 48;

export function renderTable(columns: readonly Column[], rows: readonly JsonObject[]): string {
  if (rows.length === 0) return "none\n";
  const cells = rows.map((row) => columns.map((column) => readCell(column, row)));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((line) => line[at]?.text.length ?? 0)),
  );
  const head = columns.map(({ title }, at) => title.padEnd(widths[at] ?? 0)).join("  ");
  const body = cells.map((line) => line.map((cell, at) => pad(cell, widths[at] ?? 0)).join("  "));
  return `${[head, ...body].map((line) => line.trimEnd()).join("\n")}\n`;
}

interface Cell {
  text: string;
  isNumber: boolean;
}

function readCell({ from }: Column, row: JsonObject): Cell {
  const value = typeof from === "string" ? row[from] : from(row);
  return { text: shorten(show(value)), isNumber: typeof value === "number" };
}

function pad({ text, isNumber }: Cell, width: number): string {
  return isNumber ? text.padStart(width) : text.padEnd(width);
}

function show(value: Json | undefined): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(show).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A name must not be able to draw on the terminal. */
function shorten(text: string): string {
  const plain = text.replace(/\p{C}/gu, "?");
  return plain.length > cellCharactersMax ? `${plain.slice(0, cellCharactersMax - 1)}…` : plain;
}

/** Micros as dollars, exact: at least two decimals and as many more as there are. */
export function dollars(micros: Json | undefined): string {
  if (typeof micros !== "number") return "unlimited";
  const whole = Math.floor(Math.abs(micros) / 1_000_000);
  const rest = String(Math.abs(micros) % 1_000_000)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}$${whole}.${rest}`;
}

/** An amount that may not be there. */
export function price(micros: Json | undefined): string {
  return typeof micros === "number" ? dollars(micros) : "-";
}
