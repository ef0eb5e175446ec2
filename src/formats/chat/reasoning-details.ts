// Proofs of reasoning have no place in chat's own fields. They travel in `reasoning_details`, as
// resellers have it, sealed, and say which characters of `reasoning_content` they are of.
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { Proof, ReasoningPart } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";
import { isSealed, openProof, sealProof } from "../kit/proof.ts";
import { readSignature } from "./extensions.ts";

/** The place of the proven text in `reasoning_content`. */
interface Span {
  start: number;
  end: number;
}

export interface Proofs {
  reasoning: ReasoningPart[];
  /** The proof of the message's text. */
  text: Proof | null;
  /** The proof of a call that has no place of its own for it. */
  call: Proof | null;
}

/** Vendors have two names for it. */
export function readReasoning(message: JsonObject): string {
  return readText(message["reasoning_content"]) ?? readText(message["reasoning"]) ?? "";
}

/** Reasoning that a chat upstream wants back without any proof needs no detail. */
export function needsDetail(proof: Proof | null | undefined): proof is Proof {
  return proof ? proof.dialect !== "chat" || proof.data !== "" : false;
}

export function encodeDetail(proof: Proof, { start, end }: Span, isRedacted: boolean): JsonObject {
  return {
    type: "reasoning.encrypted",
    data: sealProof(proof),
    ...(end > start ? { start_index: start, end_index: end } : {}),
    ...(isRedacted ? { is_redacted: true } : {}),
  };
}

/** Some clients keep only the last piece of a stream's text, so its proof brings it along. */
export function withText(detail: JsonObject, text: string): JsonObject {
  return text === "" ? detail : { ...detail, text };
}

export function decodeDetails(reasoningText: string, details: Json | undefined): Proofs {
  const proofs: Proofs = { reasoning: [], text: null, call: null };
  let at = 0;
  for (const detail of Array.isArray(details) ? details : []) {
    if (!isObject(detail) || typeof detail["data"] !== "string") continue;
    const proof = openProof(detail["data"], "chat");
    if (proof.on) {
      proofs[proof.on] = proof;
      continue;
    }
    const start = readNumber(detail["start_index"]) ?? at;
    const end = readNumber(detail["end_index"]) ?? start;
    if (start > at) proofs.reasoning.push(unproven(reasoningText.slice(at, start)));
    // The proof is good without the text, where the client has lost some of it.
    const kept = end > reasoningText.length ? "" : reasoningText.slice(start, end);
    const text = readText(detail["text"]) ?? kept;
    const isRedacted = detail["is_redacted"] === true;
    proofs.reasoning.push({ kind: "reasoning", text, proof, isRedacted });
    at = Math.max(at, end);
  }
  const rest = reasoningText.slice(at);
  if (rest !== "") proofs.reasoning.push(unproven(rest));
  return proofs;
}

/** Reasoning that came without a proof can only be a chat upstream's. */
function unproven(text: string): ReasoningPart {
  return { kind: "reasoning", text, proof: { dialect: "chat", data: "" }, isRedacted: false };
}

/** A message without what another vendor thought: that, and its proofs, no upstream would take. */
export function withoutForeign(message: Json): Json {
  if (!isObject(message)) return message;
  const { reasoning_details: details, tool_calls: calls } = message;
  const isThought = Array.isArray(details) && details.some(isForeign);
  const kept = isThought ? withOwnThoughts(message, details) : message;
  if (!Array.isArray(calls) || !calls.some(isSignedElsewhere)) return kept;
  return { ...kept, tool_calls: calls.map(withoutSignature) };
}

function withOwnThoughts(message: JsonObject, details: readonly Json[]): JsonObject {
  const { reasoning_details, reasoning_content: _content, reasoning: _text, ...kept } = message;
  const { reasoning } = decodeDetails(readReasoning(message), reasoning_details);
  const own = reasoning.filter(({ proof }) => proof?.dialect === "chat");
  const text = own.map((part) => part.text).join("");
  const ownDetails = details.filter((detail) => !isForeign(detail));
  return {
    ...kept,
    ...(text === "" ? {} : { reasoning_content: text }),
    ...(ownDetails.length === 0 ? {} : { reasoning_details: ownDetails }),
  };
}

function isForeign(detail: Json): boolean {
  return isObject(detail) && isSealed(readText(detail["data"]) ?? "");
}

function isSignedElsewhere(call: Json): boolean {
  return isObject(call) && isSealed(readSignature(call) ?? "");
}

function withoutSignature(call: Json): Json {
  if (!isObject(call) || !isSignedElsewhere(call)) return call;
  const { extra_content: _signature, ...kept } = call;
  return kept;
}

/** Details whose text comes in pieces, and the field that it stands in. */
const textFields: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** The plain words of a detail. */
export function detailText(detail: JsonObject): string {
  const field = textFields.get(detail["type"]);
  return field === undefined ? "" : (readText(detail[field]) ?? "");
}

/** Adds a streamed piece: pieces of one detail share type and index, and their texts add up. */
export function addDetail(details: JsonObject[], piece: JsonObject): void {
  const field = textFields.get(piece["type"]);
  const last = details.at(-1);
  const isNext = last?.["type"] === piece["type"] && last?.["index"] === piece["index"];
  if (field === undefined || !last || !isNext) {
    details.push({ ...piece });
    return;
  }
  const text = `${readText(last[field]) ?? ""}${readText(piece[field]) ?? ""}`;
  details[details.length - 1] = { ...last, ...piece, [field]: text };
}

/** The upstream's own details as a proof; texts without anything to prove them are none. */
export function proofOf(details: readonly JsonObject[]): Proof {
  const isProven = details.some(({ data, signature }) => data ?? signature);
  return { dialect: "chat", data: isProven ? JSON.stringify(details) : "" };
}

/** The details that an upstream's proof was made of; it came through a client and may be broken. */
export function detailsOf({ data }: Proof): JsonObject[] {
  try {
    const details = parseJson(Buffer.from(data));
    return Array.isArray(details) ? details.filter(isObject) : [];
  } catch {
    return [];
  }
}
