// Writes a value that fits a JSON Schema. Knows the part of the language that tools and structured
// output use: types, enum, const, anyOf, oneOf, allOf, references, lengths, counts and bounds.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { writeNumber } from "./number-for-schema.ts";

interface ValueStyle {
  /** Strict writes every property, otherwise only the required ones. */
  isStrict: boolean;
  /** A text for a property of this name. */
  text(name: string): string;
}

interface Position {
  name: string;
  depth: number;
}

const comfortableDepth = 5;
const comfortableValues = 500;
const depthMax = 48;
const itemsMax = 1000;
const charactersMax = 100_000;

export function writeJsonFor(schema: unknown, style: ValueStyle): Json {
  return new SchemaWriter(schema, style).write(schema, { name: "value", depth: 0 });
}

class SchemaWriter {
  readonly #root: unknown;
  readonly #style: ValueStyle;
  #values = 0;

  constructor(root: unknown, style: ValueStyle) {
    this.#root = root;
    this.#style = style;
  }

  write(given: unknown, at: Position): Json {
    this.#values++;
    // Only a schema that no finite value fits gets this deep.
    if (at.depth > depthMax || !isObject(given))
      return given === true ? this.#style.text(at.name) : null;
    const schema = this.#flatten(given);
    if (schema["const"] !== undefined) return schema["const"];
    if (Array.isArray(schema["enum"])) return schema["enum"][0] ?? null;
    const choices = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(choices)) return this.write(this.#choose(choices, at), deeper(at));
    return this.#writeTyped(schema, at);
  }

  #writeTyped(schema: JsonObject, at: Position): Json {
    switch (this.#typeOf(schema, at)) {
      case "object":
        return this.#writeObject(schema, at);
      case "array":
        return this.#writeArray(schema, at);
      case "integer":
        return writeNumber(schema, true);
      case "number":
        return writeNumber(schema, false);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return this.#writeString(schema, at);
    }
  }

  /** Recursive schemas end by preferring whatever needs no further value. */
  #isTired(at: Position): boolean {
    return at.depth > comfortableDepth || this.#values > comfortableValues;
  }

  #choose(choices: Json[], at: Position): Json | undefined {
    if (!this.#isTired(at)) return choices[0];
    const isLeafChoice = (choice: Json): boolean =>
      !isObject(choice) || isLeaf(this.#flatten(choice));
    return choices.find(isLeafChoice) ?? choices.at(-1);
  }

  #typeOf(schema: JsonObject, at: Position): Json {
    const type = schema["type"];
    if (Array.isArray(type)) {
      const hasNull = type.includes("null");
      if (hasNull && this.#isTired(at)) return "null";
      return type.find((name) => name !== "null") ?? "null";
    }
    if (type !== undefined) return type;
    if (schema["properties"] !== undefined) return "object";
    return schema["items"] === undefined ? "string" : "array";
  }

  #writeObject(schema: JsonObject, at: Position): Json {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
    const names = this.#style.isStrict ? [...Object.keys(properties), ...required] : required;
    const entries = [...new Set(names)].map((name): [string, Json] => {
      const inner = Object.hasOwn(properties, name)
        ? properties[name]
        : schema["additionalProperties"];
      return [name, this.write(inner ?? true, { name, depth: at.depth + 1 })];
    });
    return Object.fromEntries(entries);
  }

  #writeArray(schema: JsonObject, at: Position): Json {
    const least = count(schema["minItems"], 0);
    const most = count(schema["maxItems"], itemsMax);
    const wanted = this.#isTired(at) ? least : Math.max(least, Math.min(1, most));
    const length = Math.min(wanted, itemsMax);
    return Array.from({ length }, () => this.write(schema["items"] ?? true, deeper(at)));
  }

  #writeString(schema: JsonObject, at: Position): string {
    const format = typeof schema["format"] === "string" ? schema["format"] : "";
    const text = formats[format] ?? this.#style.text(at.name);
    const least = Math.min(count(schema["minLength"], 0), charactersMax);
    const most = count(schema["maxLength"], charactersMax);
    const characters = [...text];
    while (characters.length < least) characters.push(" ", ...text);
    return characters.slice(0, most).join("");
  }

  /** Follows references and folds `allOf` in, so that one object says everything. */
  #flatten(given: JsonObject, trail: readonly string[] = []): JsonObject {
    const { $ref: reference, allOf: parts, ...own } = given;
    const bases: Json[] = Array.isArray(parts) ? [...parts] : [];
    const isNew = typeof reference === "string" && !trail.includes(reference);
    if (isNew) bases.unshift(this.#resolve(reference) ?? null);
    const further = isNew ? [...trail, reference] : trail;
    return bases
      .filter(isObject)
      .map((base) => this.#flatten(base, further))
      .concat(own)
      .reduce(merge);
  }

  #resolve(reference: string): Json | undefined {
    const [document, pointer = ""] = reference.split("#");
    if (document !== "" || !isObject(this.#root)) return undefined;
    let target: Json | undefined = this.#root;
    for (const part of pointer.split("/").slice(1)) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    return target;
  }
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-15T09:30:00Z",
  date: "2026-01-15",
  time: "09:30:00Z",
  duration: "PT90M",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  uuid: "6f1c1f0e-3b0a-4c55-9a51-0f2f6f1d2b11",
};

function deeper({ name, depth }: Position): Position {
  return { name, depth: depth + 1 };
}

function isLeaf(schema: JsonObject): boolean {
  if (schema["const"] !== undefined || schema["enum"] !== undefined) return true;
  const type = schema["type"];
  return typeof type === "string" && type !== "object" && (type !== "array" || !schema["minItems"]);
}

function merge(whole: JsonObject, part: JsonObject): JsonObject {
  const merged: JsonObject = { ...whole, ...part };
  if (isObject(whole["properties"]) && isObject(part["properties"])) {
    merged["properties"] = { ...whole["properties"], ...part["properties"] };
  }
  if (Array.isArray(whole["required"]) && Array.isArray(part["required"])) {
    merged["required"] = [...whole["required"], ...part["required"]];
  }
  return merged;
}

function count(value: Json | undefined, fallback: number): number {
  return typeof value === "number" ? Math.max(0, Math.ceil(value)) : fallback;
}
