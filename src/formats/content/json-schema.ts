// Google's schema as JSON Schema: types in lower case, null as a type, numbers as numbers. Clients
// mix the two, and the vendor takes it: what is JSON Schema already comes out as it went in.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";

const countNames = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
]);

/** The names that JSON Schema gives to some of Google's, or null for those it has no use for. */
const renamed: Readonly<Record<string, string | null>> = {
  propertyOrdering: null,
  property_ordering: null,
  nullable: null,
  example: null,
  any_of: "anyOf",
  prefix_items: "prefixItems",
  min_items: "minItems",
  max_items: "maxItems",
  min_length: "minLength",
  max_length: "maxLength",
  min_properties: "minProperties",
  max_properties: "maxProperties",
  additional_properties: "additionalProperties",
  ref: "$ref",
  defs: "$defs",
};

export function toJsonSchema(schema: JsonObject): JsonObject {
  const written: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const name = Object.hasOwn(renamed, keyword) ? (renamed[keyword] ?? null) : keyword;
    if (name === null || value === undefined) continue;
    const converted = convertField(name, value);
    if (converted !== undefined) written.push([name, converted]);
  }
  const result: JsonObject = Object.fromEntries(written);
  return schema["nullable"] === true ? withNull(result) : result;
}

function convertField(name: string, value: Json): Json | undefined {
  switch (name) {
    case "type":
      return convertType(value);
    case "format":
      return value === "enum" ? undefined : value;
    case "items":
    case "additionalProperties":
      return convertMember(value);
    case "anyOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(convertMember) : value;
    case "properties":
    case "$defs":
      return isObject(value) ? convertMembers(value) : value;
    default:
      return countNames.has(name) && typeof value === "string" ? Number(value) : value;
  }
}

function convertType(value: Json): Json | undefined {
  if (typeof value !== "string") return value;
  return value === "TYPE_UNSPECIFIED" ? undefined : value.toLowerCase();
}

function convertMember(value: Json): Json {
  return isObject(value) ? toJsonSchema(value) : value;
}

function convertMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, convertMember(member ?? null)]),
  );
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf: union } = schema;
  if (typeof type === "string") {
    const nullable: JsonObject = { ...schema, type: [type, "null"] };
    if (Array.isArray(values) && !values.includes(null)) nullable["enum"] = [...values, null];
    return nullable;
  }
  return Array.isArray(union) ? { ...schema, anyOf: [...union, { type: "null" }] } : schema;
}
