// Reads a form as the JSON that it stands for: text fields as text, files as objects with their
// bytes in base64, a name that comes twice or ends in `[]` as a list, `a[b]` as an object.
import { GatewayError } from "../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { readBodyBytes, type BodyWait, type JsonBody } from "./body.ts";

export function isForm(headers: Headers): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(headers.get("content-type") ?? "");
}

/** More is no form that anyone fills in. */
const fieldsMax = 1000;

export async function readFormBody(
  request: Request,
  bytesMax: number,
  wait: BodyWait | null = null,
): Promise<JsonBody> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBodyBytes(request, bytesMax, wait);
  const entries = await parseForm(bytes, type);
  if (entries.length > fieldsMax) throw refuse(`The form has more than ${fieldsMax} fields.`);
  const value: JsonObject = {};
  for (const [name, entry] of entries) put(value, name, await toJson(entry));
  return { value, bytes: bytes.length };
}

async function parseForm(bytes: Uint8Array, type: string): Promise<[string, string | File][]> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
    return [...form.entries()];
  } catch {
    throw refuse("The form cannot be read.");
  }
}

async function toJson(entry: string | File): Promise<Json> {
  if (typeof entry === "string") return entry;
  const bytes = Buffer.from(await entry.arrayBuffer());
  return { filename: entry.name, type: entry.type, base64: bytes.toString("base64") };
}

function put(value: JsonObject, name: string, entry: Json): void {
  const [, outer, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
  if (outer === undefined) return append(value, name, entry, false);
  if (inner === undefined || inner === "") return append(value, outer, entry, true);
  const before = own(value, outer);
  const holder = isObject(before) ? before : {};
  append(holder, inner, entry, false);
  set(value, outer, holder);
}

function append(holder: JsonObject, name: string, entry: Json, isList: boolean): void {
  const before = own(holder, name);
  if (Array.isArray(before)) before.push(entry);
  else if (before !== undefined) set(holder, name, [before, entry]);
  else set(holder, name, isList ? [entry] : entry);
}

/** A name such as __proto__ is a field like any other, to be read and to be written. */
function own(holder: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function set(holder: JsonObject, name: string, value: Json): void {
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function refuse(message: string): GatewayError {
  return new GatewayError("invalid_request", { message });
}
