// Google's own schema language, a part of OpenAPI's: what it may say, and what it must.
import type { JsonObject } from "../../../src/core/json.ts";
import { invalid } from "../errors.ts";
import { anything, flag, integer, list, map, message, number, oneOf, text } from "./readers.ts";
import type { Reader } from "./readers.ts";

const type = oneOf(
  "TYPE_UNSPECIFIED",
  "STRING",
  "NUMBER",
  "INTEGER",
  "BOOLEAN",
  "ARRAY",
  "OBJECT",
  "NULL",
);

const plainFields = {
  type,
  format: text,
  title: text,
  description: text,
  nullable: flag,
  enum: list(text),
  maxItems: integer,
  minItems: integer,
  required: list(text),
  minProperties: integer,
  maxProperties: integer,
  minLength: integer,
  maxLength: integer,
  pattern: text,
  example: anything,
  propertyOrdering: list(text),
  default: anything,
  minimum: number,
  maximum: number,
};
const plain = message(plainFields);

interface Schema extends ReturnType<typeof plain> {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
}

/** A schema holds schemas, so its reader is made when it is first needed. */
export const schema: Reader<Schema> = (value, at) => {
  const nested = { properties: map(schema), anyOf: list(schema), items: schema };
  return message({ ...plainFields, ...nested })(value, at);
};

export function checkSchema(given: Schema, at: string): void {
  const { properties = {}, required = [], anyOf = [], items } = given;
  if (given.type === "ARRAY" && !items) throw invalid(`* ${at}.items: missing field.`);
  if (given.type === "OBJECT" && Object.keys(properties).length === 0) {
    throw invalid(`* ${at}.properties: should be non-empty for OBJECT type`);
  }
  const unknown = required.findIndex((name) => !Object.hasOwn(properties, name));
  if (unknown !== -1) throw invalid(`* ${at}.required[${unknown}]: property is not defined`);
  if (given.enum && given.type !== "STRING") {
    throw invalid(`* ${at}.enum: only allowed for STRING type`);
  }
  for (const [name, inner] of Object.entries(properties)) {
    checkSchema(inner, `${at}.properties[${name}]`);
  }
  anyOf.forEach((inner, index) => checkSchema(inner, `${at}.any_of[${index}]`));
  if (items) checkSchema(items, `${at}.items`);
}

/** The same in JSON Schema. */
export function toJsonSchema({ properties, anyOf, items, ...own }: Schema): JsonObject {
  const { type: name, ...rest } = own;
  const isTyped = name !== undefined && name !== "TYPE_UNSPECIFIED";
  const entries = Object.entries(properties ?? {});
  return {
    ...rest,
    ...(isTyped ? { type: name.toLowerCase() } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(entries.map(([key, inner]) => [key, toJsonSchema(inner)])),
        }
      : {}),
    ...(anyOf ? { anyOf: anyOf.map(toJsonSchema) } : {}),
    ...(items ? { items: toJsonSchema(items) } : {}),
  };
}
