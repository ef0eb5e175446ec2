// The fields of a body or an answer as a table.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { markup, prose, type Markup } from "./markup.ts";

export interface Field {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

const depthMax = 4;

export function fieldTable(fields: readonly Field[]): Markup {
  const rows = fields.map(
    ({ name, schema, isRequired }) => markup`<tr>
<td><code>${name}</code>${isRequired ? " *" : ""}</td>
<td class="quiet"><code>${typeOf(schema)}</code></td>
<td>${prose([wordsOf(schema), limitsOf(schema)].filter(Boolean).join(" "))}</td>
</tr>`,
  );
  return markup`<table>${rows}</table>`;
}

export function schemaPart(title: string, schema: JsonObject): Markup {
  const fields = fieldsOf(schema, "", 0);
  const body = fields.length > 0 ? fieldTable(fields) : markup`<code>${typeOf(schema)}</code>`;
  return markup`<h4>${title}</h4>${body}`;
}

/** The fields of an object, those of objects inside it behind a dot. */
function fieldsOf(schema: JsonObject, prefix: string, depth: number): Field[] {
  if (depth > depthMax) return [];
  const inItems = isObject(schema["items"]) && !isObject(schema["properties"]);
  const path = inItems ? `${prefix}[]` : prefix;
  const byName = new Map<string, Field>();
  for (const [at, { properties, required }] of shapesOf(schema).entries()) {
    // A field that only another shape has is not in each of them.
    const needed = at === 0 && Array.isArray(required) ? required : [];
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
      const full = path === "" ? name : `${path}.${name}`;
      if (!isObject(field) || byName.has(full)) continue;
      byName.set(full, { name: full, schema: field, isRequired: needed.includes(name) });
      for (const inner of fieldsOf(field, full, depth + 1)) byName.set(inner.name, inner);
    }
  }
  return [...byName.values()];
}

/** The objects that a value of the schema may be, or have in it as items. */
function shapesOf(schema: JsonObject): JsonObject[] {
  const inside = [...alternatives(schema), schema["items"]].filter(isObject);
  return [schema, ...inside.flatMap(shapesOf)].filter(({ properties }) => isObject(properties));
}

function alternatives({ anyOf, oneOf }: JsonObject): Json[] {
  const several = anyOf ?? oneOf;
  return Array.isArray(several) ? several : [];
}

function typeOf(schema: JsonObject): string {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  const { enum: words, type, items } = schema;
  if (Array.isArray(words)) return words.map((one) => JSON.stringify(one)).join(" | ");
  const several = alternatives(schema).filter(isObject);
  if (several.length > 0) return [...new Set(several.map(typeOf))].join(" | ");
  if (type === "array") return `${isObject(items) ? typeOf(items) : "any"}[]`;
  return Array.isArray(type) ? type.join(" | ") : String(type ?? "any");
}

function wordsOf(schema: JsonObject): string {
  const { description } = schema;
  if (typeof description === "string") return description;
  return alternatives(schema).filter(isObject).map(wordsOf).find(Boolean) ?? "";
}

const bounds: Readonly<Record<string, string>> = {
  minimum: "at least",
  maximum: "at most",
  minLength: "length at least",
  maxLength: "length at most",
  minItems: "items at least",
  maxItems: "items at most",
};

function limitsOf(schema: JsonObject): string {
  const boundTexts = Object.entries(bounds)
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, words]) => `${words} ${String(schema[key])}`);
  const text = boundTexts.join(", ");
  return text === "" ? "" : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
