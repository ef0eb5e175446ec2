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
  const values = Object.entries(entry).map(([name, parameter]) => {
    const text = query.get(name);
    if (parameter.isRequired && !text) throw invalid(name, "is required");
    return [name, parameter.isFlag ? text === "true" : parseOne(name, parameter, text)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as QueryOf<Query>;
}

/** Empty counts as none, but where a text is taken as it is. */
function parseOne(name: string, { schema, read }: QueryEntry[string], text: string | null) {
  const { type, enum: words, default: usual }: Plain = schema;
  const isText = type === "string" && !words && !read;
  if (text === null || (text === "" && !isText)) return usual;
  if (read) return read(text, name);
  if (words) return assertWord(name, schema, text);
  if (type === "boolean") return parseTruth(name, text);
  return type === "integer" ? parseWhole(name, schema, text) : parseText(name, schema, text);
}

function parseTruth(name: string, text: string): boolean {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalid(name, "must be true or false");
}

function parseWhole(name: string, { minimum = 0, maximum }: Plain, text: string): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= (maximum ?? value)) return value;
  const bounds = maximum === undefined ? "" : ` from ${minimum} to ${maximum}.`;
  throw invalid(name, `must be a whole number${bounds}`);
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
