// Cost told in an answer: a header on whole answers, and the usage of any answer whose request
// asked for that.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { eventsOf } from "../../harness/clients/client.ts";
import { dialects, type DialectsStand, startDialects } from "../../harness/dialects.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendors = Object.fromEntries(
  dialects.map((dialect) => [
    dialect,
    new Vendor(answers(dialect, "Hello.", { input: 1000, output: 50, cacheRead: 300 })),
  ]),
) as Record<Dialect, Vendor>;
let stand: DialectsStand;
let customer: { id: string; key: string };

beforeAll(async () => {
  const prices = dialects.map((model) => ({
    model,
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 10_000_000,
    cache_read_micros_per_million: 100_000,
  }));
  stand = await startDialects(`prices: ${JSON.stringify(prices)}`);
  for (const dialect of dialects) {
    const channel = { name: `scripted ${dialect}`, models: [dialect], ...wires[dialect].channel };
    await stand.gateway.control("POST", "/api/channel", vendors[dialect].channel(channel));
  }
  customer = await stand.gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

const costMicros = 700 + 300 * 0.1 + 50 * 10;
const savedMicros = 300 * 0.9;

type Asked = [client: Dialect, upstream: Dialect, isStream: boolean];

const everywhere = dialects.flatMap((client) =>
  dialects.flatMap((upstream) => [false, true].map((is): Asked => [client, upstream, is])),
);

async function ask(
  [client, upstream, isStream]: Asked,
  { headers = {}, fields = {} }: { headers?: Record<string, string>; fields?: object } = {},
): Promise<{ response: Response; text: string }> {
  const { path, body } = clients[client];
  const asked = body({ model: upstream, prompt: "Hello?", outputTokensMax: 500 }, isStream);
  const response = await fetch(`${stand.gateway.url}${path(upstream, isStream)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, ...headers },
    body: JSON.stringify({ ...asked, ...fields }),
  });
  const text = await response.text();
  expect([client, upstream, isStream, response.status]).toEqual([client, upstream, isStream, 200]);
  return { response, text };
}

/** The last cost that stands in a usage of the answer. */
function costIn(text: string, isStream: boolean): { cost: unknown; saved: unknown } | null {
  const replies = isStream ? eventsOf(text) : [JSON.parse(text) as JsonObject];
  const usages = replies.map((reply) => {
    const { usage, usageMetadata, response } = reply as Record<string, JsonObject | undefined>;
    return usage ?? usageMetadata ?? (response?.["usage"] as JsonObject | undefined);
  });
  const told = usages.findLast((usage) => usage?.["cost"] !== undefined);
  return told ? { cost: told["cost"], saved: told["cache_discount"] } : null;
}

test("a whole answer's headers say what was charged and what the cache saved", async () => {
  for (const asked of everywhere.filter(([, , isStream]) => !isStream)) {
    const { response, text } = await ask(asked);
    expect([asked, costIn(text, false)]).toEqual([asked, null]);
    expect(response.headers.get("x-sluice-cost-usd")).toBe("0.00123");
    expect(response.headers.get("x-sluice-cache-saved-usd")).toBe("0.00027");
    expect((await logRow(stand.gateway, response)).micros).toBe(costMicros);
  }
});

test("usage tells the cost on every wire, whole and streamed, where a header asks for it", async () => {
  const headers = { "x-sluice-cost": "usage" };
  for (const asked of everywhere) {
    const plain = await ask(asked);
    expect([asked, costIn(plain.text, asked[2])]).toEqual([asked, null]);
    const { text } = await ask(asked, { headers });
    const told = { cost: costMicros / 1e6, saved: savedMicros / 1e6 };
    expect([asked, costIn(text, asked[2])]).toEqual([asked, told]);
    const { read, assemble } = clients[asked[0]];
    const said = read(asked[2] ? assemble(text) : (JSON.parse(text) as JsonObject));
    expect([asked, said.text]).toEqual([asked, "Hello."]);
    if (asked[0] === "chat" && asked[2]) expect(text).toEndWith("data: [DONE]\n\n");
  }
});

test("a chat request that includes usage as OpenRouter's clients do reads its cost", async () => {
  for (const isStream of [false, true]) {
    const { text } = await ask(["chat", "messages", isStream], {
      fields: { usage: { include: true } },
    });
    expect(costIn(text, isStream)?.cost).toBe(costMicros / 1e6);
  }
});

test("a vendor's own cost is not shown in place of what was charged", async () => {
  const { chat } = vendors;
  const usual = chat.script;
  chat.script = (_request, reply) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 50, cost: 99, cost_details: { a: 98 } };
    reply.json({ ...wires.chat.reply("Hello.", null), usage });
  };
  const { text } = await ask(["chat", "chat", false], { fields: { usage: { include: true } } });
  chat.script = usual;
  expect(costIn(text, false)?.cost).toBe((1000 + 500) / 1e6);
  expect(text).not.toContain("cost_details");
});
