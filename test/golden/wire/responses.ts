// Responses, as their clients read them: every item and every part begins, goes on and ends.
import { expect } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
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
} from "./told.ts";

interface Item {
  /** Open parts by their index, with the text that has come. */
  parts: Map<number, string>;
  input: string;
  isDone: boolean;
}

const terminals = new Set(["response.completed", "response.incomplete", "response.failed"]);

export function readResponses(stream: string): Told {
  const events = eventsOf(stream).map(({ event, data }) => {
    const json = parse(data);
    expect(json["type"]).toBe(event);
    return json;
  });
  expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, index) => index));
  const types = events.map((event) => textIn(event, "type"));
  expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
  expect(types.filter((type) => terminals.has(type))).toEqual([at(types, types.length - 1)]);
  for (const event of events.slice(0, 2)) {
    expect(event["response"]).toMatchObject({ status: "in_progress", output: [], usage: null });
  }
  const done: JsonObject[] = [];
  const items: Item[] = [];
  for (const event of events.slice(2, -1)) readEvent(event, items, done);
  expect(items.every(({ isDone }) => isDone)).toBe(true);
  const response = objectIn(at(events, events.length - 1), "response");
  expect(response["output"]).toEqual(done);
  return readResponse(response);
}

function readEvent(event: JsonObject, items: Item[], done: JsonObject[]): void {
  const index = countIn(event, "output_index");
  const [, subject = "", verb = ""] = textIn(event, "type").split(".");
  if (subject === "output_item" && verb === "added") {
    expect(index).toBe(items.length);
    items.push({ parts: new Map(), input: "", isDone: false });
    return;
  }
  const item = at(items, index);
  expect(item.isDone).toBe(false);
  if (subject === "output_item") {
    expect(item.parts.size).toBe(0);
    item.isDone = true;
    done[index] = objectIn(event, "item");
    return;
  }
  readPiece(event, item, `${subject}.${verb}`);
}

function readPiece(event: JsonObject, item: Item, name: string): void {
  const part = Number(event["content_index"] ?? event["summary_index"] ?? 0);
  switch (name) {
    case "content_part.added":
    case "reasoning_summary_part.added":
      expect(item.parts.has(part)).toBe(false);
      item.parts.set(part, "");
      break;
    case "output_text.delta":
    case "refusal.delta":
    case "reasoning_summary_text.delta":
      expect(item.parts.has(part)).toBe(true);
      item.parts.set(part, (item.parts.get(part) ?? "") + textIn(event, "delta"));
      break;
    case "output_text.done":
    case "refusal.done":
    case "reasoning_summary_text.done":
      expect(event["text"] ?? event["refusal"]).toBe(item.parts.get(part));
      break;
    case "content_part.done":
    case "reasoning_summary_part.done":
      expect(item.parts.delete(part)).toBe(true);
      break;
    case "function_call_arguments.delta":
      item.input += textIn(event, "delta");
      break;
    case "function_call_arguments.done":
      expect(event["arguments"]).toBe(item.input === "" ? "{}" : item.input);
      break;
    case "output_text.annotation":
    case "image_generation_call.completed":
    case "web_search_call.in_progress":
    case "web_search_call.searching":
    case "web_search_call.completed":
      break;
    default:
      throw new Error(`clients know no event ${name}`);
  }
}

/** A whole response. */
export function readResponse(response: JsonObject): Told {
  const choice = emptyChoice();
  choice.turn = objectsIn(response, "output");
  for (const item of choice.turn) {
    if (item["type"] === "reasoning") {
      for (const part of objectsIn(item, "summary")) choice.reasoning += textIn(part, "text");
    } else if (item["type"] === "function_call") {
      const [id, name] = [textIn(item, "call_id"), textIn(item, "name")];
      choice.calls.push({ id, name, input: textIn(item, "arguments") });
    } else if (item["type"] === "message") {
      for (const part of objectsIn(item, "content")) {
        if (part["type"] === "refusal") choice.refusal += textIn(part, "refusal");
        else choice.text += textIn(part, "text");
      }
    } else if (item["type"] === "web_search_call") {
      const action = objectIn(item, "action");
      expect(action["type"]).toBe("search");
      const queries = Array.isArray(action["queries"]) ? action["queries"] : [];
      choice.queries.push(...queries.map(String));
      for (const source of objectsIn(action, "sources")) choice.pages.push(textIn(source, "url"));
    }
  }
  const details = response["incomplete_details"];
  const reason = details === null ? null : objectIn(response, "incomplete_details")["reason"];
  choice.finish = String(reason ?? response["status"]);
  return { choices: [choice], usage: readUsage(response) };
}

function readUsage(response: JsonObject): Told["usage"] {
  if (response["usage"] === null) return null;
  const usage = objectIn(response, "usage");
  const input = objectIn(usage, "input_tokens_details");
  const inputTokens = countIn(usage, "input_tokens");
  const outputTokens = countIn(usage, "output_tokens");
  expect(usage["total_tokens"]).toBe(inputTokens + outputTokens);
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countIn(input, "cached_tokens"),
    cacheWriteTokens: countIn(input, "cache_write_tokens"),
    reasoningTokens: countIn(objectIn(usage, "output_tokens_details"), "reasoning_tokens"),
  };
}
