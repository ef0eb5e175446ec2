// Reads single fields of bodies whose shape is not certain: a value of another type is as absent.
import { isObject, type JsonObject } from "../../core/json.ts";

export function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function readNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

export function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function readObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Null when the text is not a JSON object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null is how clients write that they do not set a field. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
