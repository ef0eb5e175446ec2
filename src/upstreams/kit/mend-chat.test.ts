// Fields that strict vendors of the chat wire refuse, though the gateway put them there.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";
import { mendChat } from "./mend-chat.ts";

const refusal: RequestFault = {
  blame: "request",
  status: 400,
  type: "invalid_request_error",
  code: null,
  param: null,
  message: "",
};
const mend = (body: JsonObject, message: string, set: Partial<RequestFault> = {}) =>
  mendChat(body, { ...refusal, message, ...set });

const user = { role: "user", content: "Hi" };
const call = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const turn = { role: "assistant", content: null, tool_calls: [call] };
const details = [{ type: "reasoning.text", text: "Hm." }];
const result = { role: "tool", tool_call_id: "c1", content: "seen" };

describe("X-H23 thoughts of earlier turns", () => {
  const refusing = [
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    "messages.1.assistant.reasoning_content: Extra inputs are not permitted",
    "messages[1].reasoning: reasoning is not supported with this model",
    "property 'reasoning' is unsupported",
    "Unknown parameter: 'messages[1].reasoning_content'.",
    "Additional properties are not allowed ('reasoning_details' was unexpected)",
  ];

  test.each(refusing)("are left out where they are refused: %s", (message) => {
    for (const field of [
      { reasoning_content: "Hm." },
      { reasoning: "Hm." },
      { reasoning_content: "Hm.", reasoning_details: details },
    ]) {
      const body = { model: "m", messages: [user, { ...turn, ...field }, result] };
      const before = structuredClone(body);
      expect(mend(body, message)).toEqual({ model: "m", messages: [user, turn, result] });
      expect(body).toEqual(before);
    }
  });

  test("are left out where a validator answers with 422", () => {
    const body = { messages: [user, { ...turn, reasoning_content: "Hm." }] };
    const message = "body.messages.1.assistant.reasoning_content: Extra inputs are not permitted";
    expect(mend(body, message, { status: 422 })).toEqual({ messages: [user, turn] });
  });

  test.each([
    ["The reasoning_content in the thinking mode must be passed back to the API.", {}],
    ["property 'reasoning_content' is unsupported", { status: 413 }],
    ["Unsupported parameter: 'reasoning'.", { param: "reasoning" }],
    ["temperature is not supported", {}],
  ])("stay where the refusal is another one: %s", (message, set) => {
    const body = { reasoning: {}, messages: [{ ...turn, reasoning_content: "Hm." }] };
    expect(mend(body, message, set)).toBeNull();
  });

  test("are not looked for where there are none", () => {
    expect(mend({ messages: [user, turn] }, refusing[0] ?? "")).toBeNull();
    const spoken = { messages: [{ ...user, reasoning_content: "mine" }] };
    expect(mend(spoken, refusing[0] ?? "")).toBeNull();
  });
});

test("X-H23 what stands on a call beside it is left out where it is not known", () => {
  const signed = { ...call, extra_content: { google: { thought_signature: "c2ln" } } };
  const body = { messages: [user, { ...turn, tool_calls: [signed] }, result] };
  const message = "'messages.1.tool_calls.0' : property 'extra_content' is unsupported";
  expect(mend(body, message)).toEqual({ messages: [user, turn, result] });
  expect(mend({ messages: [user, turn, result] }, message)).toBeNull();
});

test("X-H23 the wish for usage in a stream is left out where it is not known", () => {
  const body = { stream: true, stream_options: { include_usage: true }, messages: [user] };
  expect(mend(body, "Unrecognized request argument supplied: stream_options")).toEqual({
    stream: true,
    messages: [user],
  });
  expect(mend({ messages: [user] }, "Unknown parameter: stream_options")).toBeNull();
});
