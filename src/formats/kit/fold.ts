// Gathers a stream's parts into the whole reply that they make.
import type { Reply, ReplyChoice, ReplyPart } from "../exchange.ts";
import type { BlockStart, StreamPart } from "../stream-part.ts";

/** Null when the stream reported a fault or never came to its end. */
export function foldParts(parts: readonly StreamPart[]): Reply | null {
  const reply: Reply = { id: null, choices: [], usage: null };
  const blocks = new Map<number, ReplyPart>();
  let isWhole = false;
  for (const part of parts) {
    switch (part.kind) {
      case "reply-start":
        reply.id = part.id;
        break;
      case "block-start": {
        const block = toPart(part.content);
        blocks.set(part.block, block);
        choiceOf(reply, part.choice).parts.push(block);
        break;
      }
      case "choice-end": {
        const choice = choiceOf(reply, part.choice);
        choice.stop = part.stop;
        choice.stopSequence = part.stopSequence;
        break;
      }
      case "usage":
        reply.usage = part.usage;
        break;
      case "reply-end":
        isWhole = true;
        break;
      case "fault":
        return null;
      default: {
        const block = blocks.get(part.block);
        if (block) extend(block, part);
      }
    }
  }
  return isWhole ? reply : null;
}

function choiceOf(reply: Reply, index: number): ReplyChoice {
  for (let at = reply.choices.length; at <= index; at++) {
    reply.choices.push({ parts: [], stop: "stop", stopSequence: null });
  }
  const choice = reply.choices[index];
  if (!choice) throw new RangeError("a choice has a negative index");
  return choice;
}

function toPart(content: BlockStart["content"]): ReplyPart {
  switch (content.kind) {
    case "text":
      return { kind: "text", text: "" };
    case "reasoning":
      return { kind: "reasoning", text: "", proof: null, isRedacted: content.isRedacted };
    case "refusal":
      return { kind: "refusal", text: "" };
    case "call":
      return { ...content, input: "" };
    case "media":
    case "search":
      return { ...content.part };
  }
}

type Piece = Extract<
  StreamPart,
  { kind: "block-delta" | "block-proof" | "block-citation" | "block-end" }
>;

function extend(block: ReplyPart, piece: Piece): void {
  if (piece.kind === "block-delta") {
    if (block.kind === "call") block.input += piece.text;
    else if ("text" in block) block.text += piece.text;
  } else if (piece.kind === "block-proof") {
    if (block.kind === "reasoning" || block.kind === "call" || block.kind === "text") {
      block.proof = piece.proof;
    }
  } else if (piece.kind === "block-citation" && block.kind === "text") {
    block.citations = [...(block.citations ?? []), piece.citation];
  } else if (piece.kind === "block-end" && block.kind === "call" && !block.isCustom) {
    block.input ||= "{}";
  }
}
