// Chat vendors that say in a way of their own what the wire has another place for: every client
// reads it, whole and streamed.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { defaultUsage, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({ channels: [vendor.channel({ models: ["m"] })], unpriced: "free" }),
  }),
);

/** The message, and the deltas that make the same. */
function says(message: JsonObject, deltas: readonly JsonObject[], finish = "stop"): void {
  const head = { id: "chatcmpl-1", created: 1_790_000_000, model: "vendor-model" };
  vendor.script = ({ body }, reply) => {
    if (body["stream"] !== true) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      return reply.json({ ...head, object: "chat.completion", choices, usage: defaultUsage });
    }
    const chunk = (delta: JsonObject, finish_reason: string | null) =>
      reply.event({ ...head, choices: [{ index: 0, delta, finish_reason }] });
    reply.stream();
    for (const delta of deltas) chunk(delta, null);
    chunk({}, finish);
    reply.event({ ...head, choices: [], usage: defaultUsage });
    reply.event("[DONE]");
    reply.end();
  };
}

async function ask(client: Dialect, stream: boolean) {
  const { path, body, assemble, read } = clients[client];
  const asked = body({ model: "m", prompt: "Hello?", thinks: true }, stream);
  const response = await gateway.post(path("m", stream), asked);
  const text = await response.text();
  expect([text, response.status]).toEqual([text, 200]);
  const reply = stream ? assemble(text) : (JSON.parse(text) as JsonObject);
  return { text, answered: read(reply) };
}

const converted = dialects.filter((client) => client !== "chat");
const ways = [true, false];

describe.each(converted)("a client of %s", (client) => {
  test("X-S29 is told a function as one, whatever stands beside it", async () => {
    const custom = { name: "", input: "" };
    const called = { name: "get_weather", arguments: '{"city":"Paris"}' };
    const call = { id: "call_1", type: "function", custom };
    says(
      { role: "assistant", content: null, tool_calls: [{ ...call, function: called }] },
      [
        { role: "assistant", tool_calls: [{ index: 0, ...call, function: { name: called.name } }] },
        { tool_calls: [{ index: 0, custom, function: { arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, custom, function: { arguments: '"Paris"}' } }] },
      ],
      "tool_calls",
    );
    for (const stream of ways) {
      const { answered } = await ask(client, stream);
      expect(answered.calls).toMatchObject([{ name: "get_weather", input: { city: "Paris" } }]);
    }
  });

  test("X-H21 reads what was thought in parts of the content", async () => {
    const thinks = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] });
    says({ role: "assistant", content: [thinks("Hm, well."), { type: "text", text: "Yes." }] }, [
      { role: "assistant", content: "" },
      { content: [thinks("Hm, ")] },
      { content: [thinks("well.")] },
      { content: [{ type: "text", text: "Ye" }] },
      { content: "s." },
    ]);
    for (const stream of ways) {
      const { answered } = await ask(client, stream);
      expect(answered).toMatchObject({ reasoning: "Hm, well.", text: "Yes." });
    }
  });

  test("X-H22 reads the reasoning that stands in details alone", async () => {
    const detail = (text: string) => ({ type: "reasoning.text", text, index: 0 });
    says({ role: "assistant", content: "Yes.", reasoning_details: [detail("Hm, well.")] }, [
      { role: "assistant", content: "", reasoning_details: [detail("Hm, ")] },
      { content: "", reasoning_details: [detail("well.")] },
      { content: "Yes." },
    ]);
    for (const stream of ways) {
      const { answered } = await ask(client, stream);
      expect(answered).toMatchObject({ reasoning: "Hm, well.", text: "Yes." });
    }
  });

  test("X-M23 gets the pictures beside the content", async () => {
    const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
    const url = `data:image/png;base64,${base64}`;
    const images = [{ type: "image_url", image_url: { url } }];
    says({ role: "assistant", content: "Here.", images }, [
      { role: "assistant", content: "Here." },
      { content: "", images },
    ]);
    for (const stream of ways) {
      const { text, answered } = await ask(client, stream);
      expect(text).toContain(base64);
      expect(answered.text).toStartWith("Here.");
    }
  });
});

test("X-H21 X-H22 X-M23 a client of chat gets all of it as the vendor said it", async () => {
  const message = {
    role: "assistant",
    content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }],
    reasoning_details: [{ type: "reasoning.text", text: "Well." }],
    images: [{ type: "image_url", image_url: { url: "https://x.test/a.png" } }],
  };
  says(message, [message]);
  for (const stream of ways) {
    const asked = clients.chat.body({ model: "m", prompt: "Hello?" }, stream);
    const text = await (await gateway.post("/v1/chat/completions", asked)).text();
    for (const field of Object.values(message)) expect(text).toContain(JSON.stringify(field));
  }
});

test("X-H21 what was thought in parts goes on to another vendor as an earlier thought", async () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    { type: "text", text: "Yes." },
  ];
  const other = new Vendor((_request, reply) => {
    reply.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "vendor-model",
      content: [{ type: "text", text: "Good." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  });
  using _closed = other;
  await using own = await startGateway({
    config: JSON.stringify({
      channels: [other.channel({ type: "anthropic", models: ["m"] })],
      unpriced: "free",
    }),
  });
  const messages = [
    { role: "user", content: "Hello?" },
    { role: "assistant", content },
    { role: "user", content: "Go on." },
  ];
  const response = await own.post("/v1/chat/completions", { model: "m", messages });
  expect(response.status).toBe(200);
  expect(JSON.stringify(other.requests.at(-1)?.body["messages"])).toContain("Yes.");
});
