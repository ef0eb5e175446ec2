// Reading the fields of a vendor's answer.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { VendorReply } from "../upstream.ts";

export function isSuccess({ status }: VendorReply): boolean {
  return status >= 200 && status <= 299;
}

/** The object under this name, or an empty one. */
export function partOf(holder: Json | undefined, name: string): JsonObject {
  const part = isObject(holder) ? holder[name] : undefined;
  return isObject(part) ? part : {};
}

export function listIn(holder: JsonObject, name: string): Json[] {
  const list = holder[name];
  return Array.isArray(list) ? list : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A number that is not negative; some vendors write it as a text. */
export function amountOf(value: unknown): number | null {
  const isDigits = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value);
  const number = typeof value === "number" || isDigits ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : null;
}

/** An id that a vendor writes as a text or as a whole number. */
export function idOf(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}
