// Rows of JSON as a table for people.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { isMoneyName } from "./readers.ts";

type Value = Json | undefined;
/** A field of the row, or something made of the row. */
type From<Row> = (keyof Row & string) | ((row: Row) => Value);
/** A field under its own name, or under another title. */
export type Column<Row = JsonObject> = (keyof Row & string) | readonly [title: string, From<Row>];

const cellCharactersMax = 48;

export function renderTable<Row extends JsonObject>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  if (rows.length === 0) return "none\n";
  const cells = rows.map((row) => columns.map((column) => readCell(column, row)));
  const titles = columns.map(titleOf);
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...cells.map((line) => line[at]?.text.length ?? 0)),
  );
  const head = titles.map((title, at) => title.padEnd(widths[at] ?? 0)).join("  ");
  const body = cells.map((line) => line.map((cell, at) => pad(cell, widths[at] ?? 0)).join("  "));
  return `${[head, ...body].map((line) => line.trimEnd()).join("\n")}\n`;
}

interface Cell {
  text: string;
  isNumber: boolean;
}

function titleOf<Row>(column: Column<Row>): string {
  if (typeof column !== "string") return column[0];
  const named = column.replace(/_per_minute$/, "/min").replace(/_micros_per_million$/, "/m");
  return named
    .replace(/_(?:micros|at)$/, "")
    .replaceAll("_", " ")
    .toUpperCase();
}

function readCell<Row extends JsonObject>(column: Column<Row>, row: Row): Cell {
  const from: From<Row> = typeof column === "string" ? column : column[1];
  const value: Value = typeof from === "string" ? inUnits(from, row[from]) : from(row);
  return { text: shorten(show(value)), isNumber: typeof value === "number" };
}

/** Money and moments as people read them; the field's name says which it is. */
function inUnits(field: string, value: Value): Value {
  if (typeof value !== "number") return value;
  if (isMoneyName(field)) return dollars(value);
  return isMomentName(field) ? momentText(value) : value;
}

function isMomentName(field: string): boolean {
  return /^(?:time|at)$|_(?:at|until)$/.test(field);
}

export function momentText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function pad({ text, isNumber }: Cell, width: number): string {
  return isNumber ? text.padStart(width) : text.padEnd(width);
}

function show(value: Value): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(show).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A text of a vendor or a customer must not be able to draw on the terminal. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

function shorten(text: string): string {
  const drawn = plain(text);
  return drawn.length > cellCharactersMax ? `${drawn.slice(0, cellCharactersMax - 1)}…` : drawn;
}

/** One object as lines: whatever fields it has, those that come with a later version too. */
export function renderFields(fields: JsonObject): string {
  const names = Object.keys(fields);
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map((name) => {
    const value = fields[name] ?? null;
    if (isTable(value)) return `${name}:\n${indent(renderTable(columnsOf(value), value))}`;
    return `${name.padEnd(width)}  ${plain(showWhole(inUnits(name, value)))}\n`;
  });
  return lines.join("");
}

function isTable(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function columnsOf(rows: readonly JsonObject[]): Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => [
    name.toUpperCase().replaceAll("_", " "),
    (row) => showWhole(inUnits(name, row[name])),
  ]);
}

function showWhole(value: Value): string {
  return Array.isArray(value) ? JSON.stringify(value) : show(value);
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** Micros as dollars, exact: at least two decimals and as many more as there are. */
export function dollars(micros: Value): string {
  if (typeof micros !== "number") return "unlimited";
  const whole = Math.floor(Math.abs(micros) / 1_000_000);
  const rest = String(Math.abs(micros) % 1_000_000)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}$${whole}.${rest}`;
}

/** An amount that may not be there. */
export function price(micros: Value): string {
  return typeof micros === "number" ? dollars(micros) : "-";
}
