// generateContent, as its clients read it: bare data events whose parts add up.
import { expect } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import {
  at,
  countIn,
  emptyChoice,
  eventsOf,
  maybeCount,
  objectIn,
  objectsIn,
  parse,
  textIn,
  type Told,
  type ToldChoice,
} from "./told.ts";

export function readContent(stream: string): Told {
  const events = eventsOf(stream);
  expect(events.every(({ event }) => event === null)).toBe(true);
  const chunks = events.map(({ data }) => parse(data));
  const choices: ToldChoice[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const isLast = index === chunks.length - 1;
    if (!isLast) expect(chunk).not.toHaveProperty("usageMetadata");
    for (const candidate of objectsIn(chunk, "candidates")) {
      const place = countIn(candidate, "index");
      choices[place] ??= emptyChoice();
      readCandidate(candidate, at(choices, place));
      expect(candidate["finishReason"] !== undefined).toBe(isLast);
    }
  }
  return { choices, usage: readUsage(at(chunks, chunks.length - 1)) };
}

/** A whole reply. */
export function readContentReply(reply: JsonObject): Told {
  const choices = objectsIn(reply, "candidates").map((candidate) => {
    const choice = emptyChoice();
    readCandidate(candidate, choice);
    return choice;
  });
  return { choices, usage: readUsage(reply) };
}

function readCandidate(candidate: JsonObject, choice: ToldChoice): void {
  const content = objectIn(candidate, "content");
  expect(content["role"]).toBe("model");
  const parts = objectsIn(content, "parts");
  if (parts.length > 0) choice.turn.push({ role: "model", parts });
  for (const part of parts) {
    if (part["functionCall"] !== undefined) {
      const call = objectIn(part, "functionCall");
      const input = JSON.stringify(objectIn(call, "args"));
      choice.calls.push({ id: textIn(call, "id"), name: textIn(call, "name"), input });
    } else if (part["thought"] === true) choice.reasoning += textIn(part, "text");
    else if (part["text"] !== undefined) choice.text += textIn(part, "text");
    else objectIn(part, "inlineData");
  }
  if (candidate["groundingMetadata"] !== undefined) {
    readGrounding(objectIn(candidate, "groundingMetadata"), choice);
  }
  if (candidate["finishReason"] === undefined) return;
  expect(choice.finish).toBe("");
  choice.finish = textIn(candidate, "finishReason");
}

function readGrounding(grounding: JsonObject, choice: ToldChoice): void {
  const queries = grounding["webSearchQueries"];
  if (!Array.isArray(queries)) return;
  choice.queries.push(...queries.map(String));
  for (const chunk of objectsIn(grounding, "groundingChunks")) {
    if (chunk["web"] !== undefined) choice.pages.push(textIn(objectIn(chunk, "web"), "uri"));
  }
}

function readUsage(chunk: JsonObject): Told["usage"] {
  if (chunk["usageMetadata"] === undefined) return null;
  const usage = objectIn(chunk, "usageMetadata");
  const inputTokens = countIn(usage, "promptTokenCount");
  const reasoningTokens = maybeCount(usage, "thoughtsTokenCount");
  const outputTokens = countIn(usage, "candidatesTokenCount") + reasoningTokens;
  expect(usage["totalTokenCount"]).toBe(inputTokens + outputTokens);
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: maybeCount(usage, "cachedContentTokenCount"),
    reasoningTokens,
  };
}
