// Google signs what its newer models think and call, and refuses a history in which a call has no
// signature, or one that it did not make itself, as when the model of another vendor or project had
// the conversation before. It is tried once more with the word that Google takes in the place of a
// signature. Ids of calls, where a model knows none, are left out.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const placeholder = "skip_thought_signature_validator";
const missingSignature = /missing a\W+thought[ _]?signature/i;
const signature = /thought[ _]?signature/i;
const refused = /not valid|corrupted|invalid|base64/i;
/** Vertex knew no ids of calls for long, and some of its models still do not. */
const unknownId = /unknown name\W+id\W+at\b.{0,100}\bfunction_?(?:call|response)/is;

/** Nothing but the words of the refusal tells it from others of its status. */
export function mendContent(
  body: JsonObject,
  { status, message }: RequestFault,
): JsonObject | null {
  const { contents } = body;
  if (status !== 400 || !Array.isArray(contents)) return null;
  if (unknownId.test(message)) return withoutCallIds(body, contents);
  if (missingSignature.test(message)) return signed(body, contents);
  if (!signature.test(message) || !refused.test(message)) return null;
  const bare = contents.flatMap(withoutSignatures);
  if (contents.some((content) => partsOf(content).some(isSignedByModel))) {
    return signed(body, bare) ?? { ...body, contents: bare };
  }
  // The word itself is not known to every model.
  return contents.some((content) => partsOf(content).some(isSigned))
    ? { ...body, contents: bare }
    : null;
}

const callFields = ["functionCall", "function_call", "functionResponse", "function_response"];

/** Calls and their results are matched by name and order then. Null when none has an id. */
function withoutCallIds(body: JsonObject, contents: readonly Json[]): JsonObject | null {
  let isMended = false;
  const bare = contents.map((content) => {
    if (!isObject(content) || !Array.isArray(content["parts"])) return content;
    const parts = content["parts"].map((part) => {
      const field = isObject(part) ? callFields.find((name) => isObject(part[name])) : undefined;
      const call = field !== undefined && isObject(part) ? part[field] : null;
      if (field === undefined || !isObject(part) || !isObject(call)) return part;
      if (call["id"] === undefined) return part;
      isMended = true;
      const { id: _id, ...rest } = call;
      return { ...part, [field]: rest };
    });
    return { ...content, parts };
  });
  return isMended ? { ...body, contents: bare } : null;
}

/** Null when every call that must be signed is. */
function signed(body: JsonObject, contents: readonly Json[]): JsonObject | null {
  let isMended = false;
  let isAfterCall = false;
  const mended = contents.map((content) => {
    if (!isObject(content) || content["role"] !== "model") {
      isAfterCall = false;
      return content;
    }
    const parts = partsOf(content);
    const at = parts.findIndex(isCall);
    // Only the first of calls that were made together is signed.
    if (at === -1 || isAfterCall) return content;
    isAfterCall = true;
    const call = parts[at];
    if (!isObject(call) || isSigned(call)) return content;
    isMended = true;
    return { ...content, parts: parts.with(at, { ...call, thoughtSignature: placeholder }) };
  });
  return isMended ? { ...body, contents: mended } : null;
}

/** Thoughts are nothing without their signature, and so is a turn of nothing else. */
function withoutSignatures(content: Json): Json[] {
  const parts = partsOf(content);
  if (!isObject(content) || !parts.some(isSigned)) return [content];
  const bare = parts.flatMap((part) => {
    if (!isObject(part) || !isSigned(part)) return [part];
    const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
    const isEmpty = rest["thought"] === true || rest["text"] === "";
    return isEmpty || Object.keys(rest).length === 0 ? [] : [rest];
  });
  return bare.length === 0 ? [] : [{ ...content, parts: bare }];
}

function partsOf(content: Json): Json[] {
  const parts = isObject(content) ? content["parts"] : null;
  return Array.isArray(parts) ? parts : [];
}

function isCall(part: Json): boolean {
  return isObject(part) && ("functionCall" in part || "function_call" in part);
}

function isSigned(part: Json): boolean {
  return signatureOf(part) !== "";
}

function isSignedByModel(part: Json): boolean {
  return isSigned(part) && signatureOf(part) !== placeholder;
}

function signatureOf(part: Json): string {
  if (!isObject(part)) return "";
  const thoughtProof = part["thoughtSignature"] ?? part["thought_signature"];
  return typeof thoughtProof === "string" ? thoughtProof : "";
}
