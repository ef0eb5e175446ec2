// The file's schema for editors, as sluice.schema.json at the root holds it.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { ConfigFile } from "./schema.ts";

export function configJsonSchema(): JsonObject {
  const plain: JsonObject = JSON.parse(JSON.stringify(ConfigFile));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Sluice configuration",
    ...relax(plain),
  };
}

/** A key with a default is required of the loaded value only, not of the file's author. */
function relax(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema;
  const properties = isObject(rest["properties"]) ? rest["properties"] : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  const kept = names.filter((name) => {
    const property = properties[name];
    return !isObject(property) || property["default"] === undefined;
  });
  const inside = Object.entries(rest).map(([name, value]): [string, Json | undefined] => [
    name,
    relaxChild(value),
  ]);
  return { ...Object.fromEntries(inside), ...(kept.length > 0 ? { required: kept } : {}) };
}

function relaxChild(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => relaxChild(item) ?? null);
  return isObject(value) ? relax(value) : value;
}
