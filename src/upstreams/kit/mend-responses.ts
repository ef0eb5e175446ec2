// OpenAI encrypts its reasoning and refuses what another vendor, or another account of its own, has
// encrypted. Such a conversation is tried once more without the reasoning of earlier turns.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const refused = /encrypted[_ ]content.*(?:verified|decrypted|parsed|invalid)|invalid.*encrypted/is;

const refusedInclude =
  /(?:encrypted[_ ]content|\binclude\b).*(?:not supported|unsupported|unknown)/is;
const encryptedContent = "reasoning.encrypted_content";

/** Null when the refusal is about something else, or there is no such reasoning. */
export function mendResponses(body: JsonObject, fault: RequestFault): JsonObject | null {
  const { status, code, param, message } = fault;
  const { input, include } = body;
  const isOfInclude = refusedInclude.test(`${param ?? ""} ${message}`);
  if (status === 400 && isOfInclude && Array.isArray(include)) {
    const rest = include.filter((name) => name !== encryptedContent);
    if (rest.length < include.length) return { ...body, include: rest };
  }
  if (status !== 400 || !Array.isArray(input) || !input.some(isReasoning)) return null;
  if (code !== "invalid_encrypted_content" && !refused.test(message)) return null;
  return { ...body, input: input.filter((item) => !isReasoning(item)).map(withoutId) };
}

function isReasoning(item: Json): boolean {
  return isObject(item) && item["type"] === "reasoning";
}

/**
 * Take the id out: by it the vendor would know what reasoning belongs to the item, and ask for
 * that.
 */
function withoutId(item: Json): Json {
  if (!isObject(item) || item["type"] === "item_reference") return item;
  const { id: _id, ...rest } = item;
  return rest;
}
