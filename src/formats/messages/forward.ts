// The body for an upstream that speaks messages itself: as it came, but for what only the gateway
// knows. Content stays byte for byte what it was, because vendors sign it.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { RequestTarget } from "../format.ts";
import { isSealed } from "../kit/proof.ts";
import { readNumber, readText } from "./wire/fields.ts";

export function forwardMessages(body: JsonObject, target: RequestTarget): JsonObject {
  const { effort, ...rest } = body;
  const asked = readNumber(body["max_tokens"]) ?? target.outputTokensMax;
  const forwarded: JsonObject = {
    ...rest,
    model: target.model,
    max_tokens: Math.min(asked, target.outputTokensMax),
    messages: withoutForeignThinking(body["messages"]),
  };
  if (typeof effort === "string") forwarded["output_config"] = addEffort(body, effort);
  return forwarded;
}

/** The vendor knows effort under another name only; what stands there already counts. */
function addEffort({ output_config: config }: JsonObject, effort: string): JsonObject {
  if (!isObject(config)) return { effort };
  return { ...config, effort: config["effort"] ?? effort };
}

/** Thinking that another vendor signed would be refused; a message of nothing else goes with it. */
function withoutForeignThinking(messages: JsonObject[string]): JsonObject[string] {
  if (!Array.isArray(messages)) return messages;
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message["content"])) return [message];
    if (!message["content"].some(isForeignThinking)) return [message];
    const content = message["content"].filter((block) => !isForeignThinking(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function isForeignThinking(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, signature, data } = block;
  if (type === "thinking") return isSealed(readText(signature) ?? "");
  return type === "redacted_thinking" && isSealed(readText(data) ?? "");
}
