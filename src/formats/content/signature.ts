// Thought signatures. Google's are base64; what another vendor signed stands in their place sealed,
// in base64 as well, because Google's own clients decode the field. A seal also carries what the
// vendor needs back and this format does not show: hidden reasoning, and that it is redacted.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Proof } from "../exchange.ts";
import { isSealed, openProof, sealProof } from "../kit/proof.ts";
import { needsSignatures } from "../../catalogue/rules/gemini.ts";
import { field, listField, textField } from "./schema.ts";

/** The word Google takes instead of a signature for calls that its model did not make. */
export const noSignature = "skip_thought_signature_validator";

const placeholders = new Set(
  [noSignature, "context_engineering_is_the_way_to_go"].flatMap((text) => [
    canonical(text),
    canonical(Buffer.from(text).toString("base64")),
  ]),
);

/** The beginning of every seal, in base64. */
const sealStart = "c2x1aWNlMT";

/** Facts that travel with a proof, in the slot of its id. */
interface Companion {
  id?: string;
  text?: string;
  isRedacted?: boolean;
}

interface OpenedSignature {
  proof: Proof;
  /** Reasoning that was hidden from the client; "" when none was. */
  text: string;
  isRedacted: boolean;
}

export function writeSignature(proof: Proof, companion: Companion = {}): string {
  if (proof.dialect === "content") return proof.data;
  const { text = "", isRedacted = false } = companion;
  if (text === "" && !isRedacted) return toBase64(sealProof(proof));
  const id = JSON.stringify({ id: proof.id, text, isRedacted });
  return toBase64(sealProof({ ...proof, id }));
}

export function openSignature(signature: string): OpenedSignature {
  const proof = openProof(unwrap(signature), "content");
  const companion = readCompanion(proof.id);
  if (!companion) return { proof, text: "", isRedacted: false };
  const { id: _packed, ...bare } = proof;
  const { id, text = "", isRedacted = false } = companion;
  return { proof: id === undefined ? bare : { ...bare, id }, text, isRedacted };
}

/** Whether another vendor made it. */
export function isForeign(signature: string): boolean {
  return isSealed(unwrap(signature));
}

/** Clients decode and encode the field in their own way; this form is the same for all of them. */
export function canonical(signature: string): string {
  return signature.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
}

/** The newest signature of a request, which is better sent back to who made it. */
export function lastOrigin(contents: readonly JsonObject[]): string | null {
  for (const content of contents.toReversed()) {
    for (const part of listField(content, "parts").toReversed()) {
      const signature = textField(part, "thoughtSignature");
      const origin = signature ? originOf(signature) : null;
      if (origin !== null) return origin;
    }
  }
  return null;
}

/** The name under which it is remembered who made it; null for what says nothing of that. */
function originOf(signature: string): string | null {
  if (isForeign(signature)) {
    const { proof } = openSignature(signature);
    return proof.data === "" ? null : sealProof(proof);
  }
  const origin = canonical(signature);
  return placeholders.has(origin) ? null : origin;
}

/**
 * A body for an upstream of this format: without the model, which the address names, without what
 * another vendor thought and signed, and with each signature once.
 */
export function forwardContent(body: JsonObject, model: string): JsonObject {
  const { model: _model, ...forwarded } = body;
  const contents = listField(body, "contents");
  const isSigned = contents.some((content) =>
    listField(content, "parts").some((part) => field(part, "thoughtSignature") !== undefined),
  );
  if (!isSigned) return forwarded;
  const seen = new Set<string>();
  let isForeignTurn = false;
  forwarded["contents"] = contents.flatMap((content) => {
    const parts = listField(content, "parts");
    // The thinker of a turn made its calls as well, signed or not.
    const isModel = content["role"] === "model";
    isForeignTurn = isModel && (isForeignTurn || parts.some(isSignedElsewhere));
    const kept = parts.flatMap((part) => withOwnSignature(part, seen));
    if (parts.length > 0 && kept.length === 0) return [];
    const isUnchecked = isForeignTurn && needsSignatures(model);
    return [{ ...content, parts: isUnchecked ? withoutCheck(kept) : kept }];
  });
  return forwarded;
}

function isSignedElsewhere(part: JsonObject): boolean {
  return isForeign(textField(part, "thoughtSignature") ?? "");
}

/** The first call of a turn is the one that Google looks for a signature on. */
function withoutCheck(parts: readonly JsonObject[]): JsonObject[] {
  const first = parts.findIndex((part) => field(part, "functionCall") !== undefined);
  return parts.map((part, at) =>
    at === first && textField(part, "thoughtSignature") === null
      ? { ...part, thoughtSignature: noSignature }
      : part,
  );
}

/** No part for another vendor's thoughts, nor for what was there for its signature alone. */
function withOwnSignature(part: JsonObject, seen: Set<string>): JsonObject[] {
  const signature = textField(part, "thoughtSignature");
  if (signature === null) return [part];
  const { thoughtSignature: _camel, thought_signature: _snake, ...bare } = part;
  if (isForeign(signature)) return bare["thought"] === true || isEmpty(bare) ? [] : [bare];
  const origin = canonical(signature);
  if (placeholders.has(origin)) return [part];
  if (seen.has(origin)) return isEmpty(bare) ? [] : [bare];
  seen.add(origin);
  return [part];
}

/** A part that was there for its signature alone. */
function isEmpty(part: JsonObject): boolean {
  return Object.entries(part).every(
    ([name, value]) => name === "thought" || (name === "text" && value === ""),
  );
}

/** The seal's own text, or the signature as it is. */
function unwrap(signature: string): string {
  if (!signature.startsWith(sealStart)) return signature;
  const text = Buffer.from(signature, "base64").toString();
  return isSealed(text) ? text : signature;
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function readCompanion(id: string | undefined): Companion | null {
  if (!id?.startsWith("{")) return null;
  let value: unknown;
  try {
    value = JSON.parse(id);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const companion: Companion = { isRedacted: value["isRedacted"] === true };
  if (typeof value["id"] === "string") companion.id = value["id"];
  if (typeof value["text"] === "string") companion.text = value["text"];
  return companion;
}
