// JSON Schema and the part of OpenAPI's schema that Google takes in its place, both ways. Rules
// that only narrow a value are left out where the subset lacks them; a schema whose meaning would
// be lost without them is not written as a subset at all.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/** Written as they are. */
const keptNames = [
  "title",
  "description",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "pattern",
  "minProperties",
  "maxProperties",
];
const formats = new Set(["date-time", "enum", "float", "double", "int32", "int64"]);
const types = new Set(["string", "number", "integer", "boolean", "array", "object"]);
/** References that unfold into more than this are a bomb, or as good as one. */
const schemasMax = 2000;

interface Unfolding {
  root: JsonObject;
  left: number;
}

/** Null when the subset cannot hold it, as with recursion, maps, tuples and numbers to choose. */
export function toSubset(schema: JsonObject): JsonObject | null {
  return convert(schema, { root: schema, left: schemasMax }, []);
}

/** `trail` are the references that led here: one that comes again would never end. */
function convert(schema: Json, unfolding: Unfolding, trail: readonly string[]): JsonObject | null {
  if (!isObject(schema) || unfolding.left-- <= 0) return null;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const target = trail.includes(reference) ? null : resolve(unfolding.root, reference);
    if (!target) return null;
    const { $ref: _reference, ...beside } = schema;
    return convert({ ...target, ...beside }, unfolding, [...trail, reference]);
  }
  if (Array.isArray(schema["allOf"])) {
    const merged = mergeAll(schema, unfolding.root);
    return merged && convert(merged, unfolding, trail);
  }
  const union = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(union)) return convertUnion(schema, union, unfolding, trail);
  if (Array.isArray(schema["type"])) {
    const { type, description, title, ...rest } = schema;
    const members = type.map((member) => ({ ...rest, type: member }));
    const head: JsonObject = { description, title };
    return convertUnion(head, members, unfolding, trail);
  }
  return convertPlain(schema, unfolding, trail);
}

const besideUnion = ["type", "properties", "items", "enum", "const"];

function convertUnion(
  schema: JsonObject,
  union: readonly Json[],
  unfolding: Unfolding,
  trail: readonly string[],
): JsonObject | null {
  // Rules beside a union would have to be said again in each of its members.
  if (besideUnion.some((name) => schema[name] !== undefined)) return null;
  if (schema["anyOf"] && schema["oneOf"]) return null;
  const members: JsonObject[] = [];
  for (const member of union) {
    if (isNull(member)) continue;
    const converted = convert(member, unfolding, trail);
    if (!converted) return null;
    members.push(converted);
  }
  const [first, ...others] = members;
  if (!first) return null;
  const written: JsonObject = others.length === 0 ? first : { anyOf: members };
  for (const name of ["title", "description"]) {
    if (schema[name] !== undefined) written[name] = schema[name];
  }
  if (union.some(isNull)) written["nullable"] = true;
  return written;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

function convertPlain(
  schema: JsonObject,
  unfolding: Unfolding,
  trail: readonly string[],
): JsonObject | null {
  const type = typeOf(schema);
  if (type === null) return null;
  const written: JsonObject = { type: type.toUpperCase() };
  for (const name of keptNames) if (schema[name] !== undefined) written[name] = schema[name];
  const { format } = schema;
  if (typeof format === "string" && formats.has(format)) written["format"] = format;
  if (schema["nullable"] === true) written["nullable"] = true;
  if (type === "integer") bound(schema, written);
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (Array.isArray(values) && !writeValues(values, type, written)) return null;
  if (type === "array") {
    const items = convert(schema["items"] ?? null, unfolding, trail);
    if (!items || schema["prefixItems"] !== undefined) return null;
    written["items"] = items;
  }
  if (type !== "object") return written;
  return writeProperties(schema, written, (member) => convert(member, unfolding, trail));
}

function typeOf(schema: JsonObject): string | null {
  const { type } = schema;
  if (typeof type === "string") {
    const lower = type.toLowerCase();
    return types.has(lower) ? lower : null;
  }
  if (schema["properties"] !== undefined) return "object";
  if (schema["items"] !== undefined) return "array";
  return Array.isArray(schema["enum"]) || schema["const"] !== undefined ? "string" : null;
}

/** Whole numbers have a nearest one inside an open bound. */
function bound(schema: JsonObject, written: JsonObject): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === "number") written["minimum"] ??= Math.floor(above) + 1;
  if (typeof below === "number") written["maximum"] ??= Math.ceil(below) - 1;
}

/** Google lets a model choose from texts alone. */
function writeValues(values: readonly Json[], type: string, written: JsonObject): boolean {
  const texts = values.filter((value) => typeof value === "string");
  const isNullable = values.includes(null);
  if (type !== "string" || texts.length + (isNullable ? 1 : 0) !== values.length) return false;
  if (texts.length === 0) return false;
  written["enum"] = texts;
  if (isNullable) written["nullable"] = true;
  return true;
}

/** Objects of which nothing is known, and maps, have no place in the subset. */
function writeProperties(
  schema: JsonObject,
  written: JsonObject,
  convertMember: (member: Json) => JsonObject | null,
): JsonObject | null {
  const { properties, additionalProperties: others } = schema;
  if (schema["patternProperties"] !== undefined || isObject(others)) return null;
  const named = isObject(properties) ? Object.entries(properties) : [];
  if (named.length === 0) return null;
  const members: [string, JsonObject][] = [];
  for (const [name, member] of named) {
    const converted = convertMember(member ?? null);
    if (!converted) return null;
    members.push([name, converted]);
  }
  written["properties"] = Object.fromEntries(members);
  const names = new Set(members.map(([name]) => name));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const known = required.filter((name) => typeof name === "string" && names.has(name));
  if (known.length > 0) written["required"] = known;
  return written;
}

/** A place in the same document, such as `#/$defs/node`. */
function resolve(root: JsonObject, reference: string): JsonObject | null {
  if (reference !== "#" && !reference.startsWith("#/")) return null;
  let at: Json | undefined = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decodeStep(step);
    if (!isObject(at) || !Object.hasOwn(at, name)) return null;
    at = at[name];
  }
  return isObject(at) ? at : null;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** One schema for all of them, where they say different things about it and nothing twice. */
function mergeAll({ allOf, ...rest }: JsonObject, root: JsonObject): JsonObject | null {
  const merger = new SchemaMerger();
  merger.add(rest);
  for (const member of Array.isArray(allOf) ? allOf : []) {
    if (!isObject(member)) return null;
    const { $ref: reference, ...beside } = member;
    const target = typeof reference === "string" ? resolve(root, reference) : {};
    // A member that refers on is left to the original schema; so is one that contains itself.
    if (!target || target["$ref"] !== undefined || target["allOf"] !== undefined) return null;
    if (beside["allOf"] !== undefined) return null;
    if (!merger.add({ ...target, ...beside })) return null;
  }
  return merger.schema;
}

function entriesOf(schemas: JsonObject): [string, Json][] {
  return Object.entries(schemas).map(([name, schema = null]) => [name, schema]);
}

/** Gathers schemas into one, each of them looked at once. */
class SchemaMerger {
  readonly #fields: JsonObject = {};
  #properties: Map<string, Json> | null = null;
  #required: Json[] | null = null;

  get schema(): JsonObject {
    const schema: JsonObject = { ...this.#fields };
    if (this.#properties) schema["properties"] = Object.fromEntries(this.#properties);
    if (this.#required) schema["required"] = this.#required;
    return schema;
  }

  /** False where it says something anew that was said before. */
  add(added: JsonObject): boolean {
    for (const [name, value] of entriesOf(added)) {
      const before = this.#fields[name];
      if (before === undefined) this.#begin(name, value);
      else if (name === "additionalProperties") this.#fields[name] = value;
      else if (name === "properties" && this.#properties && isObject(value)) {
        for (const [key, property] of entriesOf(value)) {
          if (this.#properties.has(key)) return false;
          this.#properties.set(key, property);
        }
      } else if (name === "required" && this.#required && Array.isArray(value)) {
        for (const one of value) this.#required.push(one);
      } else if (name !== "description" && name !== "title" && before !== value) return false;
    }
    return true;
  }

  /** The first schema that has the field decides its place among the others. */
  #begin(name: string, value: Json): void {
    this.#fields[name] = value;
    if (name === "properties" && isObject(value)) this.#properties = new Map(entriesOf(value));
    if (name === "required" && Array.isArray(value)) this.#required = [...value];
  }
}
