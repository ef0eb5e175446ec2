// Content that only its maker can read back: bound to the key that it was made for, as the vendor
// binds it to the organization. It hides nothing; it only cannot be made up.
import { isObject } from "../../../src/core/json.ts";
import { Refusal } from "../errors.ts";

interface Sealed {
  /** The item that it belongs to. */
  id: string;
  text: string;
}

const prefix = "gAAAAA";
const hashCharacters = 43;

export function seal(sealed: Sealed, bearer: string): string {
  const content = Buffer.from(JSON.stringify(sealed)).toString("base64url");
  return prefix + hashOf(content, bearer) + content;
}

/** `id` is what the item calls itself; null when it does not say. */
export function unseal(text: string, bearer: string, id: string | null): Sealed {
  const hash = text.slice(prefix.length, prefix.length + hashCharacters);
  const content = text.slice(prefix.length + hashCharacters);
  if (!text.startsWith(prefix) || hash !== hashOf(content, bearer)) {
    throw unverified(id, "Encrypted content could not be decrypted or parsed.");
  }
  const sealed: unknown = JSON.parse(Buffer.from(content, "base64url").toString());
  if (!isObject(sealed) || (id !== null && sealed["id"] !== id)) {
    throw unverified(id, "Encrypted content item_id did not match the target item id.");
  }
  return { id: String(sealed["id"]), text: String(sealed["text"]) };
}

function hashOf(content: string, bearer: string): string {
  return new Bun.CryptoHasher("sha256").update(`${bearer} ${content}`).digest("base64url");
}

function unverified(id: string | null, reason: string): Refusal {
  const subject = id === null ? "The encrypted content" : `The encrypted content for item ${id}`;
  const message = `${subject} could not be verified. Reason: ${reason}`;
  return new Refusal(400, { message, code: "invalid_encrypted_content" });
}
