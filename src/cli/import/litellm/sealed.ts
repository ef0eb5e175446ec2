// LiteLLM's encrypted values: every text, as a NaCl box or, where it says so, by AES-GCM. The key
// is a digest of its salt.
import { createDecipheriv, createHash } from "node:crypto";
import { isObject, type Json } from "../../../core/json.ts";
import { openSecretBox } from "./secretbox.ts";

const prefix = "v2:gcm:";
const nonceBytes = 12;
const tagBytes = 16;

/** Throws where something cannot be opened. */
export function openSealed(value: Json, salt: string): Json {
  if (Array.isArray(value)) return value.map((item) => openSealed(item, salt));
  if (isObject(value)) {
    const fields = Object.entries(value);
    return Object.fromEntries(
      fields.map(([name, field = null]) => [name, openSealed(field, salt)] as const),
    );
  }
  if (typeof value !== "string" || value === "") return value;
  const key = createHash("sha256").update(salt).digest();
  return value.startsWith(prefix) ? openGcm(value.slice(prefix.length), key) : openBox(value, key);
}

function openGcm(text: string, key: Uint8Array): string {
  const bytes = Buffer.from(text, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const sealed = bytes.subarray(nonceBytes, bytes.length - tagBytes);
  return decipher.update(sealed, undefined, "utf8") + decipher.final("utf8");
}

function openBox(text: string, key: Uint8Array): string {
  const opened = openSecretBox(Buffer.from(text, "base64url"), key);
  if (opened === null) throw new Error("it does not open with this salt");
  return new TextDecoder().decode(opened);
}
