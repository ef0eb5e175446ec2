// The input of a function as chat and responses upstreams take it: they refuse a schema that does
// not say that it is an object, or an object that does not list its properties.
import type { JsonObject } from "../../core/json.ts";

/** Keywords that define a value in another way. */
const alternatives = ["$ref", "anyOf", "oneOf", "allOf"];

export function toObjectSchema(schema: JsonObject): JsonObject {
  const { type, properties } = schema;
  if (type !== undefined && type !== "object") return schema;
  if (type === undefined && alternatives.some((name) => schema[name] !== undefined)) return schema;
  return { ...schema, type: "object", properties: properties ?? {} };
}
