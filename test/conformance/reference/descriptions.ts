// Finds what the document does not say: fields and parameters without a description.
import { operationsOf, type Document } from "./replay.ts";

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export function undescribed(document: Document): string[] {
  const found = operationsOf(document).flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    const { parameters, requestBody, responses } = operation;
    const silent = (parameters as { name: string; description?: string }[])
      .filter(({ description }) => !description)
      .map((parameter) => `${name} ?${parameter.name}`);
    const contents = [requestBody, ...Object.values(responses)] as (Content | undefined)[];
    const schemas = contents.flatMap((one) => Object.values(one?.content ?? {}));
    return [...silent, ...schemas.flatMap(({ schema }) => silentFields(schema ?? {}, name))];
  });
  const errors = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    silentFields(schema as Schema, name),
  );
  return [...new Set([...found, ...errors])];
}

function silentFields(schema: Schema, at: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(isDescribed(field) ? [] : [`${at} ${name}`]),
    ...silentFields(field, `${at} ${name}`),
  ]);
  const { items, anyOf = [], patternProperties = {}, additionalProperties } = schema;
  const inside = [...anyOf, ...Object.values(patternProperties), items, additionalProperties];
  return [
    ...fields,
    ...inside.flatMap((one) => (typeof one === "object" ? silentFields(one, at) : [])),
  ];
}

function isDescribed({ description, anyOf = [] }: Schema): boolean {
  return Boolean(description) || anyOf.some(isDescribed);
}
