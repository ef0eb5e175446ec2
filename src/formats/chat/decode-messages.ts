// A chat's messages as instructions and turns.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { CacheMark, CallPart, Part, ResultPart, TextPart, Turn } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { openProof } from "../kit/proof.ts";
import { unsupported } from "../kit/refuse.ts";
import { decodeCitations } from "./citations.ts";
import { decodeContent, decodeTexts } from "./decode-parts.ts";
import { FunctionCalls } from "./decode-tools.ts";
import { readCacheMark, readError, readSignature } from "./extensions.ts";
import { decodeDetails, readReasoning, type Proofs } from "./reasoning-details.ts";
import { withoutThoughts } from "./said-parts.ts";

export interface Conversation {
  system: TextPart[];
  turns: Turn[];
  ignored: string[];
}

export function decodeMessages(messages: Json | undefined): Conversation {
  const decoder = new MessageDecoder();
  const list = Array.isArray(messages) ? messages : [];
  for (const [at, message] of list.entries()) if (isObject(message)) decoder.decode(message, at);
  return decoder.conversation;
}

class MessageDecoder {
  readonly conversation: Conversation = { system: [], turns: [], ignored: [] };
  readonly #calls = new Map<string, CallPart>();
  readonly #functionCalls = new FunctionCalls();

  decode(message: JsonObject, index: number): void {
    const { role } = message;
    const { system, turns, ignored } = this.conversation;
    // Results give the name of their function; elsewhere the name of a speaker has no place.
    const isResult = role === "tool" || role === "function";
    const isNamed = !isResult && (message["name"] ?? null) !== null;
    if (isNamed && !ignored.includes("messages.name")) ignored.push("messages.name");
    const parts = marked(this.#parts(message, index), readCacheMark(message));
    const isSystem = role === "system" || role === "developer";
    if (isSystem && turns.length === 0) system.push(...parts.filter(isText));
    else if (isSystem) turns.push({ role: "system", parts });
    else turns.push({ role: role === "assistant" ? "assistant" : "user", parts });
  }

  #parts(message: JsonObject, index: number): Part[] {
    const at = `messages.${index}.content`;
    switch (message["role"]) {
      case "assistant":
        return this.#assistant(message, index);
      case "tool":
      case "function":
        return [this.#result(message, index)];
      case "user":
        return decodeContent(message["content"], at).map((part, partIndex) => {
          if (part.kind === "refusal") throw invalid(`${at}.${partIndex}.type`, "is not a user's");
          return part;
        });
      default:
        return decodeTexts(message["content"], at);
    }
  }

  #assistant(message: JsonObject, index: number): Part[] {
    if ((message["audio"] ?? null) !== null) throw unsupported(`messages.${index}.audio`);
    const { thought, content: spoken } = withoutThoughts(message["content"]);
    const reasoning = readReasoning(message) || thought;
    const proofs = decodeDetails(reasoning, message["reasoning_details"]);
    const content: Part[] = decodeContent(spoken, `messages.${index}.content`);
    const refusal = readText(message["refusal"]);
    if (refusal) content.push({ kind: "refusal", text: refusal });
    const text = content.findLast(isText);
    if (text && proofs.text) text.proof = proofs.text;
    const citations = decodeCitations(message["annotations"]);
    if (text && citations.length > 0) text.citations = citations;
    return [...proofs.reasoning, ...content, ...this.#callsOf(message, index, proofs)];
  }

  #callsOf(message: JsonObject, index: number, proofs: Proofs): CallPart[] {
    const listed = Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [];
    const calls = listed.map((call, at) => decodeCall(call, `messages.${index}.tool_calls.${at}`));
    if (isObject(message["function_call"])) {
      const { name, arguments: input } = message["function_call"];
      if (typeof name !== "string") {
        throw invalid(`messages.${index}.function_call.name`, "must be a string");
      }
      const id = this.#functionCalls.call(name, index);
      calls.push({ kind: "call", id, name, input: readInput(input) || "{}", isCustom: false });
    }
    const [first] = calls;
    if (first && proofs.call) first.proof ??= proofs.call;
    for (const call of calls) this.#calls.set(call.id, call);
    return calls;
  }

  #result(message: JsonObject, index: number): ResultPart {
    const content = decodeContent(message["content"], `messages.${index}.content`);
    const shown = content.filter((part) => part.kind !== "refusal");
    const callId = this.#callId(message, index);
    const call = this.#calls.get(callId);
    return {
      kind: "result",
      callId,
      name: call?.name ?? null,
      ...readError(shown),
      isCustom: call?.isCustom ?? false,
    };
  }

  #callId(message: JsonObject, index: number): string {
    if (message["role"] === "function") {
      return this.#functionCalls.answer(readText(message["name"]) ?? "", index);
    }
    const id = readText(message["tool_call_id"]);
    if (!id) throw invalid(`messages.${index}.tool_call_id`, "is required");
    return id;
  }
}

/** Arguments are JSON text; some vendors send them as the JSON itself. */
export function readInput(input: Json | undefined): string {
  if (typeof input === "string") return input;
  return isObject(input) ? JSON.stringify(input) : "";
}

function decodeCall(call: Json, at: string): CallPart {
  if (!isObject(call)) throw invalid(at, "must be an object");
  const isCustom = call["type"] === "custom";
  const kind = isCustom ? "custom" : "function";
  const called = call[kind];
  const id = readText(call["id"]);
  if (!id) throw invalid(`${at}.id`, "must be a string");
  if (!isObject(called) || typeof called["name"] !== "string") {
    throw invalid(`${at}.${kind}.name`, "must be a string");
  }
  const input = isCustom
    ? (readText(called["input"]) ?? "")
    : readInput(called["arguments"]) || "{}";
  const signature = readSignature(call);
  return {
    kind: "call",
    id,
    name: called["name"],
    input,
    isCustom,
    ...(signature === null ? {} : { proof: { ...openProof(signature, "chat"), on: "call" } }),
  };
}

function isText(part: Part): part is TextPart {
  return part.kind === "text";
}

/** A mark on the message is one on its last part. */
function marked(parts: Part[], cache: CacheMark | null): Part[] {
  const last = parts.at(-1);
  if (!cache || !last || last.kind === "reasoning" || last.kind === "refusal") return parts;
  return [...parts.slice(0, -1), { cache, ...last }];
}
