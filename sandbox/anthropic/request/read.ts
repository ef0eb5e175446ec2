// Reads untrusted parts of a request strictly: what a schema does not name is refused, in the
// words of the vendor's own validator.
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import {
  compile,
  type SchemaFault,
  type Static,
  type TSchema,
  Type,
} from "../../../src/core/schema.ts";
import { invalid } from "../errors.ts";

export type Reader<Value> = (json: unknown, path: string) => Value;
export type Readers<Value> = Readonly<Record<string, Reader<Value>>>;

export const closed = { additionalProperties: false } as const;

export const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

export function reader<Schema extends TSchema>(schema: Schema): Reader<Static<Schema>> {
  const checker = compile(schema);
  return (json, path) => {
    if (checker.is(json)) return json;
    const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
    const at = [path, fault.path].filter((part) => part !== "").join(".");
    throw invalid(at === "" ? "body" : at, phrase(fault));
  };
}

/** A value whose `type` says which of the readers is for it. */
export function readTagged<Value>(readers: Readers<Value>, json: unknown, path: string): Value {
  const { type } = readObject(json, path);
  if (typeof type !== "string") throw invalid(`${path}.type`, "Field required");
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) return read(json, `${path}.${type}`);
  const tags = Object.keys(readers).map((tag) => `'${tag}'`);
  const message = `Input tag '${type}' found using 'type' does not match any of the expected tags`;
  throw invalid(path, `${message}: ${tags.join(", ")}`);
}

export function readList<Value>(read: Reader<Value>, json: unknown, path: string): Value[] {
  if (!Array.isArray(json)) throw invalid(path, "Input should be a valid list");
  return json.map((item: unknown, at) => read(item, `${path}.${at}`));
}

export function readObject(json: unknown, path: string): JsonObject {
  if (!isObject(json)) throw invalid(path, "Input should be a valid dictionary");
  return json;
}

function phrase({ message }: SchemaFault): string {
  if (message === "is required") return "Field required";
  if (message === "is not known") return "Extra inputs are not permitted";
  return message
    .replace(/^must match pattern "?(.*?)"?$/, "String should match pattern '$1'")
    .replace(/^must /, "Input should ");
}
