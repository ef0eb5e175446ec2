// Says of every field what it is. What its own schema says comes first; the rest follows from its
// name, which means one thing in each part of the API.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { controlWords } from "./words/control.ts";
import { errorWords } from "./words/errors.ts";
import { mediaWords } from "./words/media.ts";
import { textWords } from "./words/text.ts";

type FieldWords = Readonly<Record<string, string>>;

const byTag: Readonly<Record<string, FieldWords>> = {
  Text: textWords,
  Models: textWords,
  Images: mediaWords,
  imgF: mediaWords,
  Videos: mediaWords,
  Assets: mediaWords,
};

export function wordsOfTag(tag: string): FieldWords {
  return byTag[tag] ?? controlWords;
}

/** The schema itself, with its fields described. */
export function describeFields(
  schema: JsonObject,
  words: FieldWords,
  parent: string = "",
): JsonObject {
  const { properties, anyOf, items, patternProperties, additionalProperties } = schema;
  for (const [name, field] of entriesOf(properties)) {
    if (!isDescribed(field)) {
      const ownWords = wordsOfField(words, name, parent);
      if (ownWords !== undefined) field["description"] = ownWords;
    }
    describeFields(field, words, toSnake(name));
  }
  const inside = [...(Array.isArray(anyOf) ? anyOf : []), items, additionalProperties];
  for (const part of [...inside, ...entriesOf(patternProperties).map(([, one]) => one)]) {
    if (isObject(part)) describeFields(part, words, parent);
  }
  return schema;
}

export function describeError(schema: JsonObject): JsonObject {
  return describeFields(schema, errorWords);
}

/** Null has nothing to say: where one of the others says what it is, that holds. */
function isDescribed({ description, anyOf }: JsonObject): boolean {
  if (typeof description === "string") return true;
  return Array.isArray(anyOf) && anyOf.some((one) => isObject(one) && isDescribed(one));
}

export function wordsOfField(words: FieldWords, name: string, parent = ""): string | undefined {
  const key = toSnake(name);
  return words[`${parent}.${key}`] ?? words[key];
}

/** Such as `thinking_budget` of `thinkingBudget`; `URL` is `url`. */
function toSnake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function entriesOf(value: Json | undefined): [string, JsonObject][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}
