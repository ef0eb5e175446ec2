// Thought signatures: the vendor signs what a model said and wants the signature back on the same
// part. These are made of the part, and those of calls of its id as well: no two calls share one.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { seedOf } from "../writer/seed.ts";
import type { Part } from "./request/messages.ts";

/** For calls that another vendor's model made. */
const foreignMark = "skip_thought_signature_validator";
const secret = "google sandbox";

/** Models that sign, and that insist on the signatures of the turn they are in. */
export function isSigning(model: string): boolean {
  return /(?:^|\/)(?:gemini-3|chatC)/.test(model);
}

interface Call {
  name: string;
  args: JsonObject;
  id: string;
}

export function signCall({ name, args, id }: Call): string {
  return encode(`call:${id}:${marksOf(name, args).join(",")}`);
}

/** One for each argument: agents add to a call what its other parameters are by default. */
function marksOf(name: string, args: JsonObject): string[] {
  const given = Object.entries(args).map(
    ([one, value]) => `${name} ${one} ${canonical(value ?? null)}`,
  );
  return [name, ...given].map(digest);
}

/** Text comes in pieces that a client may join, so this one does not say of which text it is. */
export function signText(text: string): string {
  const salt = String(seedOf(text));
  return encode(`text:${salt}:${digest(salt)}`);
}

/** Whether the signature was made here, and for a part like this one. */
export function isGenuine(signature: string, { functionCall }: Part): boolean {
  if (signature === foreignMark) return true;
  const [kind, salt = "", mark = ""] = decode(signature).split(":");
  if (functionCall) {
    const { name = "", args = {} } = functionCall;
    const [ofName, ...others] = marksOf(name, args);
    const [first, ...given] = mark.split(",");
    return kind === "call" && first === ofName && given.every((one) => others.includes(one));
  }
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
