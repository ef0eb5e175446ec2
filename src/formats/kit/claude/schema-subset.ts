// The part of JSON Schema that the vendor takes for structured output. What it refuses is moved
// into the description, where the model can still read it.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";

const kept = new Set("type enum const $ref required title description default pattern".split(" "));
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const nested = new Set("items anyOf allOf properties $defs definitions".split(" "));
const namedSchemas = new Set(["properties", "$defs", "definitions"]);
const dropped = new Set(["$schema", "$id", "$comment", "additionalProperties"]);
const formats = new Set(
  "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
);

export function toSchemaSubset(schema: JsonObject): JsonObject {
  const subset: JsonObject = {};
  const refused: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined || dropped.has(name)) continue;
    if (kept.has(name) || isKeptValue(name, value)) subset[name] = value;
    else if (nested.has(name)) subset[name] = toSubsets(name, value);
    else if (name === "oneOf" && schema["anyOf"] === undefined)
      subset["anyOf"] = toSubsets(name, value);
    else refused.push(`${name}: ${JSON.stringify(value)}`);
  }
  if (isObjectSchema(schema)) {
    subset["additionalProperties"] = false;
    if (isObject(schema["additionalProperties"])) {
      refused.push(`additionalProperties: ${JSON.stringify(schema["additionalProperties"])}`);
    }
  }
  if (refused.length > 0) subset["description"] = describe(subset["description"], refused);
  return subset;
}

function isKeptValue(name: string, value: Json): boolean {
  if (name === "minItems") return value === 0 || value === 1;
  return name === "format" && typeof value === "string" && formats.has(value);
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return (
    type === "object" || isObject(properties) || (Array.isArray(type) && type.includes("object"))
  );
}

function toSubsets(name: string, value: Json): Json {
  if (Array.isArray(value))
    return value.map((item) => (isObject(item) ? toSchemaSubset(item) : item));
  if (!isObject(value)) return value;
  if (!namedSchemas.has(name)) return toSchemaSubset(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, schema]) => [
      key,
      isObject(schema) ? toSchemaSubset(schema) : schema,
    ]),
  );
}

function describe(description: Json | undefined, refused: readonly string[]): string {
  const rules = `(${refused.join(", ")})`;
  return typeof description === "string" ? `${description} ${rules}` : rules;
}
