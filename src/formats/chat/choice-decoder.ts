// One choice of an upstream's answer, piece by piece, as the blocks it is made of. Texts follow one
// another, so a text of another kind ends the one before; calls are open side by side.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { MediaPart, Proof } from "../exchange.ts";
import { decodeOpenaiStop } from "../kit/finish-reasons.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { decodeCitation } from "./citations.ts";
import { readInput } from "./decode-messages.ts";
import { readSignature } from "./extensions.ts";
import { addDetail, detailText, proofOf, readReasoning } from "./reasoning-details.ts";
import { shownPictures, readSaid, type Said } from "./said-parts.ts";

interface OpenText {
  kind: "text" | "reasoning" | "refusal";
  block: number;
  /** Start of it in the choice's content. */
  start: number;
  details: JsonObject[];
}

interface OpenCall {
  index: number | null;
  id: string | null;
  name: string;
  /** Null until its name is known. */
  block: number | null;
  /** Input that came before the name. */
  pending: string;
  /** Null until it is told; then it stays. */
  isCustom: boolean | null;
  isProven: boolean;
}

/** State that the choices of one answer share. */
export interface ReplyState {
  id: string | null;
  blocks: number;
  calls: number;
  /** The model tells a piece of its thoughts again and again. */
  repeatsThoughts: boolean;
}

/** Shorter pieces may well follow one another, as line breaks do. */
const repeatedLengthMin = 4;

export class ChoiceDecoder {
  readonly #choice: number;
  readonly #reply: ReplyState;
  #text: OpenText | null = null;
  #contentLength = 0;
  #calls: OpenCall[] = [];
  #hasCalls = false;
  /** Its reasoning is told under a name of its own, so that of its details says it once more. */
  #isNamed = false;
  #lastReasoning = "";
  isOver = false;

  constructor(choice: number, reply: ReplyState) {
    this.#choice = choice;
    this.#reply = reply;
  }

  read(delta: JsonObject, parts: StreamPart[]): void {
    const reasoning = this.#newReasoning(readReasoning(delta));
    this.#isNamed ||= reasoning !== "";
    if (reasoning !== "") this.#say("reasoning", reasoning, parts);
    this.#readDetails(delta["reasoning_details"], parts);
    this.#readContent(delta["content"], parts);
    for (const image of shownPictures(delta["images"])) this.#show(image, parts);
    this.#readAnnotations(delta["annotations"], parts);
    const refusal = readText(delta["refusal"]);
    if (refusal) this.#say("refusal", refusal, parts);
    const calls = delta["tool_calls"];
    if (Array.isArray(calls)) {
      for (const call of calls) if (isObject(call)) this.#readCall(call, parts);
    }
    if (isObject(delta["function_call"])) {
      this.#readCall({ index: 0, function: delta["function_call"] }, parts);
    }
  }

  /** Empty where it is only the piece before, once more. */
  #newReasoning(text: string): string {
    if (text === "" || !this.#reply.repeatsThoughts) return text;
    const isRepeated = text === this.#lastReasoning && text.length >= repeatedLengthMin;
    this.#lastReasoning = text;
    return isRepeated ? "" : text;
  }

  end(finishReason: Json | undefined, parts: StreamPart[]): void {
    this.#endText(parts);
    for (const { block } of this.#calls) {
      if (block !== null) parts.push({ kind: "block-end", block });
    }
    const stop = decodeOpenaiStop(finishReason, this.#hasCalls);
    parts.push({ kind: "choice-end", choice: this.#choice, stop, stopSequence: null });
    this.isOver = true;
  }

  #readContent(content: Json | undefined, parts: StreamPart[]): void {
    if (typeof content === "string") return this.#readSaid({ kind: "text", text: content }, parts);
    for (const saidPart of readSaid(content)) this.#readSaid(saidPart, parts);
  }

  #readSaid(saidPart: Said, parts: StreamPart[]): void {
    if (saidPart.kind === "media") return this.#show(saidPart, parts);
    if (saidPart.text === "") return;
    this.#say(saidPart.kind, saidPart.text, parts);
    if (saidPart.kind === "text") this.#contentLength += saidPart.text.length;
  }

  #show(part: MediaPart, parts: StreamPart[]): void {
    this.#endText(parts);
    const block = this.#start({ kind: "media", part }, parts);
    parts.push({ kind: "block-end", block });
  }

  #say(kind: OpenText["kind"], text: string, parts: StreamPart[]): void {
    const { block } = this.#open(kind, parts);
    parts.push({ kind: "block-delta", block, text });
  }

  #open(kind: OpenText["kind"], parts: StreamPart[]): OpenText {
    if (this.#text?.kind === kind) return this.#text;
    this.#endText(parts);
    const content = kind === "reasoning" ? { kind, isRedacted: false } : { kind };
    const block = this.#start(content, parts);
    this.#text = { kind, block, start: this.#contentLength, details: [] };
    return this.#text;
  }

  #start(content: BlockContent, parts: StreamPart[]): number {
    const block = this.#reply.blocks++;
    parts.push({ kind: "block-start", block, choice: this.#choice, content });
    return block;
  }

  #endText(parts: StreamPart[]): void {
    if (!this.#text) return;
    const { kind, block, details } = this.#text;
    if (kind === "reasoning") parts.push({ kind: "block-proof", block, proof: proofOf(details) });
    parts.push({ kind: "block-end", block });
    this.#text = null;
  }

  #readDetails(details: Json | undefined, parts: StreamPart[]): void {
    if (!Array.isArray(details)) return;
    for (const detail of details) {
      if (!isObject(detail)) continue;
      addDetail(this.#open("reasoning", parts).details, detail);
      const text = this.#isNamed ? "" : detailText(detail);
      if (text !== "") this.#say("reasoning", text, parts);
    }
  }

  #readAnnotations(annotations: Json | undefined, parts: StreamPart[]): void {
    if (!Array.isArray(annotations)) return;
    for (const annotation of annotations) {
      const { block, start } = this.#open("text", parts);
      const citation = decodeCitation(annotation, start);
      if (citation) parts.push({ kind: "block-citation", block, citation });
    }
  }

  #readCall(piece: JsonObject, parts: StreamPart[]): void {
    const customTool = toldCustom(piece);
    const name = readText(fieldsOf(piece, customTool === true)["name"]) ?? "";
    const call = this.#callOf(piece, name);
    const isCustom = (call.isCustom ??= customTool) ?? false;
    const fields = fieldsOf(piece, isCustom);
    const input = isCustom ? (readText(fields["input"]) ?? "") : readInput(fields["arguments"]);
    call.pending += input;
    if (call.block === null && name === "") return;
    call.block ??= this.#startCall(call, { name, isCustom }, parts);
    const { block, pending: text } = call;
    if (text !== "") parts.push({ kind: "block-delta", block, text });
    call.pending = "";
    this.#prove(call, piece, parts);
  }

  #startCall(
    call: OpenCall,
    { name, isCustom }: { name: string; isCustom: boolean },
    parts: StreamPart[],
  ): number {
    this.#endText(parts);
    this.#hasCalls = true;
    call.name = name;
    const number = this.#reply.calls++;
    const id = call.id ?? `call_${this.#reply.id ?? "reply"}_${number}`;
    return this.#start({ kind: "call", id, name, isCustom }, parts);
  }

  #prove(call: OpenCall, piece: JsonObject, parts: StreamPart[]): void {
    const data = readSignature(piece);
    if (data === null || call.block === null || call.isProven) return;
    call.isProven = true;
    const proof: Proof = { dialect: "chat", data, on: "call" };
    parts.push({ kind: "block-proof", block: call.block, proof });
  }

  #callOf(piece: JsonObject, name: string): OpenCall {
    const index = readNumber(piece["index"]);
    const id = readText(piece["id"]) || null;
    const known = this.#find(index, id, name);
    if (known) {
      known.id ??= id;
      return known;
    }
    const call: OpenCall = {
      index,
      id,
      name: "",
      block: null,
      pending: "",
      isCustom: null,
      isProven: false,
    };
    this.#calls.push(call);
    return call;
  }

  /** The call that a piece goes on with: by id, else by index, else the latest. */
  #find(index: number | null, id: string | null, name: string): OpenCall | undefined {
    const same = id === null ? undefined : this.#calls.find((call) => call.id === id);
    if (same) return same;
    const known =
      index === null ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (!known || name === "") return known;
    // Some vendors number all calls alike or not at all: another id or name is then another call.
    const isOther = id === null ? index === null && name !== known.name : known.id !== null;
    return isOther && known.name !== "" ? undefined : known;
  }
}

/** Its type says what a call is, whatever else stands beside it; null where nothing tells. */
export function toldCustom({ type, custom, function: called }: JsonObject): boolean | null {
  if (type === "custom" || type === "function") return type === "custom";
  if (isObject(called)) return false;
  return isObject(custom) ? true : null;
}

function fieldsOf(call: JsonObject, isCustom: boolean): JsonObject {
  const fields = call[isCustom ? "custom" : "function"];
  return isObject(fields) ? fields : {};
}
