// The place of an error in a body of OpenAI's wire.
import { isObject, type Json, type JsonObject } from "../core/json.ts";

/** The error: an object below its name, a text there, or the body itself; null where it is none. */
export function errorIn(holder: JsonObject): JsonObject | null {
  const { error } = holder;
  if (isObject(error)) return error;
  if (typeof error === "string" && error !== "") return { message: error };
  const isError = holder["type"] === "error" || holder["object"] === "error";
  return isError ? holder : null;
}

/** Google wraps an error in a list on some of its routes. */
export function holderIn(body: Json): JsonObject | null {
  const holder = Array.isArray(body) ? body[0] : body;
  return isObject(holder) ? holder : null;
}
