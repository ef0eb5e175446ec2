// A whole reply for a messages client.
import type { JsonObject } from "../../core/json.ts";
import type { MediaPart, Reply, ReplyPart, TextPart } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { toDataUrl } from "../kit/media.ts";
import { toToolInput } from "../kit/claude/tools.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { writeCitations } from "./wire/citation.ts";
import { signThoughts, toCarrier, toSignature } from "./wire/proof-slot.ts";
import { writeSearch } from "./wire/web-search.ts";

export function encodeReply({ choices, usage }: Reply, frame: ReplyFrame): JsonObject {
  const [choice] = choices;
  const parts = choice?.parts ?? [];
  const hasRefused = parts.some(({ kind }) => kind === "refusal");
  const shown = showsThinking(frame) ? parts : parts.flatMap(withoutThinking);
  return {
    ...encodeHead(frame),
    content: shown.flatMap((part, at) => encodePart(part, `${frame.requestId}_${at}`)),
    stop_reason: writeStopReason(choice?.stop ?? "stop", hasRefused),
    stop_sequence: choice?.stopSequence ?? null,
    usage: writeUsage(usage, searchCount(parts)),
  };
}

/** The wire counts a search by its query. */
function searchCount(parts: readonly ReplyPart[]): number {
  const searches = parts.filter((part) => part.kind === "search");
  return searches.reduce((count, { queries }) => count + Math.max(1, queries.length), 0);
}

/** Fields at the head of a message, whole or streamed. */
export function encodeHead({ requestId, exchange }: ReplyFrame): JsonObject {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model: exchange.model };
}

/** Clients that did not ask for thinking take the first block for the answer. */
export function showsThinking({ exchange }: ReplyFrame): boolean {
  return exchange.reasoning !== null && exchange.reasoning.isShown !== null;
}

function withoutThinking(part: ReplyPart): ReplyPart[] {
  if (part.kind === "reasoning") return [];
  if (part.kind !== "text" && part.kind !== "call") return [part];
  const { proof: _proof, ...rest } = part;
  return [rest];
}

function encodePart(part: ReplyPart, name: string): JsonObject[] {
  switch (part.kind) {
    case "text":
      return encodeText(part);
    case "refusal":
      return toTextBlocks(part.text);
    case "media":
      return toTextBlocks(mediaText(part));
    case "search":
      return writeSearch(part, name, 0).flatMap(({ call, input, result }) => [
        { ...call, input },
        result,
      ]);
    case "reasoning": {
      const { text, proof, isRedacted } = part;
      if (isRedacted) return proof ? [{ type: "redacted_thinking", data: toSignature(proof) }] : [];
      if (text === "" && !proof) return [];
      return [{ type: "thinking", thinking: text, signature: signThoughts(proof) }];
    }
    case "call": {
      const { id, name, proof } = part;
      const block = { type: "tool_use", id, name, input: toToolInput(part) };
      return proof ? [toCarrier(proof, false), block] : [block];
    }
  }
}

function encodeText({ text, citations, proof }: TextPart): JsonObject[] {
  const cited = writeCitations(citations ?? []);
  const blocks = toTextBlocks(text).map((block) =>
    cited.length === 0 ? block : { ...block, citations: cited },
  );
  return proof ? [toCarrier(proof, blocks.length === 0), ...blocks] : blocks;
}

function toTextBlocks(text: string): JsonObject[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** Messages have no media in answers, so they are shown as a link to what they are. */
export function mediaText({ media, source }: MediaPart): string {
  if (source.kind === "text") return source.text;
  if (source.kind === "file") return "";
  const url = source.kind === "url" ? source.url : toDataUrl(source);
  return media === "image" ? `![image](${url})` : `[${media}](${url})`;
}
