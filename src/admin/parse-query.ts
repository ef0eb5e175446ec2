// Query of an address, parsed by the schemas that the reference prints.
import { invalid } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { QueryEntry } from "../core/reference-entry.ts";
import { compile, isBounded, parseWith, type Checker, type TSchema } from "../core/schema.ts";
import type { QueryOf } from "./call.ts";

/** Keywords of JSON Schema that parameters use. */
interface Plain {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: Json;
}

export function parseQuery<Query extends QueryEntry>(
  entry: Query,
  query: URLSearchParams,
): QueryOf<Query> {
  const values = Object.entries(entry).map(([name, { schema, isFlag, isRequired }]) => {
    const text = query.get(name);
    if (isRequired && !text) throw invalid(name, "is required");
    return [name, isFlag ? text === "true" : parseOne(name, schema, text)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as QueryOf<Query>;
}

/** An empty number or word counts as none; a text may be empty. */
function parseOne(name: string, schema: TSchema, text: string | null): Json | undefined {
  const { type, enum: words, minimum = 0, maximum = 0, default: usual } = schema as Plain;
  if (text === null || (text === "" && (words || type === "integer"))) return usual;
  if (words) return assertWord(name, schema, text);
  if (type !== "integer") return parseText(name, schema, text);
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw invalid(name, `must be a whole number from ${minimum} to ${maximum}.`);
}

/** One of the words of the schema, or nothing. */
export function assertWord<Value extends Json | undefined>(
  name: string,
  schema: TSchema,
  value: Value,
): Value {
  const { enum: words = [] } = schema as Plain;
  if (value === undefined || words.some((word) => word === value)) return value;
  throw invalid(name, `must be one of ${words.join(", ")}`);
}

const checkers = new WeakMap<TSchema, Checker<{ [name: string]: string }>>();

/** Most texts may be anything; checks of the others are compiled on first use. */
function parseText(name: string, schema: TSchema, text: string): string {
  if (!isBounded(schema)) return text;
  const field = { type: "object", properties: { [name]: schema } };
  const checker = checkers.get(schema) ?? compile<TSchema>(field);
  checkers.set(schema, checker as Checker<{ [name: string]: string }>);
  parseWith(checker, { [name]: text });
  return text;
}
