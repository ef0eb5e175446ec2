// The place of proofs on this wire: in a thinking block's signature or in redacted data. A proof of
// a call or of a text has a thinking block of its own, without thoughts, beside what it belongs to.
import type { JsonObject } from "../../../core/json.ts";
import type { Proof } from "../../exchange.ts";
import { openProof, sealProof } from "../../kit/proof.ts";
import { readText } from "../../kit/fields.ts";

/** Says that a proof came too late to stand before what it belongs to. */
const behind = "behind";

/** A proof as a client of this format keeps it; the format's own need no seal. */
export function toSignature(proof: Proof): string {
  return proof.dialect === "messages" ? proof.data : sealProof(proof);
}

/**
 * The signature of thoughts. Those that nobody signed have a seal too: it tells them from the
 * vendor's own, which would refuse them.
 */
export function signThoughts(proof: Proof | null): string {
  return (proof && toSignature(proof)) || sealProof({ dialect: "messages", data: "" });
}

/** Whether a signature proves anything, and so leads back to somebody. */
export function isProof(signature: string): boolean {
  return openProof(signature, "messages").data !== "";
}

export function toCarrier(proof: Proof, isBehind: boolean): JsonObject {
  const signature = toSignature(isBehind ? { ...proof, id: behind } : proof);
  return { type: "thinking", thinking: "", signature };
}

/** A signature as it was remembered when it was made, wherever it stood then. */
export function toOrigin(signature: string): string {
  const { id, ...proof } = openProof(signature, "messages");
  return id === behind ? sealProof(proof) : signature;
}

export interface CarriedProof {
  proof: Proof;
  isBehind: boolean;
}

/** Null for blocks that are what they seem. */
export function readCarrier(block: JsonObject): CarriedProof | null {
  const signature = block["type"] === "thinking" ? readText(block["signature"]) : null;
  if (signature === null) return null;
  const { id, ...proof } = openProof(signature, "messages");
  return proof.on === undefined ? null : { proof, isBehind: id === behind };
}
