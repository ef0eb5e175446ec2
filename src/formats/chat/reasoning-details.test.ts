import { expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { chat } from "./index.ts";

const target = { model: "up", stream: false, outputTokensMax: 100 };

function forward(message: JsonObject): unknown {
  const messages = [{ role: "user", content: "hi" }, message];
  const body = chat.forward({ model: "public", messages, novel: 1 }, target);
  expect(body).toMatchObject({ model: "up", novel: 1 });
  return Array.isArray(body["messages"]) ? body["messages"][1] : null;
}

const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const said = { role: "assistant", content: "a", unknown: [null] };

test("what the upstream thought and signed itself goes on as it came", () => {
  const message = {
    ...said,
    reasoning: "hm",
    reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "s" }],
    tool_calls: [{ ...call, extra_content: { google: { thought_signature: "c2ln" } } }],
  };
  expect(forward(message)).toEqual(message);
});

test("what another vendor thought stays with the client, and so do its proofs", () => {
  const foreign = { type: "reasoning.encrypted", data: "sluice1:messages:::s" };
  expect(
    forward({
      ...said,
      reasoning_content: "hm",
      reasoning_details: [{ ...foreign, start_index: 0, end_index: 2 }],
      tool_calls: [
        { ...call, extra_content: { google: { thought_signature: "sluice1:content:call::s" } } },
      ],
    }),
  ).toEqual({ ...said, tool_calls: [call] });
});

test("of thoughts that several had, the upstream gets its own", () => {
  const own = { type: "reasoning.text", text: "mine", signature: "s" };
  const foreign = { type: "reasoning.encrypted", data: "sluice1:content:::s" };
  expect(
    forward({
      ...said,
      reasoning_content: "theirsmine",
      reasoning_details: [{ ...foreign, start_index: 0, end_index: 6 }, own],
    }),
  ).toEqual({ ...said, reasoning_content: "mine", reasoning_details: [own] });
});
