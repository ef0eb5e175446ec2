// Difference between a thing before and after, small enough to be kept for ever. Secrets must not
// be handed in; what looks like one is taken out all the same.
import type { Json, JsonObject } from "../../core/json.ts";
import { scrub } from "../../core/log.ts";

const valueCharactersMax = 300;

/** The fields that differ. Of a new or a removed thing all that are set, as they are or were. */
export function changesOf(before: object | null, after: object | null): JsonObject {
  if (before === null || after === null) return brief(after ?? before ?? {});
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: JsonObject = {};
  for (const name of names) {
    const [from, to] = [valueOf(before, name), valueOf(after, name)];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    changes[name] = { from: shorten(from), to: shorten(to) };
  }
  return changes;
}

/** The fields that are set, long ones cut. */
export function brief(fields: object): JsonObject {
  return Object.fromEntries(
    Object.keys(fields)
      .map((name): [string, Json] => [name, shorten(valueOf(fields, name))])
      .filter(([, value]) => value !== null),
  );
}

function valueOf(fields: object, name: string): Json {
  const value: Json | undefined = Reflect.get(fields, name);
  return value ?? null;
}

function shorten(value: Json): Json {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  const text = scrub(typeof value === "string" ? value : JSON.stringify(value));
  if (text.length > valueCharactersMax) return `${text.slice(0, valueCharactersMax)}…`;
  return typeof value === "string" ? text : parseOr(text);
}

/** Should taking a secret out ever break a value, its text is kept. */
function parseOr(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
