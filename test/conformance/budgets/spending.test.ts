// Requests under budgets: which of them count, what is refused, and when it begins anew. On files,
// whose clock can be moved: nodes go by their database's (test/cluster/caps.test.ts).
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chatBody, errorOf, tally } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const priceMicros = 1000;
const models = ["flat", "flat-mini", "other"];
const vendor = kept(new Vendor(answers("chat", "Yes.")));
const hourSeconds = 3600;

const gateway = useStand(() =>
  startGateway({
    isOnFiles: true,
    config: JSON.stringify({
      sandbox: "off",
      limits: { budget_header: true },
      channels: [vendor.channel({ name: "all", models })],
      prices: models.map((model) => ({ model, call_micros: priceMicros })),
    }),
  }),
);

interface Made {
  id: string;
  name: string;
  now: { spent_micros: number; limit_micros: number; resets_at: number | null } | null;
}

interface Customer {
  id: string;
  key: string;
  keyId: string;
}

let customer: Customer;

beforeAll(() => {
  vendor.script = answers("chat", "Yes.");
});

beforeEach(async () => {
  customer = await gateway.customer(1_000_000_000);
});

async function budget(fields: object): Promise<Made> {
  const whole = { name: "the budget", account: customer.id, limit_micros: 3 * priceMicros };
  return await gateway.control<Made>("POST", "/api/budget", { ...whole, ...fields });
}

async function ask(model = "flat", key = customer.key): Promise<Response> {
  const response = await gateway.post("/v1/chat/completions", chatBody(model), key);
  await response.clone().text();
  return response;
}

async function statuses(count: number, model = "flat", key = customer.key): Promise<number[]> {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push((await ask(model, key)).status);
  return all;
}

async function secondKey(): Promise<{ id: string; key: string }> {
  return await gateway.control("POST", "/api/token", { name: "second", account: customer.id });
}

describe("a budget", () => {
  test("Q13 that stops is spent, then refuses with its name, its figures and its end", async () => {
    await budget({ name: "research week", period: "week" });
    expect(await statuses(4)).toEqual([200, 200, 200, 402]);
    const refused = await ask();
    const { code, message, param } = await errorOf(refused);
    expect({ code, param }).toEqual({ code: "budget_exceeded", param: "research week" });
    expect(message).toContain('The budget "research week" is spent: $0.003 of $0.003.');
    expect(message).toContain("It starts anew on ");
  });

  test("Q13 that is hard is never passed, however many ask at once", async () => {
    const { id } = await budget({ mode: "hard" });
    const all = await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect(tally(all.map(({ status }) => status))).toEqual(
      new Map([
        [200, 3],
        [402, 97],
      ]),
    );
    const { now } = await gateway.control<Made>("GET", `/api/budget/${id}`);
    expect(now).toMatchObject({ spent_micros: 3 * priceMicros, held_micros: 0, left_micros: 0 });
  });

  test("Q13 that watches counts and refuses nothing", async () => {
    const { id } = await budget({ mode: "watch", limit_micros: priceMicros });
    expect(await statuses(3)).toEqual([200, 200, 200]);
    const { now } = await gateway.control<Made>("GET", `/api/budget/${id}`);
    expect(now?.spent_micros).toBe(3 * priceMicros);
  });

  test("Q13 of each key is each key's own", async () => {
    await budget({ scope: "key" });
    const other = await secondKey();
    expect(await statuses(4)).toEqual([200, 200, 200, 402]);
    expect(await statuses(4, "flat", other.key)).toEqual([200, 200, 200, 402]);
  });

  test("Q13 of one key is no other's concern", async () => {
    const other = await secondKey();
    await budget({ scope: "key", subject: "second", limit_micros: priceMicros });
    expect(await statuses(3)).toEqual([200, 200, 200]);
    expect(await statuses(2, "flat", other.key)).toEqual([200, 402]);
  });

  test("Q13 of some models counts those that were asked for alone", async () => {
    await budget({ models: ["flat*"], limit_micros: 2 * priceMicros });
    expect(await statuses(2, "other")).toEqual([200, 200]);
    expect(await statuses(1, "flat-mini")).toEqual([200]);
    expect(await statuses(2)).toEqual([200, 402]);
    expect(await statuses(1, "other")).toEqual([200]);
  });

  test("Q13 is one of several, and each of them counts", async () => {
    await budget({ name: "all", limit_micros: 100 * priceMicros });
    await budget({ name: "each key", scope: "key", limit_micros: 2 * priceMicros });
    await budget({ name: "some models", models: ["other"], limit_micros: priceMicros });
    expect(await statuses(2, "other")).toEqual([200, 402]);
    expect(await statuses(2)).toEqual([200, 402]);
    const { items } = await gateway.control<{ items: Made[] }>(
      "GET",
      `/api/budget?account=${customer.id}`,
    );
    expect(items.map(({ name, now }) => [name, now?.spent_micros])).toEqual([
      ["all", 2 * priceMicros],
      ["each key", undefined],
      ["some models", priceMicros],
    ]);
  });
});

describe("its window", () => {
  test("Q13 is followed by another when its time is over", async () => {
    const hours = { period: "hours", hours: 1, hours_from: "epoch" };
    const { now } = await budget({ ...hours, limit_micros: priceMicros });
    expect(await statuses(2)).toEqual([200, 402]);
    gateway.pass(hourSeconds);
    expect(await statuses(2)).toEqual([200, 402]);
    expect(now?.resets_at).not.toBeNull();
  });

  test("Q13 of first use opens with a request and lasts its hours", async () => {
    const { id, now } = await budget({ period: "hours", hours: 5, limit_micros: priceMicros });
    expect(now).toMatchObject({ opened_at: null, resets_at: null });
    gateway.pass(hourSeconds);
    expect(await statuses(2)).toEqual([200, 402]);
    gateway.pass(4 * hourSeconds);
    expect(await statuses(1)).toEqual([402]);
    gateway.pass(hourSeconds);
    expect(await statuses(2)).toEqual([200, 402]);
    const { total } = await gateway.control<{ total: number }>("GET", `/api/budget/${id}/window`);
    expect(total).toBe(2);
  });

  test("Q13 carries what was left into the next, at most so much, and no further", async () => {
    const hours = { period: "hours", hours: 1, hours_from: "epoch" };
    await budget({ ...hours, carry_micros_max: 2 * priceMicros });
    gateway.pass(hourSeconds);
    expect(await statuses(2)).toEqual([200, 200]);
    gateway.pass(hourSeconds);
    // 3 and the carried 2, of which 2 were spent: 3 are left, and 2 of them go on.
    expect(await statuses(6)).toEqual([200, 200, 200, 200, 200, 402]);
    gateway.pass(hourSeconds);
    expect(await statuses(4)).toEqual([200, 200, 200, 402]);
  });

  test("Q13 is freed by hand, and its history stays", async () => {
    const { id } = await budget({ limit_micros: priceMicros });
    expect(await statuses(2)).toEqual([200, 402]);
    gateway.pass(1);
    await gateway.control("POST", `/api/budget/${id}/renew`, {});
    expect(await statuses(2)).toEqual([200, 402]);
    const { items } = await gateway.control<{ items: object[] }>("GET", `/api/budget/${id}/window`);
    expect(items).toMatchObject([{ spent_micros: priceMicros }, { spent_micros: priceMicros }]);
  });

  test("Q13 of one subject is freed alone", async () => {
    const { id } = await budget({ scope: "key", limit_micros: priceMicros });
    const other = await secondKey();
    expect(await statuses(2)).toEqual([200, 402]);
    expect(await statuses(2, "flat", other.key)).toEqual([200, 402]);
    gateway.pass(1);
    await gateway.control("POST", `/api/budget/${id}/renew`, { subject: "second" });
    expect(await statuses(1)).toEqual([402]);
    expect(await statuses(2, "flat", other.key)).toEqual([200, 402]);
  });

  test("Q13 is raised alone, before its first request and after", async () => {
    const hours = { period: "hours", hours: 1, hours_from: "epoch" };
    const { id } = await budget({ ...hours, limit_micros: priceMicros });
    const raise = { limit_micros: 2 * priceMicros };
    await gateway.control("POST", `/api/budget/${id}/raise`, raise);
    expect(await statuses(3)).toEqual([200, 200, 402]);
    await gateway.control("POST", `/api/budget/${id}/raise`, { limit_micros: 3 * priceMicros });
    expect(await statuses(2)).toEqual([200, 402]);
    gateway.pass(hourSeconds);
    expect(await statuses(2)).toEqual([200, 402]);
  });

  test("Q13 has another limit at once, and none when the budget is gone or disabled", async () => {
    const { id } = await budget({ limit_micros: priceMicros });
    expect(await statuses(2)).toEqual([200, 402]);
    await gateway.control("PATCH", `/api/budget/${id}`, { limit_micros: 2 * priceMicros });
    expect(await statuses(2)).toEqual([200, 402]);
    await gateway.control("PATCH", `/api/budget/${id}`, { status: "disabled" });
    expect(await statuses(1)).toEqual([200]);
    await gateway.control("PATCH", `/api/budget/${id}`, { status: "enabled" });
    expect(await statuses(1)).toEqual([402]);
    await gateway.control("DELETE", `/api/budget/${id}`);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe("GET /v1/budget", () => {
  test("Q13 tells a key what is left of every budget that it falls under", async () => {
    await budget({ name: "all", limit_micros: 10 * priceMicros });
    await budget({ name: "each key", scope: "key", mode: "hard" });
    expect(await statuses(1)).toEqual([200]);
    const { data } = (await (await gateway.get("/v1/budget", customer.key)).json()) as {
      data: object[];
    };
    expect(data).toMatchObject([
      { name: "all", scope: "account", mode: "stop", subject: null, left_micros: 9 * priceMicros },
      {
        name: "each key",
        scope: "key",
        mode: "hard",
        subject: customer.keyId,
        limit_micros: 3 * priceMicros,
        spent_micros: priceMicros,
        held_micros: 0,
        left_micros: 2 * priceMicros,
      },
    ]);
  });

  test("Q13 has its least on every answer, where the gateway is to tell it", async () => {
    const before = await ask();
    expect(before.headers.has("x-sluice-budget-left")).toBe(false);
    await budget({ name: "wide", limit_micros: 10 * priceMicros });
    await budget({ name: "narrow", limit_micros: 2 * priceMicros });
    expect((await ask()).headers.get("x-sluice-budget-left")).toBe(String(priceMicros));
    expect((await ask()).headers.get("x-sluice-budget-left")).toBe("0");
  });

  test("Q13 is empty for a key without budgets", async () => {
    expect(await (await gateway.get("/v1/budget", customer.key)).json()).toEqual({
      object: "list",
      data: [],
    });
  });
});
