// The configuration without its secrets, for people to look at.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { scrub } from "../core/log.ts";
import type { ConfigFile } from "./schema.ts";

/** Fields whose values are secrets, wherever they stand. */
export const secretNames: ReadonlySet<string> = new Set(
  "key keys headers client_secret secret_access_key hook_url secret password".split(" "),
);
export const placeholder = "[secret]";

/**
 * Redact by the names of the fields, wherever they stand; in the rest, what looks like a secret.
 */
export function redact(file: ConfigFile): JsonObject {
  const plain: JsonObject = JSON.parse(JSON.stringify(file));
  // `keys` is the name of a list of declared things here, and a field of theirs below.
  return mapFields(plain, (_name, section) => hide(section));
}

function hide(value: Json): Json {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map(hide);
  return isObject(value) ? hideFields(value) : value;
}

function hideFields(fields: JsonObject): JsonObject {
  return mapFields(fields, (name, value) => (secretNames.has(name) ? hideAll(value) : hide(value)));
}

function hideAll(value: Json): Json {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(hideAll);
  return isObject(value) ? mapFields(value, () => placeholder) : placeholder;
}

function mapFields(fields: JsonObject, map: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value = null]) => [name, map(name, value)]),
  );
}

/** The value of one setting without its secrets. */
export function redactValue(value: Json): Json {
  return hide(value);
}
