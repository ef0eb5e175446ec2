// Credentials with several parts are JSON objects in one text. They are pasted as they come from a
// cloud, with line breaks or as base64, and stored in one form, by which a key is known again.
import { isObject, type JsonObject } from "../json.ts";

/** Null where the text is no object, but a credential as it is sent. */
export function credentialParts(text: string): JsonObject | null {
  return parseObject(text) ?? parseObject(fromBase64(text));
}

/** Minified, whichever way it was pasted; what is no object stays as it is. */
export function plainCredential(text: string): string {
  const parts = credentialParts(text);
  return parts === null ? text : JSON.stringify(parts);
}

const secretName = /(?:^|_)(?:secret|private_key|password|token|access_key)$/;

/** The values that nobody may read, and each line of a key that has several. */
export function credentialSecrets(text: string): string[] {
  const parts = credentialParts(text);
  if (parts === null) return [];
  const values = Object.entries(parts)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value]) => (typeof value === "string" ? [value] : []));
  return values.flatMap((value) => [value, ...value.split(/\r?\n|\\n/)]);
}

const nameFields = ["access_key_id", "client_id", "private_key_id", "audience"] as const;

/** The part by which two of them are told apart, and which is no secret. */
export function credentialName(text: string): string {
  const parts = credentialParts(text);
  const name = parts && nameFields.map((field) => parts[field]).find(isText);
  return name ?? (parts ? "" : text);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Every object begins so, with and without a line break behind its brace. */
const objectInBase64 = /^(?:ey|ew)[\w+/=\s-]+$/;

function fromBase64(text: string): string {
  if (!objectInBase64.test(text)) return "";
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)));
  } catch {
    return "";
  }
}

function parseObject(text: string): JsonObject | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
