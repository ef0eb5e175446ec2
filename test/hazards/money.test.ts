// Attacks on quota: lying vendors, clients that leave, bodies that say two things, missing prices.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { tokenizerIsThere } from "../harness/time/tokenizer.ts";
import {
  completion,
  delta,
  usageChunk,
  Vendor,
  type VendorReply,
  type VendorScript,
} from "../harness/vendor.ts";
import { assertUp, balanceOf, eventsOf, logRows, settledBalance } from "./observe.ts";

/** Costs one micro a token, in and out. */
const model = "penny";
/** Costs a US dollar a token, the most that a price can say. */
const dear = "dear";
const answer: VendorScript = (_request, reply) => reply.json(completion("hello"));
const vendor = new Vendor(answer);
const spare = new Vendor(answer);
const rich = 1_000_000_000;
let gateway: Gateway;
let customer: { id: string; key: string; keyId: string };

beforeAll(async () => {
  gateway = await startGateway({ config: "text: { read_on_ms: 300 }" });
  await gateway.control("POST", "/api/channel", vendor.channel({ models: [model, dear, "chatA"] }));
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "free", models: ["none"] }));
  const fallible = { models: ["two-ways"], name: "first", priority: 9 };
  await gateway.control("POST", "/api/channel", vendor.channel(fallible));
  await gateway.control("POST", "/api/channel", spare.channel({ models: ["two-ways"] }));
  for (const [name, micros] of [
    [model, 1_000_000],
    ["two-ways", 1_000_000],
    [dear, 1_000_000_000_000],
  ]) {
    await gateway.control("POST", "/api/price", {
      model: name,
      input_micros_per_million: micros,
      output_micros_per_million: micros,
    });
  }
  customer = await gateway.customer(rich);
  await tokenizerIsThere(gateway, model);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
  spare[Symbol.dispose]();
});

const messages = [{ role: "user", content: "hi" }];
const ask = (fields: object = {}) => ({ model, messages, max_tokens: 100, ...fields });

async function chat(body: unknown, key = customer.key): Promise<Response> {
  return await gateway.post("/v1/chat/completions", body, key);
}

/** Price of the request, its answer read to the end. */
async function costOf(body: unknown): Promise<number> {
  const before = await settledBalance(gateway, customer.id);
  await (await chat(body)).text();
  const after = await settledBalance(gateway, customer.id);
  expect(after.quota_micros + after.used_micros).toBe(rich);
  return after.used_micros - before.used_micros;
}

const words = "four words of text.!";

function sendWhole(reply: VendorReply, usage: string): void {
  const body = JSON.stringify(completion(words, null)).slice(0, -1);
  const text = `${body},"usage":${usage}}`;
  const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
  reply.raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`);
}

function sendStream(reply: VendorReply, usage: string): void {
  reply.stream();
  reply.event(delta({ role: "assistant", content: words }));
  reply.event(`${JSON.stringify(usageChunk()).replace(/"usage":.*/, `"usage":${usage}}`)}`);
  reply.event("[DONE]");
  reply.end();
}

const forms = [
  { body: ask(), send: sendWhole },
  { body: ask({ stream: true }), send: sendStream },
];
/** Price of question and answer when their tokens are counted, at one micro each. */
const countedMicros = countTokens("hi") + countTokens(words);

describe("usage as a vendor reports it", () => {
  test.each([
    '{"prompt_tokens":-5,"completion_tokens":-7,"total_tokens":-12}',
    '{"prompt_tokens":10,"completion_tokens":-1000000}',
    '{"prompt_tokens":1e400,"completion_tokens":5}',
    '{"prompt_tokens":5,"completion_tokens":-1e400}',
    '{"prompt_tokens":"5","completion_tokens":"5"}',
    '{"prompt_tokens":"NaN","completion_tokens":null}',
    '{"prompt_tokens":true,"completion_tokens":[]}',
    '{"prompt_tokens":{"valueOf":1},"completion_tokens":1}',
    '{"completion_tokens":5}',
    '{"total_tokens":5}',
    '{"prompt_tokens":0,"completion_tokens":0}',
    "{}",
    "[]",
    "null",
    '"free"',
    "-1",
  ])("hazard B6 usage %s is not believed: the tokens are counted here", async (usage) => {
    for (const { body, send } of forms) {
      vendor.script = (_request, reply) => send(reply, usage);
      expect(await costOf(body)).toBe(countedMicros);
    }
  });

  test.each([
    ['{"prompt_tokens":1.5,"completion_tokens":2.5}', 5],
    ['{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":null}', 7],
    ['{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":-9}}', 7],
    ['{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":1e9}}', 7],
    ['{"prompt_tokens":3,"completion_tokens":4,"total_tokens":-1e400}', 7],
  ])("hazard B6 usage %s costs %d: rounded up, never below nothing", async (usage, micros) => {
    for (const { body, send } of forms) {
      vendor.script = (_request, reply) => send(reply, usage);
      expect(await costOf(body)).toBe(micros);
    }
  });

  test("hazard B6 B12 usage beyond all bounds takes what is left and no more", async () => {
    const huge = ["9007199254740993", "1e308", "18446744073709551616", "100000001"];
    for (const [at, count] of huge.entries()) {
      const poor = await gateway.customer(1000);
      const { body, send } = forms[at % 2] ?? { body: ask(), send: sendWhole };
      vendor.script = (_request, reply) =>
        send(reply, `{"prompt_tokens":${count},"completion_tokens":${count}}`);
      await (await chat(body, poor.key)).text();
      expect(await settledBalance(gateway, poor.id)).toMatchObject({
        quota_micros: 0,
        used_micros: 1000,
      });
      expect((await chat(ask(), poor.key)).status).toBe(402);
    }
  });

  test("hazard B12 a key's own limit is never passed, whatever the vendor counts", async () => {
    const limited = await gateway.customer(1_000_000, { quota_micros: 300 });
    vendor.script = (_request, reply) =>
      sendWhole(reply, '{"prompt_tokens":1,"completion_tokens":90000}');
    expect((await chat(ask(), limited.key)).status).toBe(200);
    const { used_micros } = await settledBalance(gateway, limited.id);
    expect(used_micros).toBe(300);
    const refused = await chat(ask(), limited.key);
    expect(await refused.json()).toMatchObject({ error: { code: "insufficient_quota" } });
  });

  test("hazard B6 a number that JSON does not have makes the answer unreadable and free", async () => {
    vendor.script = (_request, reply) =>
      sendWhole(reply, '{"prompt_tokens":NaN,"completion_tokens":Infinity}');
    expect(await costOf(ask())).toBe(0);
  });
});

describe("what a request asks for", () => {
  test.each([0, -1, 1.5, "3", 129, 1e9, true, [[1]], { n: 1 }])(
    "hazard B7 n = %p is a 400 and reaches no vendor",
    async (n) => {
      vendor.script = answer;
      const before = vendor.requests.length;
      const response = await chat(ask({ n }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param: "n" } });
      expect((await chat(JSON.stringify(ask({ n: 0 })).replace('"n":0', '"n":1e400'))).status).toBe(
        400,
      );
      expect(vendor.requests.length).toBe(before);
    },
  );

  test("hazard B7 every answer that is asked for is paid for before it is sent", async () => {
    vendor.script = answer;
    const poor = await gateway.customer(1000);
    const before = vendor.requests.length;
    expect((await chat(ask({ n: 11 }), poor.key)).status).toBe(402);
    const legacy = { model, prompt: Array(11).fill("x"), max_tokens: 100 };
    const best = { model, prompt: "x", max_tokens: 100, best_of: 11 };
    for (const body of [legacy, best, { ...legacy, prompt: ["x", "x"], n: 6 }]) {
      expect((await gateway.post("/v1/completions", body, poor.key)).status).toBe(402);
    }
    expect(vendor.requests.length).toBe(before);
    expect((await chat(ask({ n: 2 }), poor.key)).status).toBe(200);
  });

  test("hazard B7 a price past every whole number is more than anyone has", async () => {
    vendor.script = answer;
    const before = vendor.requests.length;
    const asked = { model: dear, n: 128, max_tokens: 100_000_000 };
    const response = await chat(ask(asked));
    expect([response.status, vendor.requests.length]).toEqual([402, before]);
    expect(await settledBalance(gateway, customer.id)).toMatchObject({ held_micros: 0 });
  });

  test("hazard B8 two bounds on the output are held for by the larger", async () => {
    vendor.script = answer;
    const poor = await gateway.customer(1000);
    const before = vendor.requests.length;
    const [small, large] = [1, 5000];
    for (const bounds of [
      { max_tokens: large, max_completion_tokens: small },
      { max_tokens: small, max_completion_tokens: large },
    ]) {
      expect((await chat(ask(bounds), poor.key)).status).toBe(402);
    }
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard B8 a bound of nothing, which some vendors read as none, is held for as none", async () => {
    vendor.script = answer;
    const poor = await gateway.customer(1000);
    for (const bounds of [{ max_tokens: 0 }, { max_completion_tokens: 0, max_tokens: 0 }]) {
      expect((await chat({ ...ask(), ...bounds }, poor.key)).status).toBe(402);
    }
  });

  test("hazard B9 of a field that stands twice the one that was priced is sent, once", async () => {
    vendor.script = answer;
    const twice = `{"model":"${dear}","max_tokens":7,"messages":[{"role":"user","content":"hi"}],
      "n":128,"n":1,"max_tokens":9,"model":"${model}"}`;
    const response = await chat(twice);
    expect(response.status).toBe(200);
    const text = vendor.requests.at(-1)?.text ?? "";
    expect(text.match(/"model"/g)).toHaveLength(1);
    expect(text.match(/"n"/g)).toHaveLength(1);
    expect(text.match(/"max_tokens"/g)).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ model, n: 1, max_tokens: 9 });
    const poor = await gateway.customer(1_000_000);
    const dearLast = twice.replace(`"model":"${model}"`, `"model":"${dear}"`);
    expect((await chat(dearLast, poor.key)).status).toBe(402);
  });

  test("hazard B11 without a bound of its own a request is held for by the model's", async () => {
    vendor.script = answer;
    const poor = await gateway.customer(1_250_000);
    const enough = await gateway.customer(1_300_000);
    const before = vendor.requests.length;
    const unbounded = { model: "chatA", messages };
    // A request without a bound is sent with what the wallet covers; one with a bound is refused.
    expect((await chat(unbounded, poor.key)).status).toBe(200);
    expect(vendor.requests.at(-1)?.body["max_tokens"]).toBeLessThan(128_000);
    expect((await chat({ ...unbounded, max_tokens: 100_000_000 }, poor.key)).status).toBe(402);
    expect((await chat({ model, messages, max_tokens: null }, poor.key)).status).toBe(200);
    expect(vendor.requests.length).toBe(before + 2);
    expect((await chat({ ...unbounded, max_tokens: 100_000_000 }, enough.key)).status).toBe(200);
  });

  test("hazard B11 a stream is stopped when it has spent what there was", async () => {
    const poor = await gateway.customer(500);
    const events = 20_000;
    let sent = 0;
    vendor.script = async (request, reply) => {
      let isLeft = false;
      void request.closed.then(() => (isLeft = true));
      reply.stream();
      for (; sent < events && !isLeft; sent++) {
        reply.event(delta({ content: "x".repeat(400) }));
        await Bun.sleep(0);
      }
      reply.event("[DONE]");
      reply.end();
    };
    const response = await chat(ask({ stream: true }), poor.key);
    const last = (await eventsOf(response)).at(-1) ?? "";
    expect(last).toContain('"error"');
    expect(sent).toBeLessThan(events);
    // It is stopped by an estimate and charged by a count, which is less here.
    const { quota_micros: left } = await settledBalance(gateway, poor.id);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThan(400);
  });
});

describe("credit", () => {
  test("hazard B17 no account starts with less than nothing or more than can be counted", async () => {
    const quotas = [-1, 1.5, "5", 1e16, Number.MAX_SAFE_INTEGER, null, true];
    for (const [at, quota_micros] of quotas.entries()) {
      const { success, message } = await gateway.controlEnvelope("POST", "/api/user", {
        username: `bad-quota-${at}`,
        password: "correct horse battery",
        quota_micros,
      });
      expect([success, message]).toEqual([false, expect.stringContaining("quota_micros")]);
    }
    for (const quota_micros of [-1, 1.5, "5", 1e16]) {
      const body = { name: "bad", quota_micros };
      expect(await gateway.controlEnvelope("POST", "/api/token", body)).toMatchObject({
        success: false,
      });
    }
  });

  test("hazard B17 a balance is changed by a credit alone, never by a field", async () => {
    const { id, keyId } = await gateway.customer(1000);
    const fields = ["quota_micros", "available_micros", "granted_micros", "used_micros"];
    for (const name of [...fields, "spent_micros", "held_micros", "unlimited", "balance"]) {
      const change = await gateway.controlEnvelope("PATCH", `/api/user/${id}`, { [name]: 5 });
      expect([name, change.success]).toEqual([name, false]);
    }
    for (const name of ["used_micros", "spent_micros", "held_micros"]) {
      const change = await gateway.controlEnvelope("PATCH", `/api/token/${keyId}`, { [name]: 0 });
      expect([name, change.success]).toEqual([name, false]);
    }
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 1000, used_micros: 0 });
  });

  test("hazard B17 a credit is whole, bounded and booked once for each id", async () => {
    const { id } = await gateway.customer(1000);
    const path = `/api/user/${id}/credit`;
    for (const micros of [0, 1.5, "5", 1e16, -1e16, null, true]) {
      const refused = await gateway.controlEnvelope("POST", path, { micros, reason: "test" });
      expect([micros, refused.success]).toEqual([micros, false]);
    }
    const credit = { micros: 500, reason: "test", id: crypto.randomUUID() };
    await Promise.all(Array.from({ length: 5 }, () => gateway.control("POST", path, credit)));
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 1500 });
    const taken = await gateway.control("POST", path, { micros: -99_999, reason: "test" });
    expect(taken).toMatchObject({ micros: -1500, quota_micros: 0 });
  });
});

describe("who pays for what", () => {
  test("hazard B18 a client that leaves near the end pays for what it was sent", async () => {
    const parts = 50;
    vendor.script = (_request, reply) => {
      reply.stream();
      for (let at = 0; at < parts; at++) reply.event(delta({ content: words }));
    };
    const before = await settledBalance(gateway, customer.id);
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}` },
      body: JSON.stringify(ask({ stream: true, max_tokens: 1000 })),
      signal: leaving.signal,
    });
    let received = "";
    for await (const chunk of response.body ?? []) {
      received += new TextDecoder().decode(chunk);
      if (received.split(words).length > parts) break;
    }
    leaving.abort();
    await vendor.requests.at(-1)?.closed;
    const after = await settledBalance(gateway, customer.id);
    const spent = after.used_micros - before.used_micros;
    expect(spent).toBeGreaterThanOrEqual((parts * words.length) / 4);
    expect(spent).toBeLessThan(1000);
  });

  test("hazard B19 an answer that brought nothing costs nothing", async () => {
    const broken: VendorScript[] = [
      (_request, reply) => reply.json({ error: { message: "boom" } }, 500),
      (_request, reply) => reply.json({ error: { message: "no" } }, 400),
      (_request, reply) => reply.cut(),
      (_request, reply) => {
        reply.stream();
        reply.event(delta({ role: "assistant" }));
        reply.event({ error: { message: "boom" } });
        reply.end();
      },
    ];
    for (const script of broken) {
      vendor.script = script;
      expect(await costOf(ask({ stream: true }))).toBe(0);
    }
  });

  test("hazard B20 an answer that took two channels is paid once", async () => {
    vendor.script = (_request, reply) => reply.json({ error: { message: "boom" } }, 500);
    const payer = await gateway.customer(1000);
    const response = await chat({ ...ask(), model: "two-ways" }, payer.key);
    expect(response.status).toBe(200);
    expect([vendor.requests.at(-1)?.body["model"], spare.requests.length]).toEqual(["two-ways", 1]);
    expect(await settledBalance(gateway, payer.id)).toMatchObject({ used_micros: 30 });
    expect(await logRows(gateway, payer.keyId, 1)).toMatchObject([{ micros: 30, attempts: 2 }]);
  });
});

describe("prices", () => {
  test("hazard B23 a model without a price is refused, not free", async () => {
    vendor.script = answer;
    const before = vendor.requests.length;
    const response = await chat({ ...ask(), model: "none" });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: "model_not_found" } });
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard B23 a price is whole and names what it must", async () => {
    const both = { input_micros_per_million: 1, output_micros_per_million: 1 };
    const prices = [
      { model: "none" },
      { model: "none", input_micros_per_million: 1 },
      { model: "none", output_micros_per_million: 1 },
      ...[-1, 0.5, "1", null, 1e13].map((amount) => ({
        model: "none",
        ...both,
        input_micros_per_million: amount,
      })),
      { model: "", ...both },
      { model: "none", ...both, free: true },
    ];
    for (const price of prices) {
      const { success } = await gateway.controlEnvelope("POST", "/api/price", price);
      expect([price, success]).toEqual([price, false]);
    }
    expect((await chat({ ...ask(), model: "none" })).status).toBe(503);
  });

  test("hazard B23 the highest price of a call that can be set can be charged", async () => {
    const price = { model: "none", call_micros: 1_000_000_000_000 };
    await gateway.control("POST", "/api/price", price);
    try {
      expect((await chat({ ...ask(), model: "none" })).status).toBe(402);
    } finally {
      await gateway.control("DELETE", "/api/price?model=none");
    }
  });
});
