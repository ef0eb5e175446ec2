// The body for an upstream that speaks messages itself: as it came, but for what only the gateway
// knows. Content stays byte for byte what it was, because vendors sign it.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestTarget } from "../format.ts";
import { isSealed } from "../kit/proof.ts";
import { resumesWithoutThinking } from "./rules/open-turn.ts";
import { boundOutput } from "./rules/output-bound.ts";
import { hasForeignCallId, withOwnCallId } from "./wire/call-id.ts";
import { isCitedHere } from "./wire/citation.ts";
import { readNumber, readObject, readObjects, readText } from "../kit/fields.ts";
import { isWrittenHere, searchesInWords } from "./wire/web-search.ts";

export function forwardMessages(body: JsonObject, target: RequestTarget): JsonObject {
  const { effort, ...rest } = body;
  const messages = withoutForeign(body["messages"]);
  const forwarded: JsonObject = {
    ...rest,
    model: target.model,
    max_tokens: boundOutput(readNumber(body["max_tokens"]), target),
    messages,
  };
  if (isLeftBare(body, messages)) delete forwarded["thinking"];
  if (typeof effort === "string") forwarded["output_config"] = addEffort(body, effort);
  return forwarded;
}

/** The vendor knows effort under another name only; what stands there already counts. */
function addEffort({ output_config: config }: JsonObject, effort: string): JsonObject {
  if (!isObject(config)) return { effort };
  return { ...config, effort: config["effort"] ?? effort };
}

/**
 * Thinking that another vendor signed would be refused, and a message of nothing else goes with it.
 * So would citations of its answers, the ids that it gave to calls, and its searches, which are put
 * into words.
 */
function withoutForeign(messages: JsonObject[string]): JsonObject[string] {
  if (!Array.isArray(messages)) return messages;
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message["content"])) return [message];
    const { content: blocks } = message;
    if (!blocks.some(isOfAnother)) return [message];
    const own = blocks.filter((block) => !isForeignThinking(block)).map(asOwn);
    const content = searchesInWords(own);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function isOfAnother(block: Json): boolean {
  if (!isObject(block)) return false;
  if (isForeignThinking(block) || isCitedElsewhere(block)) return true;
  return hasForeignCallId(block) || isWrittenHere(block);
}

function isCitedElsewhere(block: JsonObject): boolean {
  return readObjects(block["citations"]).some(isCitedHere);
}

function asOwn(block: Json): Json {
  return isObject(block) ? withOwnCallId(withOwnCitations(block)) : block;
}

function withOwnCitations(block: JsonObject): JsonObject {
  if (!isCitedElsewhere(block)) return block;
  const { citations, ...rest } = block;
  const own = readObjects(citations).filter((citation) => !isCitedHere(citation));
  return own.length === 0 ? rest : { ...rest, citations: own };
}

/** True where the vendor would insist on the part that was taken out. */
function isLeftBare({ thinking, messages }: JsonObject, left: JsonObject[string]): boolean {
  if (readObject(thinking)["type"] !== "enabled") return false;
  return resumesWithoutThinking(left) && !resumesWithoutThinking(messages);
}

function isForeignThinking(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, signature, data } = block;
  if (type === "thinking") return isSealed(readText(signature) ?? "");
  return type === "redacted_thinking" && isSealed(readText(data) ?? "");
}
