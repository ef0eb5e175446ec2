// A chat upstream's stream in neutral pieces. Its end is `[DONE]`, since usage may come after the
// last choice has ended; where a vendor leaves that out, it is the close after all of them have.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { SseEvent } from "../../core/sse.ts";
import { readNumber } from "../kit/openai-fields.ts";
import { errorMessage, faultIn, parseChunk } from "../kit/openai-stream.ts";
import { readOpenaiUsage, usageIn } from "../kit/openai-usage.ts";
import type { StreamDecoder, StreamPart } from "../stream-part.ts";
import { laterUsage, type Usage } from "../usage.ts";
import { ChoiceDecoder, type ReplyState } from "./choice-decoder.ts";

const choicesMax = 128;
/** xAI's send a piece of reasoning as often as they are asked whether they still think. */
const repeatingModels = /(?:^|\/)grok-/;

export class ChatStreamDecoder implements StreamDecoder {
  readonly #reply: ReplyState = {
    id: null,
    blocks: 0,
    calls: 0,
    repeatsThoughts: false,
  };
  readonly #choices = new Map<number, ChoiceDecoder>();
  #usage: Usage | null = null;
  #isBegun = false;
  #isOver = false;

  push({ event, data }: SseEvent): StreamPart[] {
    if (this.#isOver) return [];
    if (data === "[DONE]") return this.end();
    const chunk = parseChunk(data);
    if (!chunk) return this.#fault("an event of the stream is not JSON");
    return event === "error"
      ? this.#fault(errorMessage(chunk["error"] ?? chunk))
      : this.read(chunk);
  }

  close(): StreamPart[] {
    const choices = [...this.#choices.values()];
    const isWhole = choices.length > 0 && choices.every(({ isOver }) => isOver);
    return isWhole && !this.#isOver ? this.end() : [];
  }

  read(chunk: JsonObject): StreamPart[] {
    const error = faultIn(chunk);
    if (error !== null) return this.#fault(errorMessage(error));
    const parts: StreamPart[] = [];
    // Before the answer some tell what a filter found in the prompt: no id, no choice, no usage.
    if (!this.#isBegun && isBare(chunk)) return parts;
    if (!this.#isBegun) {
      this.#isBegun = true;
      const { id, model } = chunk;
      this.#reply.repeatsThoughts = typeof model === "string" && repeatingModels.test(model);
      this.#reply.id = typeof id === "string" && id !== "" ? id : null;
      parts.push({ kind: "reply-start", id: this.#reply.id });
    }
    const choices = chunk["choices"];
    if (Array.isArray(choices)) for (const choice of choices) this.#readChoice(choice, parts);
    const usage = usageIn(chunk);
    if (usage) this.#readUsage(usage, parts);
    return parts;
  }

  end(): StreamPart[] {
    if (!this.#isBegun) return this.#fault("the stream ended before it began");
    this.#isOver = true;
    const parts: StreamPart[] = [];
    for (const choice of this.#choices.values()) if (!choice.isOver) choice.end(null, parts);
    parts.push({ kind: "reply-end" });
    return parts;
  }

  #readChoice(choice: Json, parts: StreamPart[]): void {
    if (!isObject(choice)) return;
    const decoder = this.#choiceAt(readNumber(choice["index"]) ?? 0);
    if (decoder.isOver) return;
    if (isObject(choice["delta"])) decoder.read(choice["delta"], parts);
    // An empty reason is what some vendors send for none.
    if (choice["finish_reason"]) decoder.end(choice["finish_reason"], parts);
  }

  #choiceAt(index: number): ChoiceDecoder {
    const place = Number.isInteger(index) && index >= 0 && index < choicesMax ? index : 0;
    const known = this.#choices.get(place);
    if (known) return known;
    const choice = new ChoiceDecoder(place, this.#reply);
    this.#choices.set(place, choice);
    return choice;
  }

  #readUsage(reported: JsonObject, parts: StreamPart[]): void {
    this.#usage = laterUsage(this.#usage, readOpenaiUsage(reported));
    if (this.#usage) parts.push({ kind: "usage", usage: this.#usage });
  }

  #fault(message: string): StreamPart[] {
    this.#isOver = true;
    return [{ kind: "fault", message }];
  }
}

function isBare(chunk: JsonObject): boolean {
  const { id, choices } = chunk;
  return !id && Array.isArray(choices) && choices.length === 0 && !usageIn(chunk);
}
