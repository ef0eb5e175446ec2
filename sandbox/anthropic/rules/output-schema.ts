// Demands on a schema for the vendor to write by it: closed objects, and no bounds.
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import { invalid } from "../errors.ts";

const boundsByType: Readonly<Record<string, readonly string[]>> = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength"],
  array: ["maxItems", "uniqueItems"],
};

export function checkOutputSchema(schema: unknown, path: string): void {
  if (!isObject(schema)) return;
  const { type } = schema;
  if (type === "object" && schema["additionalProperties"] !== false) {
    const message = "For 'object' type, 'additionalProperties' must be explicitly set to false";
    throw invalid(path, message);
  }
  const bounds = typeof type === "string" ? (boundsByType[type] ?? []) : [];
  const used = bounds.filter((name) => schema[name] !== undefined);
  if (used.length > 0) {
    throw invalid(
      path,
      `For '${String(type)}' type, properties ${used.join(", ")} are not supported`,
    );
  }
  for (const inner of innerSchemas(schema)) checkOutputSchema(inner, path);
}

function innerSchemas(schema: JsonObject): unknown[] {
  const named = ["properties", "$defs", "definitions"].flatMap((name) => {
    const group = schema[name];
    return isObject(group) ? Object.values(group) : [];
  });
  const listed = ["anyOf", "oneOf", "allOf"].flatMap((name) => schema[name] ?? []);
  return [...named, ...listed, schema["items"]];
}
