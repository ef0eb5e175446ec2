// The vendor's demands on a schema that it is to keep to strictly: every object is closed and
// requires all of its properties.
import { isObject, type JsonObject } from "../../../src/core/json.ts";

/** The first thing wrong with it, in the vendor's words; null when it may be used strictly. */
export function strictProblem(schema: unknown): string | null {
  if (!isObject(schema) || schema["type"] !== "object") {
    return "In context=(), schema must have type 'object'.";
  }
  return problemAt(schema, []);
}

function problemAt(schema: unknown, path: readonly string[]): string | null {
  if (!isObject(schema)) return null;
  const context = `In context=(${path.map((name) => `'${name}'`).join(", ")})`;
  if (isObject(schema["properties"]) || schema["type"] === "object") {
    const problem = objectProblem(schema);
    if (problem !== null) return `${context}, ${problem}`;
  }
  for (const [name, inner] of innerSchemas(schema)) {
    const problem = problemAt(inner, [...path, ...name]);
    if (problem !== null) return problem;
  }
  return null;
}

function objectProblem(schema: JsonObject): string | null {
  if (schema["additionalProperties"] !== false) {
    return "'additionalProperties' is required to be supplied and to be false.";
  }
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required : [];
  const missing = Object.keys(isObject(properties) ? properties : {}).find(
    (name) => !names.includes(name),
  );
  if (missing === undefined) return null;
  return `'required' is required to include every key in properties. Missing '${missing}'.`;
}

function innerSchemas(schema: JsonObject): [string[], unknown][] {
  const { properties, items, anyOf, $defs } = schema;
  const entries = (holder: unknown) => (isObject(holder) ? Object.entries(holder) : []);
  return [
    ...entries(properties).map(([name, inner]): [string[], unknown] => [
      ["properties", name],
      inner,
    ]),
    [["items"], items],
    ...(Array.isArray(anyOf) ? anyOf : []).map((inner, at): [string[], unknown] => [
      ["anyOf", String(at)],
      inner,
    ]),
    ...entries($defs).map(([name, inner]): [string[], unknown] => [["$defs", name], inner]),
  ];
}
