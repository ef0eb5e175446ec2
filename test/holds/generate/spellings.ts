// The spellings of one name: Google's parsers take a field in camel and in snake case.
import type { Dice } from "../../sim/dice.ts";
import { isObject, placesIn, readAt, withAt, withoutAt, type JsonObject } from "./json.ts";

export function otherSpelling(name: string): string {
  return name.includes("_")
    ? name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function spelledPlaces(body: JsonObject) {
  return placesIn(body).filter((path) => {
    const name = path.at(-1);
    return typeof name === "string" && otherSpelling(name) !== name;
  });
}

/** The body with one of its names in the other spelling. */
export function respell(body: JsonObject, dice: Dice): JsonObject {
  const places = spelledPlaces(body);
  if (places.length === 0) return body;
  const path = dice.pick(places);
  const twice = both(body, path);
  const without = withoutAt(twice, path);
  return isObject(without) ? without : body;
}

/** The body with one of its names in both spellings, of which one is harmless. */
export function spellTwice(body: JsonObject, dice: Dice): JsonObject {
  const places = spelledPlaces(body);
  if (places.length === 0) return body;
  const path = dice.pick(places);
  const twice = withAt(both(body, path), path, "x");
  return isObject(twice) ? twice : body;
}

function both(body: JsonObject, path: readonly (string | number)[]): JsonObject {
  const name = path.at(-1);
  const other = [...path.slice(0, -1), otherSpelling(String(name))];
  const twice = withAt(body, other, readAt(body, path) ?? null);
  return isObject(twice) ? twice : body;
}
