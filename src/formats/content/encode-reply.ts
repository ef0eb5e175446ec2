// A whole reply as Google writes it.
import type { JsonObject } from "../../core/json.ts";
import type { Citation, Reply, ReplyChoice, ReplyPart } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { writeGrounding } from "./citations.ts";
import { toArguments } from "./encode-turns.ts";
import { writeSignature } from "./signature.ts";
import { writeFinish } from "./stop-reason.ts";
import { writeContentUsage } from "./usage.ts";

export function encodeContentReply(reply: Reply, frame: ReplyFrame): JsonObject {
  const isShown = showsThoughts(frame);
  const written: JsonObject = {
    candidates: reply.choices.map((choice, index) => encodeChoice(choice, index, isShown)),
  };
  if (reply.usage) written["usageMetadata"] = writeContentUsage(reply.usage);
  written["modelVersion"] = frame.exchange.model;
  written["responseId"] = frame.requestId;
  return written;
}

/** Google shows thoughts to who asked for them, and to nobody else. */
export function showsThoughts({ exchange }: ReplyFrame): boolean {
  return exchange.reasoning?.isShown === true;
}

function encodeChoice(choice: ReplyChoice, index: number, isShown: boolean): JsonObject {
  const { parts, stop } = choice;
  const isRefused = parts.some(({ kind }) => kind === "refusal");
  const candidate: JsonObject = {
    content: { parts: parts.flatMap((part) => encodePart(part, isShown)), role: "model" },
    finishReason: writeFinish(stop, isRefused),
    index,
    safetyRatings: [],
  };
  const grounding = encodeGrounding(parts);
  if (grounding) candidate["groundingMetadata"] = grounding;
  return candidate;
}

/** Citations count in their own text, Google's in the whole answer. */
function encodeGrounding(parts: readonly ReplyPart[]): JsonObject | null {
  let text = "";
  const citations: Citation[] = [];
  for (const part of parts) {
    if (part.kind !== "text") continue;
    for (const citation of part.citations ?? []) {
      citations.push(placeInAnswer(citation, text.length, part.text.length));
    }
    text += part.text;
  }
  const searches = parts.filter((part) => part.kind === "search");
  return writeGrounding({ citations, searches }, text);
}

/** One that does not say where it stands is of all of its text. */
export function placeInAnswer(citation: Citation, from: number, length: number): Citation {
  const { start, end } = citation;
  if (start !== null && end !== null) return { ...citation, start: start + from, end: end + from };
  return length === 0 ? citation : { ...citation, start: from, end: from + length };
}

/** A part as Google writes it; no part for what is empty or not to be shown. */
export function encodePart(part: ReplyPart, isShown: boolean): JsonObject[] {
  switch (part.kind) {
    case "text":
      if (part.proof) return [{ text: part.text, thoughtSignature: writeSignature(part.proof) }];
      return part.text === "" ? [] : [{ text: part.text }];
    case "refusal":
      return part.text === "" ? [] : [{ text: part.text }];
    case "reasoning": {
      const { text, proof, isRedacted } = part;
      if (!proof) return isShown && text !== "" ? [{ text, thought: true }] : [];
      const hidden = isShown ? "" : text;
      const thoughtSignature = writeSignature(proof, { text: hidden, isRedacted });
      return [{ text: isShown ? text : "", thought: true, thoughtSignature }];
    }
    case "call": {
      const { id, name, input, isCustom, proof } = part;
      const call: JsonObject = {
        functionCall: { id, name, args: isCustom ? { input } : toArguments(input) },
      };
      if (proof) call["thoughtSignature"] = writeSignature(proof);
      return [call];
    }
    case "search":
      return [];
    case "media": {
      const { source } = part;
      if (source.kind === "bytes") {
        return [{ inlineData: { mimeType: source.type, data: source.base64 } }];
      }
      if (source.kind === "text") return [{ text: source.text }];
      const fileUri = source.kind === "url" ? source.url : source.id;
      return [{ fileData: { fileUri } }];
    }
  }
}
