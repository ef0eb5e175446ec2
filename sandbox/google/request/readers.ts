// Reads JSON as Google does, who reads it into protocol buffers: every name must be known, in
// camel case or in snake case, null is the same as absent, and one value may stand for a list.
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { invalidField } from "../errors.ts";

/** `at` is where the value stands, in snake case. */
export type Reader<Value> = (value: Json, at: string) => Value;
export type Read<Kind> = Kind extends Reader<infer Value> ? Value : never;

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Message<Known extends Fields> = { [Name in keyof Known]?: Read<Known[Name]> };

export const text: Reader<string> = (value, at) => {
  if (typeof value !== "string") throw wrongKind(value, at, "TYPE_STRING");
  return value;
};

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw wrongKind(value, at, "TYPE_BOOL");
  return value;
};

/** A number may be written as a string. */
export const number: Reader<number> = (value, at) => {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof read !== "number" || Number.isNaN(read)) throw wrongKind(value, at, "TYPE_DOUBLE");
  return read;
};

export const integer: Reader<number> = (value, at) => {
  const read = number(value, at);
  if (!Number.isSafeInteger(read)) throw wrongKind(value, at, "TYPE_INT32");
  return read;
};

export const bytes: Reader<string> = (value, at) => {
  const read = text(value, at);
  if (!/^[\w+/-]*={0,2}$/.test(read)) {
    const description = `Invalid value at '${at}' (TYPE_BYTES), Base64 decoding failed`;
    throw invalidField(at, description);
  }
  return read;
};

export const anything: Reader<Json> = (value) => value;

export const struct: Reader<JsonObject> = (value, at) => {
  if (!isObject(value)) throw wrongKind(value, at, "type.googleapis.com/google.protobuf.Struct");
  return value;
};

/** One of the names, in whichever case. */
export function oneOf<Name extends string>(...names: readonly Name[]): Reader<Name> {
  return (value, at) => {
    const upper = typeof value === "string" ? value.toUpperCase() : null;
    const found = names.find((name) => name === upper);
    if (found === undefined) throw wrongKind(value, at, "TYPE_ENUM");
    return found;
  };
}

export function list<Item>(reader: Reader<Item>): Reader<Item[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((item, index) => reader(item, `${at}[${index}]`))
      : [reader(value, at)];
}

export function map<Value>(reader: Reader<Value>): Reader<Record<string, Value>> {
  return (value, at) => {
    const entries = Object.entries(struct(value, at)).map(([name, inner], index) => {
      return [name, reader(inner ?? null, `${at}[${index}].value`)] as const;
    });
    return Object.fromEntries(entries);
  };
}

export function message<Known extends Fields>(known: Known): Reader<Message<Known>> {
  return (value, at) => {
    if (!isObject(value)) {
      if (at === "") throw unknownName("", at, "Root element must be a message.");
      throw wrongKind(value, at, "TYPE_MESSAGE");
    }
    const read: Record<string, unknown> = {};
    for (const [written, inner] of Object.entries(value)) {
      const name = knownName(known, written);
      const reader = name === null ? undefined : known[name];
      if (name === null || !reader) throw unknownName(written, at, "Cannot find field.");
      if (inner === null || inner === undefined) continue;
      read[name] = reader(inner, at === "" ? snakeCase(name) : `${at}.${snakeCase(name)}`);
    }
    // Every field was read by the reader of its name.
    return read as Message<Known>;
  };
}

function knownName(known: Fields, written: string): string | null {
  if (Object.hasOwn(known, written)) return written;
  const camel = written.replace(/(?<=.)_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(known, camel) && snakeCase(camel) === written ? camel : null;
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function wrongKind(value: Json, at: string, kind: string): Error {
  if (Array.isArray(value)) {
    const [, parent = "", name = at] = /^(.*)\.([^.]+)$/.exec(at) ?? [];
    return unknownName(name, parent, "Proto field is not repeating, cannot start list.");
  }
  return invalidField(at, `Invalid value at '${at}' (${kind}), ${JSON.stringify(value)}`);
}

function unknownName(name: string, at: string, why: string): Error {
  const place = at === "" ? "" : ` at '${at}'`;
  const description = `Invalid JSON payload received. Unknown name "${name}"${place}: ${why}`;
  return invalidField(at, description);
}
