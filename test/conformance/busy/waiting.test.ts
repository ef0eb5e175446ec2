// Requests that meet nothing but channels which are back in a moment: they wait for the first of
// them, and nothing waits for what takes longer.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { balanceOf, eventually, heldOf, newestRow } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor, type VendorScript } from "../../harness/vendor.ts";

const price = { input_micros_per_million: 1e6, output_micros_per_million: 2e6 };
const models = Array.from({ length: 12 }, (_, at) => `waited-${at}`);
const config = JSON.stringify({
  sandbox: "off",
  // Longer than any test takes, so that only time that is let pass ends a wait.
  distribution: { wait_ms: 20_000, retry_budget_percent: 100 },
  prices: models.map((model) => ({ model, ...price })),
});

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));
const busyFor =
  (seconds: number): VendorScript =>
  (_request, reply) =>
    reply.json({ error: { message: "Slow down." } }, 429, { "retry-after": `${seconds}` });

let used = 0;
const newModel = () => models[used++] ?? "";

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<void> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  await gateway.control("POST", "/api/channel", body);
}

type Customer = Awaited<ReturnType<typeof gateway.customer>>;

function ask(model: string, { key }: Customer, signal?: AbortSignal): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(chatBody(model)),
    ...(signal && { signal }),
  });
}

/** A channel whose only key rests for so long. */
async function resting(vendor: Vendor, seconds: number): Promise<[string, Customer]> {
  const model = newModel();
  const customer = await gateway.customer(1e9);
  await addChannel(vendor, { models: [model] });
  vendor.script = busyFor(seconds);
  expect((await ask(model, customer)).status).toBe(429);
  vendor.script = whole;
  vendor.requests.length = 0;
  return [model, customer];
}

/** Once it is held it is in line, since nothing is between the two. */
async function inLine({ id }: Customer): Promise<void> {
  await eventually("the hold", async () => ((await heldOf(gateway, id)) > 0 ? true : undefined));
}

async function traceOf(response: Response): Promise<{ waited_ms: number }> {
  const id = response.headers.get("x-request-id") ?? "";
  return await eventually(`the trace of ${id}`, async () => {
    type Logged = { items: { trace: { waited_ms: number } }[] };
    const { items } = await gateway.control<Logged>("GET", `/api/log/${id}`);
    return items[0]?.trace;
  });
}

describe("D7 where every channel rests", () => {
  test("D7 a request waits for the first that is back, and its trace says so", async () => {
    using vendor = new Vendor(whole);
    const [model, customer] = await resting(vendor, 10);
    const asked = ask(model, customer);
    await inLine(customer);
    expect(vendor.requests).toHaveLength(0);
    gateway.pass(10);
    const response = await asked;
    expect(response.status).toBe(200);
    expect(vendor.requests).toHaveLength(1);
    const { waited_ms: waitedMs } = await traceOf(response);
    expect(waitedMs).toBeGreaterThan(5000);
    expect(waitedMs).toBeLessThanOrEqual(20_000);
    expect((await traceOf(await ask(model, customer))).waited_ms).toBe(0);
  });

  test("D7 a client that leaves the line pays nothing, and nothing is sent", async () => {
    using vendor = new Vendor(whole);
    const [model, customer] = await resting(vendor, 10);
    const before = await balanceOf(gateway, customer.id);
    const client = new AbortController();
    const asked = ask(model, customer, client.signal).catch(() => null);
    await inLine(customer);
    client.abort();
    await asked;
    const row = await eventually("the row", async () => {
      const newest = await newestRow(gateway, customer.keyId);
      return newest.outcome === "client_abort" ? newest : undefined;
    });
    expect(row).toMatchObject({ micros: 0, attempts: 0, error_code: "client_closed_request" });
    gateway.pass(10);
    expect(await balanceOf(gateway, customer.id)).toEqual(before);
    expect(vendor.requests).toHaveLength(0);
  });

  test("D7 what rests for longer is a 429 at once that says for how long", async () => {
    using vendor = new Vendor(whole);
    const [model, customer] = await resting(vendor, 50);
    const response = await ask(model, customer);
    expect(response.status).toBe(429);
    expect(await errorOf(response)).toMatchObject({ code: "too_many_requests" });
    const seconds = Number(response.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(50);
    expect(vendor.requests).toHaveLength(0);
  });

  test("D7 nothing waits for a key that was refused", async () => {
    using vendor = new Vendor((_request, reply) => reply.json({ error: { message: "No." } }, 401));
    const model = newModel();
    const customer = await gateway.customer(1e9);
    await addChannel(vendor, { models: [model] });
    expect((await ask(model, customer)).status).toBe(500);
    expect((await ask(model, customer)).status).toBe(500);
    expect(vendor.requests).toHaveLength(1);
  });

  test("D7 a channel that just failed the request is not waited for", async () => {
    using vendor = new Vendor(busyFor(30));
    const model = newModel();
    const customer = await gateway.customer(1e9);
    await addChannel(vendor, { models: [model] });
    const response = await ask(model, customer);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(vendor.requests).toHaveLength(1);
  });

  test("D7 another that rests is waited for after one has failed", async () => {
    using rests = new Vendor(whole);
    using fails = new Vendor((_request, reply) => reply.json({ error: { message: "Ouch." } }, 500));
    const [model, customer] = await resting(rests, 10);
    await addChannel(fails, { models: [model], priority: 5 });
    const asked = ask(model, customer);
    await eventually("the failure", async () => fails.requests[0]);
    await inLine(customer);
    gateway.pass(10);
    expect((await asked).status).toBe(200);
    expect([fails.requests.length, rests.requests.length]).toEqual([1, 1]);
  });
});

test("D7 nothing waits where the operator has turned it off", async () => {
  const off = JSON.stringify({ sandbox: "off", unpriced: "free", distribution: { wait_ms: 0 } });
  await using impatient = await startGateway({ config: off, oneProcess: "judgement" });
  using vendor = new Vendor(busyFor(1));
  const channel = vendor.channel({ name: "busy", models: ["m"] });
  await impatient.control("POST", "/api/channel", channel);
  for (let at = 0; at < 2; at++) {
    const response = await impatient.post("/v1/chat/completions", chatBody("m"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  }
  expect(vendor.requests).toHaveLength(1);
});
