// A whole reply of Converse.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Reply, ReplyPart } from "../exchange.ts";
import { answerTool, restoreStop } from "../kit/claude/structured-output.ts";
import { readObject, readObjects, readText } from "../kit/fields.ts";
import { proofOf, readCitation, readPicture } from "./blocks.ts";
import { readConverseStop } from "./stop-reason.ts";
import { readConverseUsage } from "./usage.ts";

export function decodeConverseReply(body: unknown): Reply | null {
  if (!isObject(body) || !isObject(body["output"])) return null;
  const { content } = readObject(body["output"]["message"]);
  if (!Array.isArray(content)) return null;
  const blocks = readObjects(content);
  const parts = blocks.flatMap(decodeBlock);
  const hasCalls = parts.some(({ kind }) => kind === "call");
  const stop = restoreStop(
    readConverseStop(body["stopReason"]),
    blocks.some(({ toolUse }) => isObject(toolUse) && toolUse["name"] === answerTool),
    hasCalls,
  );
  const stopSequence = readText(readObject(body["additionalModelResponseFields"])["stop_sequence"]);
  return {
    id: null,
    choices: [{ parts, stop, stopSequence }],
    usage: readConverseUsage(body["usage"]),
  };
}

function decodeBlock(block: JsonObject): ReplyPart[] {
  const { text, toolUse, reasoningContent, citationsContent, image } = block;
  if (typeof text === "string") return text === "" ? [] : [{ kind: "text", text }];
  if (isObject(toolUse)) return [decodeCall(toolUse)];
  if (isObject(reasoningContent)) return decodeReasoning(reasoningContent);
  if (isObject(citationsContent)) return decodeCited(citationsContent);
  const picture = isObject(image) ? readPicture(image) : null;
  return picture ? [picture] : [];
}

function decodeCall({ toolUseId, name, input }: JsonObject): ReplyPart {
  const json = JSON.stringify(input ?? {});
  if (name === answerTool) return { kind: "text", text: json };
  const id = readText(toolUseId) ?? "";
  return { kind: "call", id, name: readText(name) ?? "", input: json, isCustom: false };
}

function decodeReasoning({ reasoningText, redactedContent }: JsonObject): ReplyPart[] {
  const hidden = readText(redactedContent) ?? "";
  if (hidden !== "") {
    return [{ kind: "reasoning", text: "", proof: proofOf(hidden), isRedacted: true }];
  }
  const { text, signature } = readObject(reasoningText);
  const data = readText(signature) ?? "";
  const proof = data === "" ? null : proofOf(data);
  return [{ kind: "reasoning", text: readText(text) ?? "", proof, isRedacted: false }];
}

function decodeCited(cited: JsonObject): ReplyPart[] {
  const texts = readObjects(cited["content"]).map((part) => readText(part["text"]) ?? "");
  const text = texts.join("");
  if (text === "") return [];
  const citations = readObjects(cited["citations"]).map(readCitation);
  return [citations.length === 0 ? { kind: "text", text } : { kind: "text", text, citations }];
}
