// What LiteLLM keeps encrypted in its database, where it does so by AES-GCM. Its older way, a NaCl
// box, is known by what it lacks, and told.
import { createDecipheriv, createHash } from "node:crypto";
import { isObject, type Json } from "../../../core/json.ts";

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
  if (!value.startsWith(prefix)) throw new Error("it is encrypted in a way that is not known here");
  const bytes = Buffer.from(value.slice(prefix.length), "base64url");
  const key = createHash("sha256").update(salt).digest();
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const text = bytes.subarray(nonceBytes, bytes.length - tagBytes);
  return decipher.update(text, undefined, "utf8") + decipher.final("utf8");
}
