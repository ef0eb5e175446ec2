// A stream of Converse in neutral pieces. Blocks of text and of reasoning are not announced, what
// was used comes behind the end of the message, and that report is the stream's own end.
import { isObject, type JsonObject } from "../../core/json.ts";
import { answerTool, restoreStop } from "../kit/claude/structured-output.ts";
import { parseObject, readNumber, readObject, readText } from "../kit/fields.ts";
import type { BlockContent, StreamDecoder, StreamPart } from "../stream-part.ts";
import { proofOf, readCitation, readPicture } from "./blocks.ts";
import { readConverseStop } from "./stop-reason.ts";
import { readConverseUsage } from "./usage.ts";

interface OpenBlock {
  block: number;
  kind: BlockContent["kind"];
  isCall: boolean;
  hasText: boolean;
  /** Signature, or what is hidden of the reasoning; it may come in pieces. */
  proof: string;
}

export class ConverseStreamDecoder implements StreamDecoder {
  readonly #open = new Map<number, OpenBlock>();
  #blocks = 0;
  #hasStarted = false;
  #hasStopped = false;
  #isOver = false;
  #hasAnswer = false;
  #hasCalls = false;

  push({ event: name, data }: { event: string | null; data: string }): StreamPart[] {
    if (this.#isOver) return [];
    const event = parseObject(data);
    if (!event) return this.#fail("an event of the stream is not JSON");
    if (name === "error") {
      const message = readText(readObject(event["error"])["message"]);
      return this.#fail(message ?? "the upstream reported an error");
    }
    const parts = this.#read(name, event);
    if (this.#hasStarted || parts.length === 0) return parts;
    this.#hasStarted = true;
    return [{ kind: "reply-start", id: null }, ...parts];
  }

  /** Whole but untold, where the report is missing. */
  close(): StreamPart[] {
    if (!this.#hasStopped || this.#isOver) return [];
    this.#isOver = true;
    return [{ kind: "reply-end" }];
  }

  #fail(message: string): StreamPart[] {
    this.#isOver = true;
    return [{ kind: "fault", message }];
  }

  #read(name: string | null, event: JsonObject): StreamPart[] {
    switch (name) {
      case "messageStart":
        return this.#begin();
      case "messageStop":
        return this.#stopChoice(event);
      case "metadata":
        return this.#report(event);
      default:
        // Nothing is said behind the end of the message.
        return this.#hasStopped ? [] : this.#readBlock(name, event);
    }
  }

  #readBlock(name: string | null, event: JsonObject): StreamPart[] {
    const index = readNumber(event["contentBlockIndex"]) ?? 0;
    switch (name) {
      case "contentBlockStart":
        return this.#start(index, readObject(event["start"]));
      case "contentBlockDelta":
        return this.#readDelta(index, readObject(event["delta"]));
      case "contentBlockStop":
        return this.#stop(index);
      default:
        return [];
    }
  }

  #begin(): StreamPart[] {
    // The rest belongs to another answer, and would be put together with this one.
    if (this.#hasStarted) return this.#fail("the upstream began a second message");
    this.#hasStarted = true;
    return [{ kind: "reply-start", id: null }];
  }

  #start(index: number, { toolUse, image }: JsonObject): StreamPart[] {
    const before = this.#stop(index);
    if (isObject(image)) return [...before, ...this.#addPicture(image)];
    if (!isObject(toolUse)) return before;
    const [id, name] = [readText(toolUse["toolUseId"]) ?? "", readText(toolUse["name"]) ?? ""];
    const isAnswer = name === answerTool;
    if (isAnswer) this.#hasAnswer = true;
    else this.#hasCalls = true;
    const content: BlockContent = isAnswer
      ? { kind: "text" }
      : { kind: "call", id, name, isCustom: false };
    return [...before, ...this.#add(index, content, true)];
  }

  #add(index: number, content: BlockContent, isCall = false): StreamPart[] {
    const block = this.#blocks++;
    this.#open.set(index, { block, kind: content.kind, isCall, hasText: false, proof: "" });
    return [{ kind: "block-start", block, choice: 0, content }];
  }

  #addPicture(image: JsonObject): StreamPart[] {
    const part = readPicture(image);
    if (!part) return [];
    const block = this.#blocks++;
    return [
      { kind: "block-start", block, choice: 0, content: { kind: "media", part } },
      { kind: "block-end", block },
    ];
  }

  #readDelta(index: number, delta: JsonObject): StreamPart[] {
    const { text, toolUse, reasoningContent, citation, image } = delta;
    if (isObject(image)) return this.#addPicture(image);
    if (isObject(toolUse)) return this.#piece(index, readText(toolUse["input"]) ?? "");
    if (isObject(reasoningContent)) return this.#readReasoning(index, reasoningContent);
    if (typeof text === "string") return this.#readText(index, text);
    const open = this.#open.get(index);
    if (!open || !isObject(citation)) return [];
    return [{ kind: "block-citation", block: open.block, citation: readCitation(citation) }];
  }

  /** Empty pieces come up, and begin nothing. */
  #readText(index: number, text: string): StreamPart[] {
    if (text === "") return [];
    return [...this.#ensure(index, { kind: "text" }), ...this.#piece(index, text)];
  }

  #readReasoning(index: number, reasoning: JsonObject): StreamPart[] {
    const hidden = readText(reasoning["redactedContent"]) ?? "";
    const text = readText(reasoning["text"]) ?? "";
    const signature = readText(reasoning["signature"]) ?? "";
    if (hidden + text + signature === "") return [];
    const content: BlockContent = { kind: "reasoning", isRedacted: hidden !== "" };
    const parts = [...this.#ensure(index, content), ...this.#piece(index, text)];
    const open = this.#open.get(index);
    if (open) open.proof += hidden + signature;
    return parts;
  }

  /** The block of this kind at this place, begun where there is none. */
  #ensure(index: number, content: BlockContent): StreamPart[] {
    if (this.#open.get(index)?.kind === content.kind) return [];
    return [...this.#stop(index), ...this.#add(index, content)];
  }

  #piece(index: number, text: string): StreamPart[] {
    const open = this.#open.get(index);
    if (!open || text === "") return [];
    open.hasText = true;
    return [{ kind: "block-delta", block: open.block, text }];
  }

  #stop(index: number): StreamPart[] {
    const open = this.#open.get(index);
    if (!open) return [];
    const { block, isCall, hasText, proof } = open;
    // A call without input has no piece of it.
    const parts = isCall && !hasText ? this.#piece(index, "{}") : [];
    this.#open.delete(index);
    if (proof !== "") parts.push({ kind: "block-proof", block, proof: proofOf(proof) });
    return [...parts, { kind: "block-end", block }];
  }

  #stopChoice({ stopReason, additionalModelResponseFields: fields }: JsonObject): StreamPart[] {
    if (this.#hasStopped) return [];
    this.#hasStopped = true;
    const parts = [...this.#open.keys()].flatMap((index) => this.#stop(index));
    const stop = restoreStop(readConverseStop(stopReason), this.#hasAnswer, this.#hasCalls);
    const stopSequence = readText(readObject(fields)["stop_sequence"]);
    return [...parts, { kind: "choice-end", choice: 0, stop, stopSequence }];
  }

  #report({ usage: report }: JsonObject): StreamPart[] {
    const usage = readConverseUsage(report);
    const parts: StreamPart[] = usage ? [{ kind: "usage", usage }] : [];
    if (!this.#hasStopped) return parts;
    this.#isOver = true;
    return [...parts, { kind: "reply-end" }];
  }
}
