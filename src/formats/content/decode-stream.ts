// Reads a stream of generateContent replies. Google has no blocks and no end marker: a block lasts
// while its kind stays the same, and the reply is whole when each candidate has said why it ended.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Citation, Proof, SearchPart } from "../exchange.ts";
import type { BlockContent, StreamDecoder, StreamPart } from "../stream-part.ts";
import { laterUsage, type Usage } from "../usage.ts";
import { readCitations } from "./citations.ts";
import { codeText, decodeMedia } from "./decode-turns.ts";
import {
  candidateIndex,
  candidateParts,
  candidatesOf,
  isBlocked,
  parseChunk,
  readChunkFault,
} from "./observe.ts";
import { readFinish, readStop } from "./stop-reason.ts";
import { readContentUsage } from "./usage.ts";
import { addSearch } from "./web-search.ts";

interface OpenBlock {
  block: number;
  kind: "text" | "reasoning";
  /** Start of it in the choice's text. */
  textStart: number;
  /** Its signature has come, so nothing may be added to it. */
  isSigned: boolean;
}

interface Choice {
  index: number;
  open: OpenBlock | null;
  /** All of its text, which citations count in. */
  text: string;
  citations: Citation[];
  /** The search as far as it is told, which goes on to the end. */
  search: SearchPart | null;
  hasCalls: boolean;
  finish: string | null;
}

export class ContentStreamDecoder implements StreamDecoder {
  readonly #choices = new Map<number, Choice>();
  #parts: StreamPart[] = [];
  #responseId: string | null = null;
  #isStarted = false;
  #isFaulty = false;
  #isBlocked = false;
  #blocks = 0;
  #calls = 0;
  #usage: Usage | null = null;

  push({ data }: { data: string }): StreamPart[] {
    if (this.#isFaulty || data === "[DONE]") return [];
    const chunk = parseChunk(data);
    if (!chunk) return this.#fault("an event of the stream is not JSON");
    const fault = readChunkFault(chunk);
    return fault === null ? this.take(chunk) : this.#fault(fault);
  }

  /** One reply: an event of a stream, or the whole of it. */
  take(chunk: JsonObject): StreamPart[] {
    if (!this.#isStarted) this.#start(chunk);
    for (const [at, candidate] of candidatesOf(chunk).entries()) {
      this.#takeCandidate(this.#choiceOf(candidateIndex(candidate, at)), candidate);
    }
    this.#isBlocked ||= isBlocked(chunk);
    const usage = readContentUsage(chunk["usageMetadata"]);
    if (usage) {
      this.#usage = laterUsage(this.#usage, usage) ?? usage;
      this.#parts.push({ kind: "usage", usage: this.#usage });
    }
    return this.#taken();
  }

  close(): StreamPart[] {
    const isEnded = [...this.#choices.values()].every(({ finish }) => finish !== null);
    const isWhole = this.#isBlocked || (this.#choices.size > 0 && isEnded);
    return isWhole && !this.#isFaulty ? this.end() : [];
  }

  /** Ends the reply as it is: some vendors do not say why a candidate ended. */
  end(): StreamPart[] {
    // A prompt that was refused, or an answer of nothing, is still one answer.
    if (this.#choices.size === 0) this.#choiceOf(0);
    const choices = [...this.#choices.values()].toSorted((a, b) => a.index - b.index);
    for (const choice of choices) {
      this.#endBlock(choice);
      const { index, finish, hasCalls, search } = choice;
      if (search) this.#takeWhole(choice, { kind: "search", part: search });
      const stop = finish === null && this.#isBlocked ? "filter" : readStop(finish, hasCalls);
      this.#parts.push({ kind: "choice-end", choice: index, stop, stopSequence: null });
    }
    this.#parts.push({ kind: "reply-end" });
    return this.#taken();
  }

  #start(chunk: JsonObject): void {
    const id = chunk["responseId"];
    this.#responseId = typeof id === "string" && id !== "" ? id : null;
    this.#isStarted = true;
    this.#parts.push({ kind: "reply-start", id: this.#responseId });
  }

  #taken(): StreamPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #fault(message: string): StreamPart[] {
    this.#isFaulty = true;
    return [{ kind: "fault", message }];
  }

  #choiceOf(index: number): Choice {
    let choice = this.#choices.get(index);
    if (!choice) {
      choice = {
        index,
        open: null,
        text: "",
        citations: [],
        search: null,
        hasCalls: false,
        finish: null,
      };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #takeCandidate(choice: Choice, candidate: JsonObject): void {
    for (const part of candidateParts(candidate)) this.#takePart(choice, part);
    // Some vendors say STOP in every event, so the last word counts and the end comes at the close.
    choice.finish = readFinish(candidate["finishReason"]) ?? choice.finish;
    const grounding = candidate["groundingMetadata"];
    if (isObject(grounding)) choice.search = addSearch(choice.search, grounding);
    if (grounding || candidate["citationMetadata"]) {
      const known = new Set(choice.citations.map((citation) => JSON.stringify(citation)));
      for (const citation of readCitations(candidate, choice.text)) {
        if (!known.has(JSON.stringify(citation))) choice.citations.push(citation);
      }
    }
  }

  #takePart(choice: Choice, part: JsonObject): void {
    const { functionCall: call, text, thoughtSignature } = part;
    const signature = typeof thoughtSignature === "string" ? thoughtSignature : "";
    if (isObject(call)) {
      this.#takeCall(choice, call, signature);
    } else if (part["thought"] === true) {
      this.#takeText(choice, "reasoning", typeof text === "string" ? text : "", signature);
    } else if (typeof text === "string") {
      this.#takeText(choice, "text", text, signature);
    } else {
      const code = codeText(part);
      if (code !== null) return this.#takeText(choice, "text", code, signature);
      const media = decodeMedia(part, `candidates.${choice.index}`);
      if (media) this.#takeWhole(choice, { kind: "media", part: media });
    }
  }

  #takeText(choice: Choice, kind: "text" | "reasoning", text: string, signature: string): void {
    if (text === "" && signature === "") return;
    if (choice.open?.kind !== kind || choice.open.isSigned) this.#endBlock(choice);
    choice.open ??= {
      block: this.#startBlock(choice, contents[kind]),
      kind,
      textStart: choice.text.length,
      isSigned: false,
    };
    const { block } = choice.open;
    if (kind === "text") choice.text += text;
    if (text !== "") this.#parts.push({ kind: "block-delta", block, text });
    if (signature === "") return;
    const proof: Proof = { dialect: "content", data: signature };
    if (kind === "text") proof.on = "text";
    this.#parts.push({ kind: "block-proof", block, proof });
    choice.open.isSigned = true;
  }

  #takeCall(choice: Choice, call: JsonObject, signature: string): void {
    this.#endBlock(choice);
    choice.hasCalls = true;
    const number = this.#calls++;
    const vendorId = call["id"];
    const id =
      typeof vendorId === "string" && vendorId !== ""
        ? vendorId
        : `call_${this.#responseId ?? "0"}_${number}`;
    const name = typeof call["name"] === "string" ? call["name"] : "";
    const block = this.#startBlock(choice, { kind: "call", id, name, isCustom: false });
    // Some formats have the place of a signature before the call.
    if (signature !== "") {
      const proof: Proof = { dialect: "content", data: signature, on: "call" };
      this.#parts.push({ kind: "block-proof", block, proof });
    }
    const input = JSON.stringify(isObject(call["args"]) ? call["args"] : {});
    this.#parts.push({ kind: "block-delta", block, text: input });
    this.#parts.push({ kind: "block-end", block });
  }

  #takeWhole(choice: Choice, content: BlockContent): void {
    this.#endBlock(choice);
    const block = this.#startBlock(choice, content);
    this.#parts.push({ kind: "block-end", block });
  }

  #startBlock({ index }: Choice, content: BlockContent): number {
    const block = this.#blocks++;
    this.#parts.push({ kind: "block-start", block, choice: index, content });
    return block;
  }

  #endBlock(choice: Choice): void {
    if (!choice.open) return;
    const { block, kind, textStart } = choice.open;
    choice.open = null;
    if (kind === "text") {
      for (const citation of choice.citations) {
        const moved = moveCitation(citation, textStart);
        this.#parts.push({ kind: "block-citation", block, citation: moved });
      }
      choice.citations = [];
    }
    this.#parts.push({ kind: "block-end", block });
  }
}

/** Google counts in the whole answer. */
function moveCitation(citation: Citation, by: number): Citation {
  const { start, end } = citation;
  if (by === 0 || start === null || end === null) return citation;
  return { ...citation, start: Math.max(0, start - by), end: Math.max(0, end - by) };
}

const contents = {
  text: { kind: "text" },
  reasoning: { kind: "reasoning", isRedacted: false },
} as const;
