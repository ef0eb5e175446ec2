// Seals in `encrypted_content`, the one slot that clients return untouched: proofs of other
// dialects, and the summary of a conversation that was condensed here. A proof of another dialect
// has no id of its own, so the seal's place for one says what the proof belongs to.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Proof } from "../exchange.ts";
import { isSealed, openProof, sealProof } from "../kit/proof.ts";

interface Carried {
  proof: Proof;
  isRedacted: boolean;
  /** The call that was signed, where it is known. */
  callId: string | null;
  /** The signed text stands before the item and not behind it. */
  isBehind: boolean;
}

const redactedMark = "redacted";
const behindMark = "behind";

export function sealReasoning(proof: Proof, isRedacted: boolean): string {
  return isRedacted && proof.id === undefined
    ? sealProof({ ...proof, id: redactedMark })
    : sealProof(proof);
}

export function sealCall(proof: Proof, callId: string): string {
  return sealProof({ ...proof, on: "call", id: callId });
}

export function sealText(proof: Proof, isBehind: boolean): string {
  const signed: Proof = { ...proof, on: "text" };
  return sealProof(isBehind ? { ...signed, id: behindMark } : signed);
}

export function openCarried(encrypted: string): Carried {
  const proof = openProof(encrypted, "responses");
  const plain = { proof, isRedacted: false, callId: null, isBehind: false };
  if (proof.dialect === "responses" || proof.id === undefined) return plain;
  const { id, ...own } = proof;
  return {
    proof: own,
    isRedacted: own.on === undefined && id === redactedMark,
    callId: own.on === "call" ? id : null,
    isBehind: own.on === "text" && id === behindMark,
  };
}

/** The text under which the gateway knows who made it. */
export function originOf(encrypted: string): string {
  return isSealed(encrypted) ? sealProof(openCarried(encrypted).proof) : encrypted;
}

const summaryPrefix = "sluice1:summary:";

export function sealSummary(summary: string): string {
  return summaryPrefix + summary;
}

/** The text that stands for a condensed conversation; null when it was not condensed here. */
export function openSummary(encrypted: unknown): string | null {
  if (typeof encrypted !== "string" || !encrypted.startsWith(summaryPrefix)) return null;
  const summary = encrypted.slice(summaryPrefix.length);
  return `This is a summary of the conversation up to here:\n\n${summary}`;
}

/** Ids of reasoning items that were written here, for the vendor would look for them. */
const ownReasoningId = /^rs_req_/;

/** Beginnings of the vendor's own ids of items, without which they would be refused. */
const idStarts: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
  ["message", "msg"],
]);

/** Ids of items are the vendor's own business: calls and results are paired by another. */
function withOwnId(item: JsonObject): JsonObject {
  const { type, id } = item;
  if (typeof id !== "string") return item;
  const start = idStarts.get(type);
  if (start === undefined || id.startsWith(start)) return item;
  const { id: _foreign, ...rest } = item;
  return rest;
}

/**
 * An item of an input as an upstream of this dialect may get it: all but what it would refuse,
 * which are proofs, summaries and reasoning that were made here.
 */
export function forwardItem(sealedItem: Json): Json[] {
  if (!isObject(sealedItem)) return [sealedItem];
  const item = withOwnId(sealedItem);
  const { type, id, encrypted_content: encrypted } = item;
  if (typeof encrypted !== "string") {
    const isOurs = type === "reasoning" && typeof id === "string" && ownReasoningId.test(id);
    return isOurs ? [] : [item];
  }
  const summary = openSummary(encrypted);
  if (summary !== null) {
    return [{ type: "message", role: "user", content: [{ type: "input_text", text: summary }] }];
  }
  if (type !== "reasoning") return [item];
  if (isSealed(encrypted)) return [];
  // The vendor takes its reasoning back encrypted or in plain words, never both.
  const { content: _plain, ...kept } = item;
  return [kept];
}
