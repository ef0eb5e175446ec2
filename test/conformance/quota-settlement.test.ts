// Final price of a request, and the ways of money into an account and out of it.
import { beforeAll, describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../harness/ask.ts";
import { balanceOf, eventually, logRow } from "../harness/books.ts";
import { readStream } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
timeouts: { first_byte_ms: 5000, stall_ms: 5000 }
text: { read_on_ms: 200 }
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
groups:
  - { name: default }
  - { name: partners, multiplier: 1.5 }
  - { name: guests, multiplier: 0 }
prices:
  - model: metered
    input_micros_per_million: 1000000
    output_micros_per_million: 2000000
    cache_read_micros_per_million: 100000
    cache_write_micros_per_million: 1250000
  - { model: called, input_micros_per_million: 0, output_micros_per_million: 0, call_micros: 250 }
  - { model: changing, call_micros: 100 }
  - { model: failing, call_micros: 100 }
  - { model: cut, input_micros_per_million: 1000000, output_micros_per_million: 1000000 }
`;

/** 500 plain + 400 read + 100 written input tokens and 500 output tokens. */
const usage = {
  prompt_tokens: 1000,
  completion_tokens: 500,
  total_tokens: 1500,
  prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 200 },
};
const usageMicros = 500 + 40 + 125 + 1000;
const grantMicros = 1_000_000;

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes.", usage))));

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({
      models: ["metered", "called", "changing", "cut", "unpriced"],
      groups: ["default", "partners", "guests"],
    }),
  );
});

async function chat(model: string, key: string, fields: object = {}): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody(model, { ...fields }), key);
}

async function expectCharge(accountId: string, micros: number): Promise<void> {
  expect(await balanceOf(gateway, accountId)).toMatchObject({
    quota_micros: grantMicros - micros,
    held_micros: 0,
    used_micros: micros,
  });
}

describe("settlement", () => {
  test("Q2 a whole answer costs its real usage, cached input at its own prices", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    const response = await chat("metered", key);
    expect(response.status).toBe(200);
    await expectCharge(id, usageMicros);
    expect(await logRow(gateway, response)).toMatchObject({
      micros: usageMicros,
      input_tokens: 1000,
      output_tokens: 500,
      cache_read_tokens: 400,
      cache_write_tokens: 100,
      reasoning_tokens: 200,
      estimated: false,
    });
  });

  test("Q2 a stream costs its real usage, asked for or not", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "Yes." }, "stop"));
      reply.event(usageChunk(usage));
      reply.event("[DONE]");
      reply.end();
    };
    const response = await chat("metered", key, { stream: true });
    const { data, text } = await readStream(response);
    expect(data.at(-1)).toBe("[DONE]");
    expect(text).not.toContain("prompt_tokens");
    // The settlement was written before the last byte, so nothing has to be waited for.
    await expectCharge(id, usageMicros);
  });

  test("Q2 the group's multiplier is in the price, down to nothing", async () => {
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    const partner = await gateway.customer(grantMicros, { group: "partners" });
    expect((await chat("metered", partner.key)).status).toBe(200);
    await expectCharge(partner.id, Math.ceil(usageMicros * 1.5));
    const guest = await gateway.customer(grantMicros, { group: "guests" });
    expect((await chat("metered", guest.key)).status).toBe(200);
    await expectCharge(guest.id, 0);
  });

  test("N18 a price by the call is charged once, whatever the tokens", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    expect((await chat("called", key)).status).toBe(200);
    await expectCharge(id, 250);
  });

  test("Q2 a price that changes while a request runs does not change what it costs", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    vendor.script = async (_request, reply) => {
      await gateway.control("POST", "/api/price", { model: "changing", call_micros: 700 });
      reply.json(completion("Yes.", usage));
    };
    expect((await chat("changing", key)).status).toBe(200);
    await expectCharge(id, 100);
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    expect((await chat("changing", key)).status).toBe(200);
    await expectCharge(id, 800);
  });

  test("Q2 a request costs nothing when it fails, whoever's fault it is", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    using failing = new Vendor(() => {});
    await gateway.control("POST", "/api/channel", failing.channel({ models: ["failing"] }));
    const statuses: number[] = [];
    const ask = async (script: VendorScript, stream = false) => {
      failing.script = script;
      statuses.push((await chat("failing", key, { stream })).status);
    };
    const error = { error: { message: "No.", type: "t", code: "c" } };
    await ask((_request, reply) => reply.json(error, 500));
    await ask((_request, reply) => reply.json(error, 400));
    await ask((_request, reply) => reply.cut());
    await ask((_request, reply) => {
      reply.stream();
      reply.event(error);
      reply.end();
    }, true);
    // The key rests after this, so it comes last.
    await ask((_request, reply) => reply.json(error, 429));
    expect(statuses).toEqual([500, 400, 500, 500, 429]);
    expect(failing.requests).toHaveLength(5);
    await expectCharge(id, 0);
  });

  test("Q2 reading lists and balances costs nothing", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    expect((await gateway.get("/v1/models", key)).status).toBe(200);
    expect((await gateway.get("/v1/models/metered", key)).status).toBe(200);
    await expectCharge(id, 0);
  });

  test("hazard B6 usage that is no usage is estimated, never credited", async () => {
    const absurd = [
      { prompt_tokens: -5, completion_tokens: -5 },
      { prompt_tokens: "5", completion_tokens: "5" },
      { prompt_tokens: null, completion_tokens: 3 },
      null,
    ];
    for (const sent of absurd) {
      const { id, key } = await gateway.customer(grantMicros);
      vendor.script = (_request, reply) => reply.json(completion("A gate in a canal.", sent));
      const response = await chat("metered", key);
      expect(response.status).toBe(200);
      const row = await logRow(gateway, response);
      expect(row.estimated).toBe(true);
      expect(row.micros).toBeGreaterThan(0);
      expect(row.micros).toBeLessThan(200);
      await expectCharge(id, row.micros);
    }
  });

  test("hazard B12 usage beyond what a request can have used is charged as the most of it", async () => {
    const { id, key } = await gateway.customer(5000);
    const absurd = { prompt_tokens: 1, completion_tokens: 1e30 };
    vendor.script = (_request, reply) => reply.json(completion("Yes.", absurd));
    expect((await chat("metered", key, { max_tokens: 10 })).status).toBe(200);
    // One input token, and ten output tokens with what vendors are allowed on top: 13 and 256.
    expect(await balanceOf(gateway, id)).toMatchObject({
      quota_micros: 5000 - 539,
      held_micros: 0,
      used_micros: 539,
    });
  });

  test("hazard B18 a client that leaves before the end pays for what it got", async () => {
    const { id, key, keyId } = await gateway.customer(grantMicros);
    const left = Promise.withResolvers<void>();
    vendor.script = async (request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "word ".repeat(100) }));
      await request.closed;
      left.resolve();
    };
    const leave = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("cut", { stream: true })),
      signal: leave.signal,
    });
    await response.body?.getReader().read();
    leave.abort();
    await left.promise;
    const used = await eventually("the charge", async () => {
      const balance = await balanceOf(gateway, id);
      return balance.held_micros === 0 ? balance.used_micros : undefined;
    });
    // 500 letters are about 125 tokens, and the prompt is a few more.
    expect(used).toBeGreaterThan(100);
    expect(used).toBeLessThan(250);
    const own = await gateway.control<object>("GET", `/api/token/${keyId}`);
    expect(own).toMatchObject({ used_micros: used, held_micros: 0 });
  });
});

describe("prices", () => {
  test("N18 a model without a price is refused and nothing is sent", async () => {
    const { key } = await gateway.customer(grantMicros);
    vendor.requests.length = 0;
    const response = await chat("unpriced", key);
    expect(response.status).toBe(503);
    expect(response.headers.get("x-should-retry")).toBe("false");
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "model_not_found", param: "model" });
    expect(error.message).toContain("price");
    expect(vendor.requests).toHaveLength(0);
  });

  test("N18 a price set over the API holds at once, and goes back when it is removed", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    const price = { model: "unpriced", call_micros: 42 };
    const set = await gateway.control<object>("POST", "/api/price", price);
    expect(set).toMatchObject({ ...price, source: "own" });
    expect((await chat("unpriced", key)).status).toBe(200);
    await expectCharge(id, 42);
    await gateway.control("DELETE", "/api/price?model=unpriced");
    expect((await chat("unpriced", key)).status).toBe(503);
  });

  test("N18 with unpriced: free a model without a price is served for nothing", async () => {
    await using generous = await startGateway({ config: 'sandbox: "off"\nunpriced: free\n' });
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    await generous.control("POST", "/api/channel", vendor.channel({ models: ["gift"] }));
    const { id, key } = await generous.customer(0);
    const response = await generous.post("/v1/chat/completions", chatBody("gift"), key);
    expect(response.status).toBe(200);
    expect(await balanceOf(generous, id)).toMatchObject({ quota_micros: 0, used_micros: 0 });
  });
});

interface Credited {
  id: string;
  micros: number;
  quota_micros: number;
}

async function credit(accountId: string, body: object): Promise<Credited> {
  return await gateway.control<Credited>("POST", `/api/user/${accountId}/credit`, body);
}

describe("credit", () => {
  test("N19 credit can be spent at once, and is taken back down to what is left", async () => {
    const { id, key } = await gateway.customer(0);
    vendor.script = (_request, reply) => reply.json(completion("Yes.", usage));
    expect((await chat("called", key)).status).toBe(402);
    const given = await credit(id, { micros: 600, reason: "invoice" });
    expect(given).toMatchObject({ micros: 600, quota_micros: 600 });
    expect((await chat("called", key)).status).toBe(200);
    expect(await credit(id, { micros: -100, reason: "refund" })).toMatchObject({
      micros: -100,
      quota_micros: 250,
    });
    expect(await credit(id, { micros: -9999, reason: "close" })).toMatchObject({
      micros: -250,
      quota_micros: 0,
    });
    expect((await chat("called", key)).status).toBe(402);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 0, used_micros: 250 });
  });

  test("N19 a credit takes nothing that a running request holds", async () => {
    const { id, key } = await gateway.customer(1000);
    vendor.script = async (_request, reply) => {
      await credit(id, { micros: -5000, reason: "close" });
      reply.json(completion("Yes.", usage));
    };
    expect((await chat("called", key)).status).toBe(200);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 0, used_micros: 250 });
  });

  test("hazard B14 a credit with an id is booked once, however often and wherever sent", async () => {
    const { id } = await gateway.customer(0);
    const body = { id: "payment-77", micros: 500, reason: "payment" };
    const many = await Promise.all(Array.from({ length: 20 }, () => credit(id, body)));
    expect(new Set(many.map(({ micros }) => micros))).toEqual(new Set([500]));
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 500 });
    const path = `/api/user/${id}/credit`;
    const more = await gateway.controlEnvelope("POST", path, { ...body, micros: 900 });
    expect(more).toMatchObject({ success: false, code: "conflict" });
    const stranger = await gateway.customer(0);
    const elsewhere = `/api/user/${stranger.id}/credit`;
    expect((await gateway.controlEnvelope("POST", elsewhere, body)).success).toBe(false);
    expect(await balanceOf(gateway, stranger.id)).toMatchObject({ quota_micros: 0 });
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 500 });
  });

  test("hazard B17 money is never set, only moved, and only in amounts that make sense", async () => {
    const { id } = await gateway.customer(100);
    const path = `/api/user/${id}/credit`;
    const wrong = [
      { micros: 0, reason: "none" },
      { micros: 1.5, reason: "half" },
      { micros: "5", reason: "text" },
      { micros: 5 },
      { micros: 1e18, reason: "too much" },
      { micros: 5, reason: "ok", actor: "me" },
    ];
    for (const body of wrong) {
      expect((await gateway.controlEnvelope("POST", path, body)).success).toBe(false);
    }
    const set = await gateway.controlEnvelope("PATCH", `/api/user/${id}`, { quota_micros: 9 });
    expect(set.success).toBe(false);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 100 });
  });
});
