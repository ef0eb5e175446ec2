// Chat completions and legacy completions, as their clients read them.
import { expect } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Usage } from "../../../src/formats/usage.ts";
import {
  at,
  countIn,
  emptyChoice,
  eventsOf,
  objectIn,
  objectsIn,
  parse,
  textIn,
  type Told,
  type ToldChoice,
} from "./told.ts";

export function readChat(stream: string): Told {
  const readers: ChatChoice[] = [];
  const usage = readChunks(stream, "chat.completion.chunk", (choice) => {
    const index = countIn(choice, "index");
    readers[index] ??= new ChatChoice();
    at(readers, index).read(choice);
  });
  return { choices: readers.map((reader) => reader.told()), usage };
}

export function readCompletions(stream: string): Told {
  const choices: ToldChoice[] = [];
  const usage = readChunks(stream, "text_completion", (choice) => {
    const index = countIn(choice, "index");
    choices[index] ??= emptyChoice();
    const told = at(choices, index);
    expect(told.finish).toBe("");
    told.text += textIn(choice, "text");
    if (choice["finish_reason"] !== null) told.finish = textIn(choice, "finish_reason");
  });
  for (const { finish } of choices) expect(finish).not.toBe("");
  return { choices, usage };
}

/** Every chunk is of the same answer, the usage comes last, and `[DONE]` ends it all, once. */
function readChunks(
  stream: string,
  object: string,
  read: (choice: JsonObject) => void,
): Usage | null {
  const events = eventsOf(stream);
  expect(events.every(({ event }) => event === null)).toBe(true);
  expect(events.at(-1)?.data).toBe("[DONE]");
  const chunks = events.slice(0, -1).map(({ data }) => parse(data));
  const [first] = chunks;
  expect(first?.["object"]).toBe(object);
  let usage: Usage | null = null;
  for (const chunk of chunks) {
    expect(usage).toBeNull();
    for (const name of ["id", "object", "created", "model"]) {
      expect(chunk[name]).toBe(first?.[name]);
    }
    const choices = objectsIn(chunk, "choices");
    if (choices.length === 0) usage = readUsage(objectIn(chunk, "usage"));
    else expect(chunk["usage"] ?? null).toBeNull();
    for (const choice of choices) read(choice);
  }
  return usage;
}

function readUsage(usage: JsonObject): Usage {
  const input = objectIn(usage, "prompt_tokens_details");
  const output = objectIn(usage, "completion_tokens_details");
  const inputTokens = countIn(usage, "prompt_tokens");
  const outputTokens = countIn(usage, "completion_tokens");
  expect(usage["total_tokens"]).toBe(inputTokens + outputTokens);
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countIn(input, "cached_tokens"),
    cacheWriteTokens: countIn(input, "cache_write_tokens"),
    reasoningTokens: countIn(output, "reasoning_tokens"),
  };
}

class ChatChoice {
  readonly #told = emptyChoice();
  readonly #calls: JsonObject[] = [];
  readonly #details: JsonObject[] = [];
  #hasRole = false;

  read(choice: JsonObject): void {
    expect(this.#told.finish).toBe("");
    const delta = objectIn(choice, "delta");
    if (this.#hasRole) expect(delta).not.toHaveProperty("role");
    else expect(delta["role"]).toBe("assistant");
    this.#hasRole = true;
    this.#told.text += delta["content"] === undefined ? "" : textIn(delta, "content");
    if (typeof delta["refusal"] === "string") this.#told.refusal += delta["refusal"];
    if (delta["reasoning_content"] !== undefined) {
      this.#told.reasoning += textIn(delta, "reasoning_content");
    }
    if (delta["reasoning_details"] !== undefined) {
      this.#details.push(...objectsIn(delta, "reasoning_details"));
    }
    if (delta["tool_calls"] !== undefined) {
      for (const piece of objectsIn(delta, "tool_calls")) this.#readCall(piece);
    }
    if (choice["finish_reason"] !== null) this.#told.finish = textIn(choice, "finish_reason");
  }

  told(): ToldChoice {
    const { text, reasoning, finish } = this.#told;
    expect(finish).not.toBe("");
    const calls = this.#calls.map((call) => {
      const { name, arguments: input } = objectIn(call, "function");
      return { id: textIn(call, "id"), name: String(name), input: String(input) };
    });
    const message: JsonObject = { role: "assistant", content: text };
    if (reasoning !== "") message["reasoning_content"] = reasoning;
    if (this.#details.length > 0) message["reasoning_details"] = this.#details;
    if (this.#calls.length > 0) message["tool_calls"] = this.#calls;
    return { ...this.#told, calls, turn: [message] };
  }

  /** The first piece of a call says what it is; the others go on with its input. */
  #readCall({ index, ...piece }: JsonObject): void {
    const call = this.#calls[Number(index)];
    const called = objectIn(piece, "function");
    if (!call) {
      expect(index).toBe(this.#calls.length);
      expect(textIn(piece, "id")).not.toBe("");
      expect(piece["type"]).toBe("function");
      expect(textIn(called, "name")).not.toBe("");
      this.#calls.push({ ...piece, function: { ...called } });
      return;
    }
    expect(piece).not.toHaveProperty("id");
    const kept = objectIn(call, "function");
    kept["arguments"] = textIn(kept, "arguments") + textIn(called, "arguments");
    if (piece["extra_content"] !== undefined) call["extra_content"] = piece["extra_content"];
  }
}
