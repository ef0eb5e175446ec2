// Requests and tokens a minute of a channel: known before anything is sent, so that the next one is
// taken in place of the vendor's 429.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor, type VendorScript } from "../../harness/vendor.ts";

const config = JSON.stringify({
  sandbox: "off",
  unpriced: "free",
  distribution: { wait_ms: 0, retry_budget_percent: 100 },
});

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));

interface ChannelShown {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  health: { state: string; until: number | null };
}

let modelCount = 0;

function newModel(): string {
  modelCount++;
  return `rated-${modelCount}`;
}

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<string> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  return (await gateway.control<{ id: string }>("POST", "/api/channel", body)).id;
}

const show = (id: string) => gateway.control<ChannelShown>("GET", `/api/channel/${id}`);

function ask(model: string, fields: Record<string, unknown> = {}): Promise<Response> {
  return gateway.post("/v1/chat/completions", chatBody(model, fields), rootKey);
}

async function statuses(
  model: string,
  times: number,
  fields: Record<string, unknown> = {},
): Promise<number[]> {
  const asked = Array.from({ length: times }, () => ask(model, fields));
  return (await Promise.all(asked)).map(({ status }) => status);
}

/** 1,000 tokens, as vendors count them. */
const long = { messages: [{ role: "user", content: "word".repeat(1000) }] };

describe("D8 a channel whose rate is full", () => {
  test("D8 is not called, also by many at once, and the next one serves", async () => {
    using first = new Vendor(whole);
    using second = new Vendor(whole);
    const model = newModel();
    const rate = { requests_per_minute: 3, priority: 5 };
    const id = await addChannel(first, { models: [model], ...rate });
    await addChannel(second, { models: [model] });
    expect(await statuses(model, 8)).toEqual(Array(8).fill(200));
    expect([first.requests.length, second.requests.length]).toEqual([3, 5]);
    const { health } = await show(id);
    expect(health.state).toBe("saturated");
    expect(health.until).toBeGreaterThan(0);
    gateway.pass(20);
    expect(await statuses(model, 2)).toEqual([200, 200]);
    expect([first.requests.length, second.requests.length]).toEqual([4, 6]);
  });

  test("D8 by tokens is left before its vendor would have to say so", async () => {
    const all = Promise.withResolvers<void>();
    let begun = 0;
    // None is answered before all are sent, since what was used is then known.
    const together: VendorScript = async (request, reply) => {
      begun++;
      if (begun === 6) all.resolve();
      await all.promise;
      await whole(request, reply);
    };
    using first = new Vendor(together);
    using second = new Vendor(together);
    const model = newModel();
    await addChannel(first, { models: [model], tokens_per_minute: 1500, priority: 5 });
    await addChannel(second, { models: [model] });
    expect(await statuses(model, 6, long)).toEqual(Array(6).fill(200));
    expect([first.requests.length, second.requests.length]).toEqual([2, 4]);
  });

  test("D8 by tokens counts what was used in the end", async () => {
    using vendor = new Vendor((_request, reply) =>
      reply.json({
        ...completion("Yes."),
        usage: { prompt_tokens: 10, completion_tokens: 290, total_tokens: 300 },
      }),
    );
    const model = newModel();
    await addChannel(vendor, { models: [model], tokens_per_minute: 200 });
    expect((await ask(model)).status).toBe(200);
    const refused = await ask(model);
    expect(refused.status).toBe(429);
    // A hundred above what it has a minute: half a minute.
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(20);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(31);
  });

  test("D8 is a 429 that says when to come back, where there is no other", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    const id = await addChannel(vendor, { models: [model], requests_per_minute: 2 });
    expect((await statuses(model, 2)).toSorted()).toEqual([200, 200]);
    const refused = await ask(model);
    expect(refused.status).toBe(429);
    expect(await errorOf(refused)).toMatchObject({ code: "too_many_requests" });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(30);
    gateway.pass(seconds);
    expect((await ask(model)).status).toBe(200);
    expect(vendor.requests).toHaveLength(3);
    expect(await show(id)).toMatchObject({ requests_per_minute: 2, tokens_per_minute: null });
    await gateway.control("PATCH", `/api/channel/${id}`, { requests_per_minute: null });
    expect(await statuses(model, 4)).toEqual(Array(4).fill(200));
  });

  test("D8 takes no tokens for what its vendor did not do", async () => {
    using vendor = new Vendor((_request, reply) => reply.json({ error: { message: "No." } }, 500));
    const model = newModel();
    await addChannel(vendor, { models: [model], tokens_per_minute: 1500 });
    for (let at = 0; at < 3; at++) expect((await ask(model, long)).status).toBe(500);
    vendor.script = whole;
    expect((await ask(model, long)).status).toBe(200);
  });

  test("D8 a rate that is none is refused, naming the field", async () => {
    using vendor = new Vendor(whole);
    for (const field of [
      "requests_per_minute",
      "tokens_per_minute",
      "key_requests_per_minute",
      "key_tokens_per_minute",
    ]) {
      for (const wrong of [0, -1, 1.5, "many"]) {
        const body = vendor.channel({ name: "wrong", models: ["m"], [field]: wrong });
        const { success, message } = await gateway.controlEnvelope("POST", "/api/channel", body);
        expect([success, message]).toEqual([false, expect.stringContaining(field)]);
      }
    }
  });
});

describe("D8 a key whose rate is full", () => {
  /** Requests that came by each key, by its last digit. */
  function byKey(vendor: Vendor): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { headers } of vendor.requests) {
      const last = headers["authorization"]?.at(-1) ?? "";
      counts[last] = (counts[last] ?? 0) + 1;
    }
    return counts;
  }
  const keys = ["sk-vendor-key-0001", "sk-vendor-key-0002"];

  test("D8 is left out, and the others serve until theirs are full too", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    const rate = { key: undefined, keys, key_requests_per_minute: 3 };
    const id = await addChannel(vendor, { models: [model], ...rate });
    expect((await statuses(model, 8)).toSorted()).toEqual([...Array(6).fill(200), 429, 429]);
    expect(byKey(vendor)).toEqual({ 1: 3, 2: 3 });
    const refused = await ask(model);
    expect(await errorOf(refused)).toMatchObject({ code: "too_many_requests" });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(20);
    const { health } = await show(id);
    expect(health.state).toBe("saturated");
    expect(health.until).toBeGreaterThan(0);
    gateway.pass(20);
    expect(await statuses(model, 2)).toEqual([200, 200]);
    expect(byKey(vendor)).toEqual({ 1: 4, 2: 4 });
  });

  test("D8 by tokens leaves room to the others, and is put right by what was used", async () => {
    using vendor = new Vendor((_request, reply) =>
      reply.json({
        ...completion("Yes."),
        usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 },
      }),
    );
    const model = newModel();
    const rate = { key: undefined, keys, key_tokens_per_minute: 1500 };
    await addChannel(vendor, { models: [model], ...rate });
    for (const status of [200, 200, 429]) expect((await ask(model, long)).status).toBe(status);
    expect(byKey(vendor)).toEqual({ 1: 1, 2: 1 });
  });

  test("D8 keeps its count over a change, and is free where there is no rate any more", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    const rate = { key_requests_per_minute: 2 };
    const id = await addChannel(vendor, { models: [model], ...rate });
    expect((await statuses(model, 2)).toSorted()).toEqual([200, 200]);
    await gateway.control("PATCH", `/api/channel/${id}`, { weight: 2 });
    expect((await ask(model)).status).toBe(429);
    await gateway.control("PATCH", `/api/channel/${id}`, { key_requests_per_minute: null });
    expect(await statuses(model, 3)).toEqual([200, 200, 200]);
  });
});

test("D8 a request waits for a channel whose rate has room in a moment", async () => {
  const patient = JSON.stringify({ unpriced: "free", distribution: { wait_ms: 20_000 } });
  await using waiting = await startGateway({ config: patient, oneProcess: "judgement" });
  using vendor = new Vendor(whole);
  const channel = vendor.channel({ name: "rated", models: ["m"], requests_per_minute: 60 });
  await waiting.control("POST", "/api/channel", channel);
  const asked = Array.from({ length: 62 }, () =>
    waiting.post("/v1/chat/completions", chatBody("m")),
  );
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(await Promise.all(refused.map((answer) => answer.text()))).toEqual([]);
  expect(vendor.requests).toHaveLength(62);
});
