// Answers of vendors that report no usage. The specification names a `usage` in each format's
// answer, `usage.output_tokens` in `message_delta`, and "Usage can be requested with
// `stream_options.include_usage`": the client reads what is charged, in its own format and in others.
import Anthropic from "@anthropic-ai/sdk";
import { beforeAll, describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

const spoken = "One two three four five six seven eight nine ten.";
/** Each word and the stop. */
const spokenTokens = 11;
const vendors = dialects.map(
  (dialect) => [dialect, kept(new Vendor(answers(dialect, spoken, null)))] as const,
);
const zeros = dialects.map(
  (dialect) =>
    [dialect, kept(new Vendor(answers(dialect, spoken, { input: 0, output: 0 })))] as const,
);
const rows = [
  ...vendors.map(([dialect, vendor]) => ({ dialect, vendor, model: dialect as string })),
  ...zeros.map(([dialect, vendor]) => ({ dialect, vendor, model: `zero-${dialect}` })),
];

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: rows.map(({ dialect, vendor, model }) =>
        vendor.channel({ name: model, ...wires[dialect].channel, models: [model] }),
      ),
      prices: rows.map(({ model }) => ({
        model,
        input_micros_per_million: 0,
        output_micros_per_million: 1e6,
      })),
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);
let customer: { id: string; key: string };

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
  await tokenizerIsThere(gateway, "chat");
});

function send(client: Dialect, model: string, isStream: boolean, more: object = {}) {
  return fetch(gateway.url + clients[client].path(model, isStream), {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...clients[client].body({ model, prompt: "Hello?" }, isStream),
      ...more,
    }),
  });
}

async function chargeOf(work: () => Promise<void>): Promise<number> {
  const before = await balanceOf(gateway, customer.id);
  await work();
  const after = await balanceOf(gateway, customer.id);
  return Number(after["used_micros"]) - Number(before["used_micros"]);
}

const pairs = dialects.flatMap((client) =>
  dialects.flatMap((upstream) =>
    [upstream, `zero-${upstream}`].map((model) => [client, model] as const),
  ),
);

describe.each(pairs)("a %s client of %s", (client, model) => {
  const { assemble, read } = clients[client];

  test("T16 reads the usage that is charged in a whole answer, which says that it is an estimate", async () => {
    const charged = await chargeOf(async () => {
      const response = await send(client, model, false);
      expect(response.headers.get("x-sluice-usage")).toBe("estimated");
      const { text, input, output } = read((await response.json()) as Parameters<typeof read>[0]);
      expect([text, output, input > 0]).toEqual([spoken, spokenTokens, true]);
    });
    expect(charged).toBe(spokenTokens);
  });

  test("T16 reads the usage that is charged in a stream, with a comment that it is an estimate", async () => {
    const charged = await chargeOf(async () => {
      const response = await send(client, model, true);
      const events = await response.text();
      const { text, input, output } = read(assemble(events));
      expect([text, output, input > 0]).toEqual([spoken, spokenTokens, true]);
      expect(events).toContain("\n: x-sluice-usage: estimated\n\n");
    });
    expect(charged).toBe(spokenTokens);
  });
});

test("T16 a chat client that did not ask for usage gets no chunk of it", async () => {
  const more = { stream_options: { include_usage: false } };
  const events = await (await send("chat", "chat", true, more)).text();
  expect(events).not.toContain("prompt_tokens");
  expect(events).toEndWith("data: [DONE]\n\n");
});

test("T16 a usage that the vendor reports is told as that, and without a word about estimates", async () => {
  const [, vendor] = vendors[0] ?? [];
  if (!vendor) throw new Error("no vendor");
  const { script } = vendor;
  vendor.script = answers("chat", spoken, { input: 10, output: 20 });
  const response = await send("chat", "chat", false);
  expect(response.headers.has("x-sluice-usage")).toBe(false);
  expect(await response.json()).toMatchObject({ usage: { completion_tokens: 20 } });
  expect(await (await send("chat", "chat", true)).text()).not.toContain("x-sluice-usage");
  vendor.script = script;
});

test("T16 Anthropic's own client puts a stream together whose vendor tells no usage anywhere", async () => {
  const [, vendor] = vendors[2] ?? [];
  if (!vendor) throw new Error("no vendor");
  const { script } = vendor;
  vendor.script = (_request, reply) => {
    reply.stream();
    const wire = wires.messages;
    const opening = wire.opening().replace(/,?"usage":\{[^}]*\}/, "");
    expect(opening).not.toContain("usage");
    reply.chunk(opening + wire.delta(spoken) + wire.ending(spoken, null));
    reply.end();
  };
  const client = new Anthropic({ baseURL: gateway.url, apiKey: customer.key });
  const message = await client.messages
    .stream({
      model: "messages",
      max_tokens: 100,
      messages: [{ role: "user", content: "Hello?" }],
    })
    .finalMessage();
  expect(message.usage.output_tokens).toBe(spokenTokens);
  expect(message.stop_reason).toBe("end_turn");
  vendor.script = script;
});
