// Cells of another program's rows, whatever its engine makes of them.
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import { wholeOf, type SourceRow } from "./queries.ts";

/** Padding that some engines add to texts of a fixed length is gone. */
export function cellText(row: SourceRow, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value.trim() : String(value ?? "");
}

export function wholeIn(row: SourceRow, column: string): bigint {
  return wholeOf(row[column]) ?? 0n;
}

/** For what is small: states, priorities, times. */
export function numberIn(row: SourceRow, column: string): number {
  const value = Number(row[column] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

export function isSetIn(row: SourceRow, column: string): boolean {
  const value = row[column];
  return value === true || value === 1 || value === 1n || value === "1" || value === "true";
}

export function isGone(row: SourceRow): boolean {
  return row["deleted_at"] !== null && row["deleted_at"] !== undefined;
}

/** Null for what is no object, be it text or already read. */
export function objectIn(row: SourceRow, column: string): JsonObject | null {
  const value = row[column];
  if (typeof value !== "string") return JSON.parse(JSON.stringify(value ?? null));
  return objectOf(value);
}

export function objectOf(text: string): JsonObject | null {
  try {
    const value = parseJson(new TextEncoder().encode(text));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Seconds since 1970, or null for none. */
export function secondsIn(row: SourceRow, column: string): number | null {
  const value = row[column];
  if (value instanceof Date) return Math.floor(value.getTime() / 1000);
  if (typeof value === "string" && !/^-?\d+$/.test(value)) {
    const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(" ", "T")}Z`;
    const at = Date.parse(zoned);
    return Number.isNaN(at) ? null : Math.floor(at / 1000);
  }
  const seconds = Number(value ?? 0);
  return seconds > 0 ? Math.floor(seconds) : null;
}

export function cellNames(row: SourceRow, column: string): string[] {
  return splitList(cellText(row, column));
}

function splitList(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
