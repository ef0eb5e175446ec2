// Google signs the calls of its newer models and refuses a history in which a call has no
// signature, such as one that another vendor's model made. Such a conversation is tried once more
// with the word that Google takes in the place of a signature.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const placeholder = "skip_thought_signature_validator";
const missingSignature = /missing a\W+thought[ _]?signature/i;

/** Nothing but the words of the refusal tells it from others of its status. */
export function mend(body: JsonObject, { status, message }: RequestFault): JsonObject | null {
  if (status !== 400 || !missingSignature.test(message)) return null;
  const { contents } = body;
  if (!Array.isArray(contents)) return null;
  let isMended = false;
  let isAfterCall = false;
  const mended = contents.map((content) => {
    if (!isObject(content) || content["role"] !== "model") {
      isAfterCall = false;
      return content;
    }
    const parts = Array.isArray(content["parts"]) ? content["parts"] : [];
    const at = parts.findIndex(isCall);
    // Of calls that were made together only the first is signed.
    if (at === -1 || isAfterCall) return content;
    isAfterCall = true;
    const call = parts[at];
    if (!isObject(call) || isSigned(call)) return content;
    isMended = true;
    return { ...content, parts: parts.with(at, { ...call, thoughtSignature: placeholder }) };
  });
  return isMended ? { ...body, contents: mended } : null;
}

function isCall(part: Json): boolean {
  return isObject(part) && ("functionCall" in part || "function_call" in part);
}

function isSigned(part: JsonObject): boolean {
  const signature = part["thoughtSignature"] ?? part["thought_signature"];
  return typeof signature === "string" && signature !== "";
}
