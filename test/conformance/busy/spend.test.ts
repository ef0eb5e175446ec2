// Money a day of a channel, at what its vendor takes: once it is spent the next channel serves,
// until midnight of UTC.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { rootKey, startGateway, temporaryFolder, type Gateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor, type VendorScript } from "../../harness/vendor.ts";
import { rmSync } from "node:fs";

const models = Array.from({ length: 8 }, (_, at) => `capped-${at}`);
const price = { input_micros_per_million: 1e6, output_micros_per_million: 2e6 };
const config = JSON.stringify({
  sandbox: "off",
  prices: models.map((model) => ({ model, ...price })),
});
const daySeconds = 86_400;

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

/** An answer of 3,000 micros by the list. */
const whole: VendorScript = (_request, reply) =>
  reply.json({
    ...completion("Yes."),
    usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 },
  });

interface ChannelShown {
  spend_per_day_micros: number | null;
  health: { state: string; until: number | null };
}

let used = 0;
const newModel = () => models[used++] ?? "";

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<string> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  return (await gateway.control<{ id: string }>("POST", "/api/channel", body)).id;
}

const show = (id: string) => gateway.control<ChannelShown>("GET", `/api/channel/${id}`);

async function ask(model: string, of: Gateway = gateway): Promise<Response> {
  const response = await of.post("/v1/chat/completions", chatBody(model), rootKey);
  // All of it has come, so it is settled.
  return new Response(await response.text(), response);
}

let aheadSeconds = 0;

function pass(seconds: number): void {
  aheadSeconds += seconds;
  gateway.pass(seconds);
}

/** To the first minute of a day, so that none ends within a test. */
function toMorning(): void {
  pass(daySeconds - ((Date.now() / 1000 + aheadSeconds) % daySeconds) + 60);
}

describe("D9 a channel whose money for the day is spent", () => {
  test("D9 is left for the next one, at what it costs and not what is charged", async () => {
    toMorning();
    using first = new Vendor(whole);
    using second = new Vendor(whole);
    const model = newModel();
    const cap = { spend_per_day_micros: 4000, cost: { percent: 50 }, priority: 5 };
    const id = await addChannel(first, { models: [model], ...cap });
    await addChannel(second, { models: [model] });
    // Each costs 1,500: the third goes beyond it, and the fourth elsewhere.
    for (let at = 0; at < 5; at++) expect((await ask(model)).status).toBe(200);
    expect([first.requests.length, second.requests.length]).toEqual([3, 2]);
    const shown = await show(id);
    expect(shown).toMatchObject({ spend_per_day_micros: 4000, health: { state: "spent" } });
    expect((shown.health.until ?? 1) % daySeconds).toBeLessThanOrEqual(1);
    pass(daySeconds);
    expect((await ask(model)).status).toBe(200);
    expect([first.requests.length, second.requests.length]).toEqual([4, 2]);
  });

  test("D9 is a 429 that says when to come back, where there is no other", async () => {
    toMorning();
    using vendor = new Vendor(whole);
    const model = newModel();
    const id = await addChannel(vendor, { models: [model], spend_per_day_micros: 3000 });
    expect((await ask(model)).status).toBe(200);
    const refused = await ask(model);
    expect(refused.status).toBe(429);
    expect(await errorOf(refused)).toMatchObject({ code: "too_many_requests" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
    expect(vendor.requests).toHaveLength(1);
    await gateway.control("PATCH", `/api/channel/${id}`, { spend_per_day_micros: 3001 });
    expect((await ask(model)).status).toBe(200);
    expect((await ask(model)).status).toBe(429);
    await gateway.control("PATCH", `/api/channel/${id}`, { spend_per_day_micros: null });
    expect((await ask(model)).status).toBe(200);
  });

  test("D9 a cap that is set later counts what the day has had", async () => {
    toMorning();
    using vendor = new Vendor(whole);
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    expect((await ask(model)).status).toBe(200);
    await eventually("the sums", async () => {
      await gateway.control("PATCH", `/api/channel/${id}`, { spend_per_day_micros: 3000 });
      return (await show(id)).health.state === "spent" ? true : undefined;
    });
    expect((await ask(model)).status).toBe(429);
  });

  test("D9 a cap that is none is refused, naming the field", async () => {
    using vendor = new Vendor(whole);
    for (const wrong of [0, -1, 1.5, "much"]) {
      const body = vendor.channel({ name: "wrong", models: ["m"], spend_per_day_micros: wrong });
      const { success, message } = await gateway.controlEnvelope("POST", "/api/channel", body);
      expect([success, message]).toEqual([false, expect.stringContaining("spend_per_day_micros")]);
    }
  });
});

test("D9 what was spent is known after a restart", async () => {
  const folder = temporaryFolder();
  using vendor = new Vendor(whole);
  const channel = vendor.channel({ name: "capped", models: ["capped-0"] });
  const declared = JSON.stringify({
    ...JSON.parse(config),
    channels: [{ ...channel, spend_per_day_micros: 3000 }],
  });
  try {
    const options = { folder, config: declared, oneProcess: "judgement" } as const;
    const before = await startGateway(options);
    expect((await ask("capped-0", before)).status).toBe(200);
    expect((await ask("capped-0", before)).status).toBe(429);
    await before.stop();
    await using after = await startGateway(options);
    expect((await ask("capped-0", after)).status).toBe(429);
    expect(vendor.requests).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
