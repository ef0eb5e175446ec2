// A streamed reply as the events that a client reads. Texts that follow each other are parts of one
// message; it stays open until something else begins.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Citation, Proof, SearchPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import type { BlockContent, StreamEncoder, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { toMarkdown } from "../kit/media.ts";
import { CallNames } from "./offers/call-names.ts";
import {
  callItem,
  encodeCitation,
  imageBytes,
  imageItem,
  messageItem,
  reasoningItem,
  summaryPart,
} from "./output-items.ts";
import {
  OutputLog,
  obfuscate,
  placeOf,
  renderText,
  type Block,
  type CallBlock,
  type Item,
  type ReasoningBlock,
  type TextBlock,
} from "./output-log.ts";
import { sealCall, sealReasoning, sealText } from "./sealed.ts";
import { endingOf, type Ending } from "./stop-reason.ts";
import { searchItem } from "./web-search.ts";

export class ResponsesStreamEncoder implements StreamEncoder {
  readonly #log: OutputLog;
  readonly #names: CallNames;
  readonly #isObfuscated: boolean;
  readonly #blocks = new Map<number, Block>();
  #message: Item | null = null;
  #usage: Usage | null = null;
  #ending: Ending = endingOf("stop");

  constructor(frame: ReplyFrame) {
    this.#log = new OutputLog(frame);
    this.#names = new CallNames(frame.body);
    const options = frame.body["stream_options"];
    this.#isObfuscated = isObject(options) && options["include_obfuscation"] === true;
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "reply-start":
        return this.#log.envelope("created", begun) + this.#log.envelope("in_progress", begun);
      case "block-start":
        // There is one answer to a responses request.
        if (part.choice !== 0) return "";
        return this.#log.release("completed") + this.#start(part.block, part.content);
      case "block-delta": {
        const block = this.#blocks.get(part.block);
        return block ? this.#log.release("completed") + this.#delta(block, part.text) : "";
      }
      case "block-proof":
        return this.#prove(this.#blocks.get(part.block), part.proof);
      case "block-citation":
        return this.#cite(this.#blocks.get(part.block), part.citation);
      case "block-end":
        return this.#end(part.block);
      case "choice-end":
        return part.choice === 0 ? this.#endChoice(part.stop) : "";
      case "usage":
        this.#usage = part.usage;
        return "";
      case "reply-end":
        return this.#finish(this.#ending, null);
      case "fault": {
        const ended = [...this.#blocks.keys()].map((block) => this.#end(block)).join("");
        return ended + this.#endChoice("malformed") + this.#finish(this.#ending, part.message);
      }
    }
  }

  reply(): JsonObject | null {
    return this.#log.response;
  }

  #start(block: number, content: BlockContent): string {
    if (content.kind === "text" || content.kind === "refusal") {
      return this.#startText(block, content.kind);
    }
    if (content.kind === "media" && imageBytes(content.part) === null) {
      const started = this.#startText(block, "text");
      const opened = this.#blocks.get(block);
      return opened ? started + this.#delta(opened, toMarkdown(content.part)) : started;
    }
    const closed = this.#closeMessage();
    switch (content.kind) {
      case "reasoning": {
        const { kind, isRedacted } = content;
        this.#blocks.set(block, {
          kind,
          item: null,
          isRedacted,
          proof: null,
          text: "",
        });
        return closed;
      }
      case "call":
        return closed + this.#startCall(block, content);
      case "media":
        return closed + this.#showImage(content.part);
      case "search":
        return closed + this.#showSearch(content.part);
    }
  }

  #startText(block: number, kind: TextBlock["kind"]): string {
    let added = "";
    let item = this.#message;
    if (!item) {
      [item, added] = this.#log.add("msg", (id, content) =>
        messageItem(id, content, "in_progress"),
      );
      item.isClosed = false;
      this.#message = item;
    }
    const contentIndex = item.content.length;
    const opened: TextBlock = {
      kind,
      item,
      contentIndex,
      annotations: [],
      unplaced: [],
      text: "",
    };
    const part = renderText(opened);
    item.content.push(part);
    item.openBlocks++;
    this.#blocks.set(block, opened);
    return added + this.#log.event("response.content_part.added", { ...placeOf(opened), part });
  }

  #startCall(block: number, call: CallBlock["call"]): string {
    const [item, added] = this.#log.add(this.#names.prefixOf(call), (id) =>
      this.#names.restore(callItem(id, { ...call, input: "" }, "in_progress")),
    );
    item.openBlocks = 1;
    this.#blocks.set(block, { kind: "call", item, call, text: "" });
    return added;
  }

  /** An image comes whole. */
  #showImage(part: Parameters<typeof imageItem>[1]): string {
    const [item, added] = this.#log.add("ig", (id) => {
      return { ...imageItem(id, part), status: "in_progress", result: null };
    });
    item.json = imageItem(item.id, part);
    this.#log.hold(item);
    const type = "response.image_generation_call.completed";
    return added + this.#log.event(type, { item_id: item.id, output_index: item.index });
  }

  /** A search is over when it is told of. */
  #showSearch(part: SearchPart): string {
    const [item, added] = this.#log.add("ws", (id) => {
      return { ...searchItem(id, part), status: "in_progress" };
    });
    item.json = searchItem(item.id, part);
    this.#log.hold(item);
    const place = { item_id: item.id, output_index: item.index };
    const steps = ["in_progress", "searching", "completed"].map((step) =>
      this.#log.event(`response.web_search_call.${step}`, place),
    );
    return added + steps.join("");
  }

  #delta(block: Block, delta: string): string {
    if (delta === "") return "";
    const opened = block.kind === "reasoning" && block.text === "" ? this.#openSummary(block) : "";
    block.text += delta;
    if (block.kind === "call" && this.#names.isSearch(block.call.name)) return "";
    return opened + this.#log.delta(block, delta, this.#isObfuscated ? obfuscate(delta) : {});
  }

  #openReasoning(block: ReasoningBlock): string {
    if (block.item) return "";
    const [item, added] = this.#log.add("rs", (id) => reasoningItem(id, "", null));
    item.openBlocks = 1;
    block.item = item;
    return added;
  }

  #openSummary(block: ReasoningBlock): string {
    const added = this.#openReasoning(block);
    const fields = { ...placeOf(block), part: summaryPart("") };
    return added + this.#log.event("response.reasoning_summary_part.added", fields);
  }

  #prove(block: Block | undefined, proof: Proof): string {
    if (block?.kind === "reasoning") {
      block.proof = proof;
      return proof.data === "" ? "" : this.#log.release("completed") + this.#openReasoning(block);
    }
    if (block?.kind === "call") block.item.signatures.push(sealCall(proof, block.call.id));
    if (block?.kind === "text") {
      block.item.signatures.push(sealText(proof, true));
      // The signature is of the last text before it, so no other may follow in this message.
      block.item.isClosed = true;
      if (this.#message === block.item) this.#message = null;
    }
    return "";
  }

  /** A citation without a place is of the whole text, whose length is known at its end. */
  #cite(block: Block | undefined, citation: Citation): string {
    if (block?.kind !== "text") return "";
    if (citation.end !== null) return this.#annotate(block, citation);
    block.unplaced.push(citation);
    return "";
  }

  #annotate(block: TextBlock, citation: Citation): string {
    const annotation = encodeCitation(citation, block.text.length);
    block.annotations.push(annotation);
    return this.#log.event("response.output_text.annotation.added", {
      ...placeOf(block),
      annotation_index: block.annotations.length - 1,
      annotation,
    });
  }

  #end(index: number): string {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    const item = block?.item;
    if (!block || !item) return "";
    item.openBlocks--;
    if (item.isClosed && item.openBlocks === 0) this.#log.hold(item);
    if (block.kind === "reasoning") return this.#endReasoning(block, item);
    return block.kind === "call" ? this.#endCall(block) : this.#endText(block);
  }

  #endText(block: TextBlock): string {
    const { kind, item, contentIndex, text } = block;
    const cited = block.unplaced.map((citation) => this.#annotate(block, citation)).join("");
    const part = renderText(block);
    item.content[contentIndex] = part;
    const place = placeOf(block);
    const done =
      kind === "text"
        ? this.#log.event("response.output_text.done", { ...place, text, logprobs: [] })
        : this.#log.event("response.refusal.done", { ...place, refusal: text });
    return cited + done + this.#log.event("response.content_part.done", { ...place, part });
  }

  #endReasoning(block: ReasoningBlock, item: Item): string {
    const { text, proof, isRedacted } = block;
    item.json = reasoningItem(item.id, text, proof ? sealReasoning(proof, isRedacted) : null);
    if (text === "") return "";
    const place = placeOf(block);
    const part = summaryPart(text);
    return (
      this.#log.event("response.reasoning_summary_text.done", { ...place, text }) +
      this.#log.event("response.reasoning_summary_part.done", { ...place, part })
    );
  }

  #endCall(block: CallBlock): string {
    const { item, call, text } = block;
    item.json = this.#names.restore(callItem(item.id, { ...call, input: text }, "completed"));
    // A search comes whole.
    if (this.#names.isSearch(call.name)) return "";
    const place = placeOf(block);
    if (call.isCustom) {
      return this.#log.event("response.custom_tool_call_input.done", { ...place, input: text });
    }
    const name = item.json["name"] ?? call.name;
    const fields = { ...place, name, arguments: text === "" ? "{}" : text };
    return this.#log.event("response.function_call_arguments.done", fields);
  }

  #closeMessage(): string {
    this.#letGo();
    return this.#log.release("completed");
  }

  /** The message gets no further parts. */
  #letGo(): void {
    const item = this.#message;
    if (!item) return;
    this.#message = null;
    item.isClosed = true;
    if (item.openBlocks === 0) this.#log.hold(item);
  }

  #endChoice(stop: StopReason): string {
    this.#ending = endingOf(stop);
    this.#letGo();
    return this.#log.release(this.#ending.status === "completed" ? "completed" : "incomplete");
  }

  #finish(ending: Ending, fault: string | null): string {
    return this.#log.envelope(ending.status, { ending, usage: this.#usage, fault });
  }
}

const begun = { ending: null, usage: null, fault: null };
