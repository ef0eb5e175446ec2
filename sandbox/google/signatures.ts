// Thought signatures: the vendor signs what a model said and wants the signature back on the same
// part. These are made of nothing but the part, so that the same answer has the same signature.
import { isObject, type Json } from "../../src/core/json.ts";
import { seedOf } from "../writer/seed.ts";
import type { Part } from "./request/messages.ts";

/** For calls that another vendor's model made. */
const foreignMark = "skip_thought_signature_validator";
const secret = "google sandbox";

/** Models that sign, and that insist on the signatures of the turn they are in. */
export function isSigning(model: string): boolean {
  return /(?:^|\/)(?:gemini-3|chatC)/.test(model);
}

export function signCall(name: string, args: Json): string {
  return encode(`call:${digest(`${name} ${canonical(args)}`)}`);
}

/** Text comes in pieces that a client may join, so this one does not say of which text it is. */
export function signText(text: string): string {
  const salt = String(seedOf(text));
  return encode(`text:${salt}:${digest(salt)}`);
}

/** Whether the signature was made here, and for a part like this one. */
export function isGenuine(signature: string, { functionCall }: Part): boolean {
  if (signature === foreignMark) return true;
  if (functionCall) {
    const { name = "", args = {} } = functionCall;
    return decode(signature) === decode(signCall(name, args));
  }
  const [kind, salt = "", mark] = decode(signature).split(":");
  return kind === "text" && mark === digest(salt);
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}

function digest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(secret + text).digest("hex");
}

/** The order of names is not kept by everyone on the way. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
