// The items of an input as turns of a conversation.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { CallPart, Part, Proof, ReasoningPart, TextPart, Turn } from "../exchange.ts";
import type { Earlier } from "../recollection.ts";
import { readText } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { decodeGenerated, decodeParts, decodeResult } from "./decode-parts.ts";
import { flatName, type Offer, readOffers } from "./offers/offer.ts";
import { toFunctionItem } from "./offers/search.ts";
import { isMessage, notKept } from "./read.ts";
import { searchText } from "../kit/web-search.ts";
import { openCarried, openSummary } from "./sealed.ts";
import { readSearchItem } from "./web-search.ts";

interface Conversation {
  system: TextPart[];
  turns: Turn[];
  /** Tools that came up on the way. */
  offers: Offer[];
}

/** Traces of what a vendor's own tools did: a model of another vendor goes on without them. */
const traceTypes = new Set([
  "file_search_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_call",
  "program",
  "program_output",
]);

export class ItemDecoder {
  readonly #conversation: Conversation = { system: [], turns: [], offers: [] };
  readonly #ignored: string[];
  /** The count of items before the client's own. */
  readonly #earlierCount: number;
  readonly #calls = new Map<string, CallPart>();
  /** Signatures of what comes next. */
  readonly #callProofs = new Map<string, Proof>();
  #nextProof: Proof | null = null;
  /** The last words of the model. */
  #lastText: TextPart | null = null;

  constructor(ignored: string[], earlier?: Earlier) {
    this.#ignored = ignored;
    this.#earlierCount = earlier?.itemCount ?? 0;
  }

  decode(input: Json | undefined): Conversation {
    if (typeof input === "string") this.#add("user", [{ kind: "text", text: input }]);
    if (!Array.isArray(input)) return this.#conversation;
    for (const [at, item] of input.entries()) {
      const path = this.#pathOf(at);
      if (!isObject(item)) throw invalid(path, "must be an object");
      this.#decodeItem(item, path);
    }
    return this.#conversation;
  }

  /** The client knows its own input, and of what stands before it only the name. */
  #pathOf(at: number): string {
    const own = at - this.#earlierCount;
    return own < 0 ? "previous_response_id" : `input.${own}`;
  }

  #decodeItem(item: JsonObject, path: string): void {
    if (isMessage(item)) return this.#decodeMessage(item, path);
    const { type } = item;
    switch (type) {
      case "function_call":
      case "custom_tool_call":
        return this.#decodeCall(item, path);
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#add("user", [decodeResult(item, path)]);
      case "reasoning":
        return this.#decodeReasoning(item);
      case "compaction":
        return this.#decodeCompaction(item, path);
      case "image_generation_call":
        return this.#add("assistant", decodeGenerated(item, path));
      case "additional_tools":
        return this.#offer(item, path);
      case "tool_search_call":
      case "tool_search_output":
        return this.#decodeSearch(item, path);
      case "web_search_call":
        return this.#decodeWebSearch(item, path);
      case "item_reference":
        throw invalid(path, notKept);
    }
    if (typeof type !== "string" || !traceTypes.has(type)) throw unsupported(path);
    this.#ignored.push(path);
  }

  #offer({ tools }: JsonObject, path: string): void {
    this.#conversation.offers.push(...readOffers(tools, `${path}.tools`, this.#ignored));
  }

  #decodeSearch(item: JsonObject, path: string): void {
    const plain = toFunctionItem(item);
    if (!plain) {
      this.#ignored.push(path);
      return;
    }
    this.#offer(item, path);
    this.#decodeItem(plain, path);
  }

  #decodeWebSearch(item: JsonObject, path: string): void {
    const search = readSearchItem(item);
    const text = search && searchText(search);
    if (text === null) this.#ignored.push(path);
    else this.#add("assistant", [{ kind: "text", text }]);
  }

  #decodeMessage({ role, content }: JsonObject, path: string): void {
    const parts = decodeParts(content, `${path}.content`);
    if (role === "system" || role === "developer") {
      const texts = parts.filter((part) => part.kind === "text");
      if (this.#conversation.turns.length > 0 || texts.length < parts.length) {
        this.#add("system", parts);
      } else {
        for (const text of texts) this.#conversation.system.push(text);
      }
      return;
    }
    if (role !== "user" && role !== "assistant") throw invalid(`${path}.role`, "is not known");
    if (role === "assistant") this.#sign(parts);
    this.#add(role, parts);
  }

  #decodeCall(item: JsonObject, path: string): void {
    const id = readText(item["call_id"]) ?? readText(item["id"]);
    const name = readText(item["name"]);
    if (id === null) throw invalid(`${path}.call_id`, "is required");
    if (name === null) throw invalid(`${path}.name`, "is required");
    const isCustom = item["type"] === "custom_tool_call";
    const input = readText(isCustom ? item["input"] : item["arguments"]) ?? "";
    const flat = flatName(readText(item["namespace"]), name);
    const part: CallPart = { kind: "call", id, name: flat, input, isCustom };
    const proof = this.#callProofs.get(id) ?? this.#takeProof("call");
    if (proof) part.proof = proof;
    this.#calls.set(id, part);
    this.#add("assistant", [part]);
  }

  #decodeReasoning(item: JsonObject): void {
    const text = reasoningText(item);
    const encrypted = readText(item["encrypted_content"]);
    if (encrypted === null) return this.#addReasoning(text, null, false);
    const { proof, isRedacted, callId, isBehind } = openCarried(encrypted);
    if (proof.on === undefined) {
      const id = proof.dialect === "responses" ? readText(item["id"]) : null;
      return this.#addReasoning(text, id === null ? proof : { id, ...proof }, isRedacted);
    }
    if (callId !== null) this.#signCall(callId, proof);
    else if (!isBehind) this.#nextProof = proof;
    else if (this.#lastText) this.#lastText.proof = proof;
  }

  #addReasoning(text: string, proof: Proof | null, isRedacted: boolean): void {
    const part: ReasoningPart = { kind: "reasoning", text, proof, isRedacted };
    if (text !== "" || proof) this.#add("assistant", [part]);
  }

  /** Only what was condensed here can be read; a vendor's own is closed to all others. */
  #decodeCompaction(item: JsonObject, path: string): void {
    const text = openSummary(item["encrypted_content"]);
    if (text === null) throw unsupported(path);
    this.#add("user", [{ kind: "text", text }]);
  }

  #add(role: Turn["role"], parts: Part[]): void {
    if (parts.length > 0) this.#conversation.turns.push({ role, parts });
  }

  #sign(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind !== "text") continue;
      const proof = this.#takeProof("text");
      if (proof) part.proof = proof;
      this.#lastText = part;
    }
  }

  #takeProof(on: Proof["on"]): Proof | null {
    if (this.#nextProof?.on !== on) return null;
    const proof = this.#nextProof;
    this.#nextProof = null;
    return proof;
  }

  /** The signature may stand before or behind what it signs. */
  #signCall(id: string, proof: Proof): void {
    this.#callProofs.set(id, proof);
    const call = this.#calls.get(id);
    if (call) call.proof = proof;
  }
}

/** The summary, or the plain reasoning of vendors that show it. */
export function reasoningText({ summary, content }: JsonObject): string {
  const shown = Array.isArray(summary) && summary.length > 0 ? summary : content;
  if (!Array.isArray(shown)) return "";
  return shown
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join(reasoningBreak);
}

export const reasoningBreak = "\n\n";
