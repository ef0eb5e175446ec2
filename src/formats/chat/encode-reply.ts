// A whole reply for a chat client.
import type { JsonObject } from "../../core/json.ts";
import type { CallPart, Reply, ReplyChoice, ReplyPart } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { toMarkdown } from "../kit/media.ts";
import { encodeOpenaiUsage } from "../kit/openai-usage.ts";
import { sealProof } from "../kit/proof.ts";
import { encodeCitations } from "./citations.ts";
import { usesFunctions } from "./decode-tools.ts";
import { encodeSignature } from "./extensions.ts";
import { encodeDetail, needsDetail } from "./reasoning-details.ts";
import { encodeStop } from "./stop-reason.ts";

export function encodeChatReply({ choices, usage }: Reply, frame: ReplyFrame): JsonObject {
  const isLegacy = usesFunctions(frame.body);
  return {
    id: `chatcmpl-${frame.requestId}`,
    object: "chat.completion",
    created: frame.createdAtSeconds,
    model: frame.exchange.model,
    choices: choices.map((choice, index) => encodeChoice(choice, index, isLegacy)),
    ...(usage ? { usage: encodeOpenaiUsage(usage) } : {}),
  };
}

function encodeChoice({ parts, stop }: ReplyChoice, index: number, isLegacy: boolean): JsonObject {
  const finishReason = isLegacy && stop === "calls" ? "function_call" : encodeStop(stop);
  const message = encodeMessage(parts, isLegacy);
  return { index, message, logprobs: null, finish_reason: finishReason };
}

function encodeMessage(parts: readonly ReplyPart[], isLegacy: boolean): JsonObject {
  const gathered = gather(parts, isLegacy);
  const { content, refusal, reasoning, details, annotations, calls } = gathered;
  const [first] = calls;
  const isSilent = content === "" && (calls.length > 0 || refusal !== "");
  return {
    role: "assistant",
    content: isSilent ? null : content,
    refusal: refusal === "" ? null : refusal,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length > 0 && !isLegacy ? { tool_calls: calls.map(encodeCall) } : {}),
    ...(first && isLegacy ? { function_call: encodeFunctionCall(first) } : {}),
  };
}

interface Gathered {
  content: string;
  refusal: string;
  reasoning: string;
  details: JsonObject[];
  annotations: JsonObject[];
  calls: CallPart[];
}

/** Chat has one text of each kind; what comes in several parts is put together. */
function gather(parts: readonly ReplyPart[], isLegacy: boolean): Gathered {
  const all: Gathered = {
    content: "",
    refusal: "",
    reasoning: "",
    details: [],
    annotations: [],
    calls: [],
  };
  for (const part of parts) {
    const span = { start: all.reasoning.length, end: all.reasoning.length };
    switch (part.kind) {
      case "text":
        all.annotations.push(...encodeCitations(part, all.content.length));
        all.content += part.text;
        break;
      case "media":
        all.content += toMarkdown(part);
        break;
      case "refusal":
        all.refusal += part.text;
        break;
      case "reasoning":
        all.reasoning += part.text;
        span.end = all.reasoning.length;
        break;
      case "call":
        all.calls.push(part);
    }
    if (!("proof" in part) || !needsDetail(part.proof)) continue;
    // A call has a place of its own for its proof, unless it is written as a function.
    if (part.kind === "call" && (!isLegacy || all.calls.length > 1)) continue;
    const isRedacted = part.kind === "reasoning" && part.isRedacted;
    all.details.push(encodeDetail(part.proof, span, isRedacted));
  }
  return all;
}

function encodeCall(call: CallPart): JsonObject {
  const { id, name, input, isCustom, proof } = call;
  return {
    id,
    ...(isCustom
      ? { type: "custom", custom: { name, input } }
      : { type: "function", function: encodeFunctionCall(call) }),
    ...(proof ? { extra_content: encodeSignature(sealProof(proof)) } : {}),
  };
}

function encodeFunctionCall({ name, input }: CallPart): JsonObject {
  return { name, arguments: input === "" ? "{}" : input };
}
