// Reads a form as the JSON that it stands for: text fields as text, files as objects with their
// bytes in base64, a name that comes twice or ends in `[]` as a list, `a[b]` as an object.
import { GatewayError } from "../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { readBytes } from "./body.ts";
import type { JsonBody } from "./route.ts";

export function isForm(headers: Headers): boolean {
  return /^multipart\/form-data\s*;/i.test(headers.get("content-type") ?? "");
}

export async function readFormBody(request: Request, bytesMax: number): Promise<JsonBody> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, bytesMax);
  const value: JsonObject = {};
  for (const [name, entry] of await parseForm(bytes, type)) put(value, name, await toJson(entry));
  return { value, bytes: bytes.length };
}

async function parseForm(bytes: Uint8Array, type: string): Promise<[string, string | File][]> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
    return [...form.entries()];
  } catch {
    throw new GatewayError("invalid_request", { message: "The form cannot be read." });
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
  const holder = isObject(value[outer]) ? value[outer] : {};
  append(holder, inner, entry, false);
  value[outer] = holder;
}

function append(holder: JsonObject, name: string, entry: Json, isList: boolean): void {
  // A name such as __proto__ is a field like any other.
  const before = Object.hasOwn(holder, name) ? holder[name] : undefined;
  let next: Json = isList ? [entry] : entry;
  if (Array.isArray(before)) next = [...before, entry];
  else if (before !== undefined) next = [before, entry];
  Object.defineProperty(holder, name, {
    value: next,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
