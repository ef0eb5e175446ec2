// A conversation with tools goes on at a vendor that does not know a field which only the gateway
// has put into the history.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

const called = { name: "look", arguments: "{}" };
const made: Record<"chat" | "content", JsonObject> = {
  chat: {
    message: {
      role: "assistant",
      content: null,
      reasoning_content: "Let me look.",
      tool_calls: [{ id: "call_1", type: "function", function: called }],
    },
    finish_reason: "tool_calls",
  },
  content: {
    content: { role: "model", parts: [{ functionCall: { id: "call_1", name: "look", args: {} } }] },
    finishReason: "STOP",
  },
};

/** Calls a tool at first, then refuses its own words in the history. */
const refusing = (dialect: "chat" | "content", field: RegExp, message: string): VendorScript => {
  return (request, reply) => {
    if (field.test(request.text)) return reply.json(wires[dialect].refusal(400, message), 400);
    if (request.text.includes("seen")) return answers(dialect, "Yes.")(request, reply);
    const list = dialect === "chat" ? "choices" : "candidates";
    const answer = wires[dialect].reply("", { input: 1, output: 1 });
    return reply.json({ ...answer, [list]: [{ index: 0, ...made[dialect] }] });
  };
};

const groq = kept(
  new Vendor(
    refusing(
      "chat",
      /reasoning_content/,
      "'messages.1' : for 'role:assistant' the following must be satisfied" +
        "[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
  ),
);
const vertex = kept(
  new Vendor(
    refusing(
      "content",
      /"function(?:Call|Response)":\{[^{}]*"id"/,
      'Invalid JSON payload received. Unknown name "id" at ' +
        "'contents[1].parts[0].function_call': Cannot find field.",
    ),
  ),
);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        groq.channel({ name: "groq", models: ["thinker"], ...wires.chat.channel }),
        vertex.channel({ name: "vertex", models: ["gemini-3-pro"], ...wires.content.channel }),
      ],
      unpriced: "free",
    }),
  }),
);

const tools = [{ name: "look", schema: { type: "object", properties: {} } }];

describe.each([
  ["thinker", groq, /reasoning_content/],
  ["gemini-3-pro", vertex, /"function(?:Call|Response)":\{[^{}]*"id"/],
])("the second turn at %s", (model, vendor, refused) => {
  test.each([...dialects])("X-H23 is served without what it refused, to %s", async (client) => {
    const { path, body, next } = clients[client];
    const asked = body({ model, prompt: "Look.", tools, thinks: true }, false);
    const first = await gateway.post(path(model, false), asked);
    expect(first.status).toBe(200);
    const history = next(asked, (await first.json()) as JsonObject, ["seen"]);
    vendor.requests.length = 0;
    const response = await gateway.post(path(model, false), history);
    const text = await response.text();
    expect([text, response.status]).toEqual([text, 200]);
    const sent = vendor.requests.map((request) => request.text);
    expect(sent.map((one) => refused.test(one))).toEqual([true, false]);
    expect(sent[1]).toContain('"look"');
    expect(sent[1]).toContain("seen");
  });
});
