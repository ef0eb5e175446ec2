// Budgets of channels on two gateways over one database: what each sends counts for both, and both
// leave a channel alone whose budget is spent.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import type { Gateway } from "../harness/gateway.ts";
import { Pair } from "../harness/nodes/pair.ts";
import { Vendor } from "../harness/vendor.ts";
import { answers } from "../harness/wires.ts";

setDefaultTimeout(60_000);

const model = "flat";
const priceMicros = 1000;
const bounded = new Vendor(answers("chat", "Yes."));
const spare = new Vendor(answers("chat", "Yes."));
let pair: Pair;

beforeAll(async () => {
  const channels = [
    bounded.channel({ name: "bounded", models: [model], priority: 5 }),
    spare.channel({ name: "spare", models: [model] }),
  ];
  pair = await Pair.start({
    config: `
channels: ${JSON.stringify(channels)}
prices:
  - { model: ${model}, call_micros: ${priceMicros} }
`,
  });
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  bounded[Symbol.dispose]();
  spare[Symbol.dispose]();
});

interface Shown {
  id: string;
  now: { spent_micros: number; limit_micros: number };
}

async function ask(node: Gateway, key: string): Promise<number> {
  const response = await node.post("/v1/chat/completions", chatBody(model), key);
  await response.text();
  return response.status;
}

/** Each node has a verdict of its own. */
async function states(): Promise<string[]> {
  const health = async (node: Gateway) => {
    const channels = await node.control<{ items: { name: string; health: { state: string } }[] }>(
      "GET",
      "/api/channel",
    );
    return channels.items.find(({ name }) => name === "bounded")?.health.state ?? "";
  };
  return [await health(pair.one), await health(pair.other)];
}

const both = (state: string) =>
  eventually(`both nodes to have it ${state}`, async () =>
    (await states()).every((one) => one === state) ? true : undefined,
  );

test("what two nodes send through a channel counts once each, and stops both", async () => {
  const { one, other } = pair;
  const { key } = await pair.customer(1_000_000_000);
  const limit = 20 * priceMicros;
  const fields = { name: "contract", scope: "channel", subject: "bounded", limit_micros: limit };
  const { id } = await one.control<Shown>("POST", "/api/budget", fields);
  const show = () => other.control<Shown>("GET", `/api/budget/${id}`);
  for (let at = 0; at < 6; at++) {
    expect([await ask(one, key), await ask(other, key)]).toEqual([200, 200]);
  }
  // Requests that a node counts before it has heard of the budget are not in it.
  const { now } = await eventually("the budget on both", async () => {
    await ask(other, key);
    const shown = await show();
    return shown.now.spent_micros >= limit ? shown : undefined;
  });
  await both("spent");
  const sent = bounded.requests.length;
  expect(now.spent_micros).toBeLessThanOrEqual(sent * priceMicros);
  for (let at = 0; at < 5; at++) {
    expect([await ask(one, key), await ask(other, key)]).toEqual([200, 200]);
  }
  expect(bounded.requests).toHaveLength(sent);
  expect(spare.requests.length).toBeGreaterThanOrEqual(10);

  await one.control("POST", `/api/budget/${id}/renew`, {});
  await both("open");
  const all = Array.from({ length: 10 }, (_, at) => ask(at % 2 === 0 ? one : other, key));
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
  expect(bounded.requests).toHaveLength(sent + 10);
  await eventually("all of it in the window", async () =>
    (await show()).now.spent_micros === 10 * priceMicros ? true : undefined,
  );
  await one.control("POST", `/api/budget/${id}/raise`, { limit_micros: 10 * priceMicros });
  await both("spent");
  expect(await one.control("POST", "/api/ledger/verify")).toMatchObject({ ok: true });
});
