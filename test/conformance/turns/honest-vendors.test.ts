// Vendors that count more than a request shows, and do so rightly: they are paid what they tell,
// and nobody calls them liars.
import { beforeAll, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const researcher = kept(new Vendor(answers("responses", "Yes.")));
const models = [
  "groq/compound",
  "o3-deep-research",
  "resold",
  "plain",
  "thinker",
  "hidden-thinker",
];
let customer: { id: string; key: string };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        vendor.channel({ name: "searching", models: ["groq/compound"] }),
        researcher.channel({
          name: "research",
          ...wires.responses.channel,
          models: ["o3-deep-research"],
        }),
        vendor.channel({ name: "resold", models: ["resold"], hidden_prompt_tokens: 15_000 }),
        vendor.channel({ name: "plain", models: ["plain"] }),
        vendor.channel({
          name: "thinking",
          models: ["thinker", "hidden-thinker"],
          model_mapping: { "hidden-thinker": "deepseek-r1" },
        }),
      ],
      prices: models.map((model) => ({
        model,
        input_micros_per_million: 1e6,
        output_micros_per_million: 1e6,
      })),
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(1_000_000_000);
});

interface ShownChannel {
  id: string;
  name: string;
  implausible: number;
  hidden_prompt_tokens: number;
}

async function shown(name: string): Promise<ShownChannel | undefined> {
  const { items } = await gateway.control<{ items: ShownChannel[] }>("GET", "/api/channel");
  return items.find((channel) => channel.name === name);
}

async function entryFor(response: Response) {
  expect([response.status, response.ok && "served"]).toEqual([200, "served"]);
  const text = await response.clone().text();
  expect(text).not.toBe("");
  return await entryOf(gateway, response.headers.get("x-request-id") ?? "");
}

const hello = [{ role: "user", content: "hi" }];

test.each([5296, 14_100])(
  "hazard B12 a model that searches unasked is paid the %i tokens that it read",
  async (input) => {
    vendor.script = answers("chat", "Yes.", { input, output: 20 });
    const body = { model: "groq/compound", max_tokens: 100, messages: hello };
    const response = await gateway.post("/v1/chat/completions", body, customer.key);
    const entry = await entryFor(response);
    expect(entry).toMatchObject({ micros: input + 20, loss_micros: 0, usage: `${input}/20/0/0` });
    expect(entry.held_micros).toBeGreaterThan(input);
    expect(await shown("searching")).toMatchObject({ implausible: 0 });
  },
);

test("hazard B12 deep research is paid what it read", async () => {
  researcher.script = answers("responses", "Yes.", { input: 150_000, output: 20 });
  const body = { model: "o3-deep-research", max_output_tokens: 100, input: "hi" };
  const response = await gateway.post("/v1/responses", body, customer.key);
  expect(await entryFor(response)).toMatchObject({ micros: 150_020, usage: "150000/20/0/0" });
  expect(await shown("research")).toMatchObject({ implausible: 0 });
});

test("hazard B12 a hidden prompt of 15,000 tokens is paid where the channel says so, and shown alike", async () => {
  vendor.script = answers("chat", "Yes.", { input: 15_230, output: 20 });
  for (const client of dialects) {
    for (const stream of [false, true]) {
      const { path, body, read, assemble } = clients[client];
      const wanted = body({ model: "resold", prompt: "hi", outputTokensMax: 100 }, stream);
      const asked = client === "chat" && stream ? { ...wanted, ...withUsage } : wanted;
      const response = await gateway.post(path("resold", stream), asked, customer.key);
      const text = await response.text();
      const { input } = read(stream ? assemble(text) : (JSON.parse(text) as JsonObject));
      expect([client, stream, input]).toEqual([client, stream, 15_230]);
      expect(await logRow(gateway, response)).toMatchObject({ micros: 15_250 });
    }
  }
  expect(await shown("resold")).toMatchObject({ implausible: 0, hidden_prompt_tokens: 15_000 });
  const body = { model: "plain", max_tokens: 100, messages: hello };
  const response = await gateway.post("/v1/chat/completions", body, customer.key);
  const entry = await entryFor(response);
  expect(entry.usage).toStartWith("!");
  expect(entry.micros).toBeLessThan(2500);
});

const withUsage = { stream_options: { include_usage: true } };

test("hazard B12 a hidden prompt is set, shown, and refused by its name where it is none", async () => {
  const { id = "" } = (await shown("plain")) ?? {};
  const path = `/api/channel/${id}`;
  const set = (hidden_prompt_tokens: unknown) =>
    gateway.controlEnvelope("PATCH", path, { hidden_prompt_tokens });
  expect(await set(-1)).toMatchObject({ success: false });
  expect(JSON.stringify(await set("many"))).toContain("hidden_prompt_tokens");
  expect(await set(7)).toMatchObject({ success: true });
  expect(await shown("plain")).toMatchObject({ hidden_prompt_tokens: 7 });
  expect(await set(null)).toMatchObject({ success: true });
  expect(await shown("plain")).toMatchObject({ hidden_prompt_tokens: 0 });
});

test("hazard B12 thoughts that are counted as the answer make nobody a liar", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 3000, total_tokens: 3010 };
  const message = { role: "assistant", content: "Yes." };
  const thought = { ...message, reasoning_content: "Let me think." };
  const asks = [
    ["thinker", thought],
    ["hidden-thinker", message],
  ] as const;
  for (const [model, said] of asks) {
    for (const stream of [false, true]) {
      vendor.script = (_request, reply) => {
        const head = { id: "c", model, object: "chat.completion" };
        const choice = { index: 0, finish_reason: "stop" };
        if (!stream) return reply.json({ ...head, choices: [{ ...choice, message: said }], usage });
        reply.stream();
        reply.event({ ...head, choices: [{ index: 0, delta: said, finish_reason: null }] });
        reply.event({ ...head, choices: [{ ...choice, delta: {} }], usage });
        reply.chunk("data: [DONE]\n\n");
        reply.end();
      };
      for (const client of ["chat", "messages"] as const) {
        const { path, body } = clients[client];
        const wanted = body({ model, prompt: "hi", outputTokensMax: 100 }, stream);
        const response = await gateway.post(path(model, stream), wanted, customer.key);
        const { usage: told } = await entryFor(response);
        expect([model, stream, client, told?.startsWith("!")]).toEqual([
          model,
          stream,
          client,
          false,
        ]);
      }
    }
  }
  expect(await shown("thinking")).toMatchObject({ implausible: 0 });
});
