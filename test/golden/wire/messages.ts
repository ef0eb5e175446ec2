// Messages, as their clients read them: one block after the other, each with its start and stop.
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

export function readMessages(stream: string): Told {
  const events = eventsOf(stream).map(({ event, data }) => {
    const json = parse(data);
    expect(json["type"]).toBe(event);
    return json;
  });
  const types = events.map((event) => textIn(event, "type"));
  expect(types[0]).toBe("message_start");
  expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
  const message = objectIn(at(events, 0), "message");
  expect(message).toMatchObject({ content: [], stop_reason: null });
  readUsage(objectIn(message, "usage"));
  const content = readBlocks(events.slice(1, -2));
  const end = at(events, events.length - 2);
  const stop = objectIn(end, "delta");
  return readMessage({ ...message, ...stop, content, usage: objectIn(end, "usage") });
}

/** The blocks as the vendor's own client gathers them. */
function readBlocks(events: readonly JsonObject[]): JsonObject[] {
  const blocks: JsonObject[] = [];
  let open: JsonObject | null = null;
  let json = "";
  for (const event of events) {
    const isStart = event["type"] === "content_block_start";
    expect(event["index"]).toBe(isStart ? blocks.length : blocks.length - 1);
    if (isStart) {
      expect(open).toBeNull();
      open = { ...objectIn(event, "content_block") };
      blocks.push(open);
      json = "";
      continue;
    }
    if (!open) throw new Error("a piece stands outside of a block");
    if (event["type"] === "content_block_stop") {
      const isCall = open["type"] === "tool_use" || open["type"] === "server_tool_use";
      if (isCall) open["input"] = json === "" ? {} : parse(json);
      open = null;
      continue;
    }
    expect(event["type"]).toBe("content_block_delta");
    const delta = objectIn(event, "delta");
    if (delta["type"] === "input_json_delta") json += textIn(delta, "partial_json");
    else extend(open, delta);
  }
  expect(open).toBeNull();
  return blocks;
}

function extend(block: JsonObject, delta: JsonObject): void {
  switch (delta["type"]) {
    case "text_delta":
      block["text"] = textIn(block, "text") + textIn(delta, "text");
      break;
    case "thinking_delta":
      block["thinking"] = textIn(block, "thinking") + textIn(delta, "thinking");
      break;
    case "signature_delta":
      expect(block["signature"]).toBe("");
      block["signature"] = textIn(delta, "signature");
      break;
    case "citations_delta":
      objectIn(delta, "citation");
      break;
    default:
      throw new Error(`clients know no delta ${String(delta["type"])}`);
  }
}

/** A whole message. */
export function readMessage(message: JsonObject): Told {
  const choice = emptyChoice();
  const content = objectsIn(message, "content");
  choice.turn = [{ role: "assistant", content }];
  choice.finish = textIn(message, "stop_reason");
  for (const block of content) {
    if (block["type"] === "text") choice.text += textIn(block, "text");
    else if (block["type"] === "thinking") choice.reasoning += textIn(block, "thinking");
    else if (block["type"] === "tool_use") {
      const input = JSON.stringify(objectIn(block, "input"));
      choice.calls.push({ id: textIn(block, "id"), name: textIn(block, "name"), input });
    } else if (block["type"] === "server_tool_use") readCall(block, choice);
    else if (block["type"] === "web_search_tool_result") readResult(block, choice);
    else expect(block["type"]).toBe("redacted_thinking");
  }
  return { choices: [choice], usage: readUsage(objectIn(message, "usage")) };
}

function readCall(block: JsonObject, choice: ToldChoice): void {
  expect(block["name"]).toBe("web_search");
  const query = textIn(objectIn(block, "input"), "query");
  if (query !== "") choice.queries.push(query);
}

/** A result follows its call. */
function readResult(block: JsonObject, choice: ToldChoice): void {
  const [turn] = choice.turn;
  const blocks = turn ? objectsIn(turn, "content") : [];
  expect(at(blocks, blocks.indexOf(block) - 1)["id"]).toBe(textIn(block, "tool_use_id"));
  if (!Array.isArray(block["content"])) {
    expect(block["content"]).toMatchObject({ type: "web_search_tool_result_error" });
    return;
  }
  for (const page of objectsIn(block, "content")) {
    expect(page["type"]).toBe("web_search_result");
    choice.pages.push(textIn(page, "url"));
  }
}

function readUsage(usage: JsonObject): Told["usage"] {
  const cacheReadTokens = maybeCount(usage, "cache_read_input_tokens");
  const cacheWriteTokens = maybeCount(usage, "cache_creation_input_tokens");
  const details = usage["output_tokens_details"];
  return {
    inputTokens: countIn(usage, "input_tokens") + cacheReadTokens + cacheWriteTokens,
    outputTokens: countIn(usage, "output_tokens"),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens:
      details === undefined
        ? 0
        : countIn(objectIn(usage, "output_tokens_details"), "thinking_tokens"),
  };
}
