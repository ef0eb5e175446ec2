// With the folder beside it the one place that knows the schema library. A schema validates, types
// and documents.
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { GatewayError } from "./errors.ts";
import * as Type from "./schema/words.ts";

export { Type, type Static, type TSchema };

export interface SchemaFault {
  /** Dotted path, empty for the whole document; its names are escaped as in a JSON pointer. */
  path: string;
  message: string;
}

export interface Checker<Value> {
  readonly schema: TSchema;
  is(value: unknown): value is Value;
  faults(value: unknown): SchemaFault[];
}

export function compile<Schema extends TSchema>(schema: Schema): Checker<Static<Schema>> {
  let compiled: ReturnType<typeof Compile<Schema>> | null = null;
  // A gateway may never need most of them, and compiling takes time and memory.
  const validator = () => (compiled ??= Compile(schema));
  return {
    schema,
    is: (value): value is Static<Schema> => validator().Check(value),
    faults: (value) => validator().Errors(value)[1].map(toFault),
  };
}

/** Returns the value as its type, or throws the 400 that names the first wrong field. */
export function parseWith<Value>(checker: Checker<Value>, value: unknown): Value {
  if (checker.is(value)) return value;
  const [first = { path: "", message: "is not valid" }] = checker.faults(value);
  const path = unescapeNames(first.path);
  const message = `${path === "" ? "The body" : path} ${first.message}`;
  throw new GatewayError("invalid_request", path === "" ? { message } : { message, param: path });
}

/** One error of the library; a property that is missing is named in its parameters. */
interface LibraryError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

function toFault(error: LibraryError): SchemaFault {
  const parent = error.instancePath.slice(1).replaceAll("/", ".");
  const params: { requiredProperties?: string[]; additionalProperties?: string[] } = error.params;
  const [name] = params.requiredProperties ?? params.additionalProperties ?? [];
  if (name === undefined) {
    // The library checks each unknown property against a schema that nothing meets.
    return { path: parent, message: error.keyword === "boolean" ? unknown : error.message };
  }
  const path = parent === "" ? escapeName(name) : `${parent}.${escapeName(name)}`;
  return { path, message: error.keyword === "required" ? "is required" : unknown };
}

const unknown = "is not known";

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeNames(path: string): string {
  return path.replaceAll("~1", "/").replaceAll("~0", "~");
}
