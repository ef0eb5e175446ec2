// A client's next request: what it asked, the answer as it kept it, and the results of its tools.
import type { JsonObject } from "../../src/core/json.ts";
import type { ClientName } from "./matrix.ts";
import { readMessage } from "./wire/messages.ts";
import { readContentReply } from "./wire/content.ts";
import { readResponse } from "./wire/responses.ts";
import { at, objectIn, objectsIn, textIn, type ToldCall, type ToldChoice } from "./wire/told.ts";

/** The part of a whole reply that a client keeps. */
export function choiceIn(
  client: ClientName,
  reply: JsonObject,
): Pick<ToldChoice, "turn" | "calls"> {
  switch (client) {
    case "messages":
      return at(readMessage(reply).choices, 0);
    case "responses":
      return at(readResponse(reply).choices, 0);
    case "content":
      return at(readContentReply(reply).choices, 0);
    default: {
      const message = objectIn(at(objectsIn(reply, "choices"), 0), "message");
      const calls = message["tool_calls"] === undefined ? [] : objectsIn(message, "tool_calls");
      return { turn: [message], calls: calls.map(chatCall) };
    }
  }
}

function chatCall(call: JsonObject): ToldCall {
  const called = objectIn(call, "function");
  return { id: textIn(call, "id"), name: textIn(called, "name"), input: "" };
}

export function nextRequest(
  client: ClientName,
  ask: JsonObject,
  { turn, calls }: Pick<ToldChoice, "turn" | "calls">,
): JsonObject {
  switch (client) {
    case "responses": {
      const question = { role: "user", content: ask["input"] };
      const results = calls.map(({ id }) => ({
        type: "function_call_output",
        call_id: id,
        output: "Done.",
      }));
      return { ...ask, input: [question, ...turn, ...results, { role: "user", content: "And?" }] };
    }
    case "messages": {
      const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id }));
      const content = [...results, { type: "text", text: "And?" }];
      const messages = [...objectsIn(ask, "messages"), ...turn, { role: "user", content }];
      return { ...ask, messages };
    }
    case "content": {
      const results = calls.map(({ id, name }) => ({
        functionResponse: { id, name, response: { output: "Done." } },
      }));
      const last = { role: "user", parts: [...results, { text: "And?" }] };
      return { ...ask, contents: [...objectsIn(ask, "contents"), ...turn, last] };
    }
    default: {
      const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "Done." }));
      const last = { role: "user", content: "And?" };
      return { ...ask, messages: [...objectsIn(ask, "messages"), ...turn, ...results, last] };
    }
  }
}
