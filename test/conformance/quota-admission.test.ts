// Admission by price: prepaid money is never spent twice, however many ask at once.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chatBody, errorOf, tally } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { readStream } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const priceMicros = 1000;
const config = `
sandbox: "off"
timeouts: { first_byte_ms: 5000, stall_ms: 5000 }
text: { read_on_ms: 200 }
distribution: { failures_to_eject: 1000000 }
prices:
  - { model: flat, call_micros: ${priceMicros} }
  - { model: other, call_micros: ${priceMicros} }
  - { model: mixed, call_micros: ${priceMicros} }
  - { model: metered, input_micros_per_million: 1000000, output_micros_per_million: 1000000 }
`;

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));

const vendor = kept(new Vendor(whole));
const other = kept(new Vendor(whole));

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["flat", "metered"] }));
  await gateway.control("POST", "/api/channel", other.channel({ models: ["other"] }));
});

async function askTogether(count: number, model: string, key: string): Promise<Response[]> {
  const asked = Array.from({ length: count }, async (_, at) => {
    const path = "/v1/chat/completions";
    return await gateway.post(path, chatBody(model, { stream: at % 2 === 1 }), key);
  });
  return await Promise.all(asked);
}

const streamOrWhole: VendorScript = (request, reply) => {
  if (request.body["stream"] !== true) return whole(request, reply);
  reply.stream();
  reply.event(delta({ role: "assistant", content: "Yes." }, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
};

describe("200 parallel requests on money for three", () => {
  test("Q1 a balance for three serves exactly three and sends nothing else upstream", async () => {
    const { id, key } = await gateway.customer(3 * priceMicros);
    vendor.script = streamOrWhole;
    vendor.requests.length = 0;
    const responses = await askTogether(200, "flat", key);
    await Promise.all(responses.map((response) => response.clone().text()));
    expect(tally(responses.map(({ status }) => status))).toEqual(
      new Map([
        [200, 3],
        [402, 197],
      ]),
    );
    expect(vendor.requests).toHaveLength(3);
    const refused = responses.filter(({ status }) => status === 402);
    const errors = await Promise.all(refused.map(errorOf));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["insufficient_user_quota"]));
    expect(await balanceOf(gateway, id)).toMatchObject({
      quota_micros: 0,
      held_micros: 0,
      used_micros: 3 * priceMicros,
    });
  });

  test("Q1 a key's own limit for three serves exactly three of a rich account", async () => {
    const quota = { quota_micros: 3 * priceMicros };
    const { id, key } = await gateway.customer(1_000_000, quota);
    other.script = streamOrWhole;
    other.requests.length = 0;
    const responses = await askTogether(200, "other", key);
    await Promise.all(responses.map((response) => response.clone().text()));
    expect(tally(responses.map(({ status }) => status))).toEqual(
      new Map([
        [200, 3],
        [402, 197],
      ]),
    );
    expect(other.requests).toHaveLength(3);
    const refused = responses.filter(({ status }) => status === 402);
    const errors = await Promise.all(refused.map(errorOf));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["insufficient_quota"]));
    expect(await balanceOf(gateway, id)).toMatchObject({
      quota_micros: 1_000_000 - 3 * priceMicros,
      held_micros: 0,
      used_micros: 3 * priceMicros,
    });
  });

  test("Q1 two keys of one account share its balance", async () => {
    const { id, key } = await gateway.customer(3 * priceMicros);
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${id}`);
    const second = await gateway.control<{ key: string }>("POST", "/api/token", {
      name: "second",
      account: username,
    });
    vendor.script = streamOrWhole;
    vendor.requests.length = 0;
    const both = await Promise.all([
      askTogether(50, "flat", key),
      askTogether(50, "flat", second.key),
    ]);
    await Promise.all(both.flat().map((response) => response.text()));
    expect(tally(both.flat().map(({ status }) => status)).get(200)).toBe(3);
    expect(vendor.requests).toHaveLength(3);
  });
});

describe("refusals", () => {
  test("Q1 too little money is a 402 that says whose, and that trying again is useless", async () => {
    const poor = await gateway.customer(priceMicros - 1);
    vendor.requests.length = 0;
    const response = await gateway.post("/v1/chat/completions", chatBody("flat"), poor.key);
    expect(response.status).toBe(402);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await errorOf(response)).toMatchObject({
      type: "insufficient_quota",
      code: "insufficient_user_quota",
    });
    const capped = await gateway.customer(1_000_000, { quota_micros: priceMicros - 1 });
    const own = await gateway.post("/v1/chat/completions", chatBody("flat"), capped.key);
    expect(own.status).toBe(402);
    expect(await errorOf(own)).toMatchObject({
      type: "insufficient_quota",
      code: "insufficient_quota",
    });
    expect(vendor.requests).toHaveLength(0);
    expect(await balanceOf(gateway, capped.id)).toMatchObject({ used_micros: 0, held_micros: 0 });
  });

  test("Q1 what a request may cost at most must be there before it runs", async () => {
    const { id, key } = await gateway.customer(5000);
    vendor.script = whole;
    vendor.requests.length = 0;
    const dear = chatBody("metered", { max_tokens: 5000 });
    expect((await gateway.post("/v1/chat/completions", dear, key)).status).toBe(402);
    expect(vendor.requests).toHaveLength(0);
    const cheap = chatBody("metered", { max_tokens: 100 });
    expect((await gateway.post("/v1/chat/completions", cheap, key)).status).toBe(200);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 5000 - 30, held_micros: 0 });
  });

  test("Q1 money is held while a request runs, and a second one cannot use it", async () => {
    const { id, key } = await gateway.customer(priceMicros);
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    vendor.script = async (_request, reply) => {
      arrived.resolve();
      await go.promise;
      reply.json(completion("Late."));
    };
    const first = gateway.post("/v1/chat/completions", chatBody("flat"), key);
    await arrived.promise;
    // Its hold is known to its own node alone, which is asked sooner or later.
    const meanwhile = await eventually("the hold", async () => {
      const balance = await balanceOf(gateway, id);
      return balance.held_micros > 0 ? balance : undefined;
    });
    const second = await gateway.post("/v1/chat/completions", chatBody("flat"), key);
    go.resolve();
    expect(meanwhile).toMatchObject({ quota_micros: 0, held_micros: priceMicros, used_micros: 0 });
    expect(second.status).toBe(402);
    expect((await first).status).toBe(200);
    expect(await balanceOf(gateway, id)).toMatchObject({ held_micros: 0, used_micros: 1000 });
  });
});

type Step = "whole" | "stream" | "refused" | "broken" | "abort" | "credit" | "take";

/** Orders to the vendor stand in the request itself, so that steps can run together. */
const mixed: VendorScript = (request, reply) => {
  switch (request.body["user"]) {
    case "whole":
      return reply.json(completion("Yes."));
    case "refused":
      return reply.json({ error: { message: "No.", type: "invalid_request_error" } }, 400);
    case "broken":
      return reply.json({ error: { message: "Ouch." } }, 500);
    case "stream":
      return streamOrWhole(request, reply);
    default:
      reply.stream();
      reply.event(delta({ role: "assistant", content: "It is a gate in a canal." }));
  }
};

interface Totals {
  granted: number;
  charged: number;
}

async function take(
  step: Step,
  customer: { id: string; key: string },
  totals: Totals,
): Promise<void> {
  if (step === "credit" || step === "take") {
    const body = { micros: step === "credit" ? 2500 : -700, reason: "property" };
    const path = `/api/user/${customer.id}/credit`;
    const { micros } = await gateway.control<{ micros: number }>("POST", path, body);
    totals.granted += micros;
    return;
  }
  const stream = step === "stream" || step === "abort";
  const body = chatBody("mixed", { user: step, stream });
  const leave = new AbortController();
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: leave.signal,
  });
  if (response.status === 200) totals.charged += priceMicros;
  if (step === "abort" && response.status === 200) leave.abort();
  else await readStream(response);
}

test("Q2 after any mix of requests and credits the balance is grants less charges", async () => {
  using upstream = new Vendor(mixed);
  await gateway.control("POST", "/api/channel", upstream.channel({ models: ["mixed"] }));
  const step = fc.constantFrom<Step>(
    ...(["whole", "stream", "refused", "broken", "abort", "credit", "take"] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
      const customer = await gateway.customer(5 * priceMicros);
      const totals: Totals = { granted: 5 * priceMicros, charged: 0 };
      await Promise.all(steps.map((one) => take(one, customer, totals)));
      const end = await eventually("the end of all holds", async () => {
        const balance = await balanceOf(gateway, customer.id);
        return balance.held_micros === 0 ? balance : undefined;
      });
      expect(end.used_micros).toBe(totals.charged);
      expect(end.quota_micros).toBe(totals.granted - totals.charged);
      expect(end.quota_micros).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 12 },
  );
});
