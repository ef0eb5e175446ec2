// Budgets of channels: what goes through one counts at what it costs, whoever pays, and one that is
// spent gets nothing more. On files, whose clock can be moved.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { newPerson } from "../../harness/accounts/usage.ts";
import { rootKey, startGateway, temporaryFolder, type Gateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";
import { rmSync } from "node:fs";

const priceMicros = 1000;
const hourSeconds = 3600;
const models = Array.from({ length: 12 }, (_, at) => `through-${at}`);
const config = {
  sandbox: "off",
  prices: models.map((model) => ({ model, call_micros: priceMicros })),
};

const gateway = useStand(() =>
  startGateway({ isOnFiles: true, oneProcess: "judgement", config: JSON.stringify(config) }),
);

interface Shown {
  id: string;
  account: string;
  subject_name: string | null;
  now: { spent_micros: number; limit_micros: number; subject_name: string } | null;
}

let used = 0;
const newModel = () => models[used++] ?? "";

async function addChannel(vendor: Vendor, fields: Record<string, unknown>) {
  const name = `channel ${crypto.randomUUID().slice(0, 8)}`;
  const body = vendor.channel({ name, ...fields });
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", body);
  return { id, name };
}

async function budget(fields: object): Promise<Shown> {
  const whole = { name: crypto.randomUUID(), scope: "channel", limit_micros: 3 * priceMicros };
  return await gateway.control<Shown>("POST", "/api/budget", { ...whole, ...fields });
}

const remove = ({ id }: Shown) => gateway.control("DELETE", `/api/budget/${id}`);
async function counted({ id }: Shown, spentMicros: number): Promise<void> {
  await eventually("what was spent", async () => {
    return (await show(id)).now?.spent_micros === spentMicros ? true : undefined;
  });
}

const show = (id: string) => gateway.control<Shown>("GET", `/api/budget/${id}`);

async function ask(model: string, key = rootKey, of: Gateway = gateway): Promise<Response> {
  const response = await of.post("/v1/chat/completions", chatBody(model), key);
  // All of it has come, so it is settled.
  return new Response(await response.text(), response);
}

async function statuses(count: number, model: string, key = rootKey): Promise<number[]> {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push((await ask(model, key)).status);
  return all;
}

async function refusal(fields: object): Promise<{ message: string; success: boolean }> {
  const whole = { name: "wrong", scope: "channel", limit_micros: 1 };
  return await gateway.controlEnvelope("POST", "/api/budget", { ...whole, ...fields });
}

describe("a budget of a channel", () => {
  test("Q13 that is spent leaves its requests to the next channel, at what they cost", async () => {
    using first = new Vendor(answers("chat", "Yes."));
    using second = new Vendor(answers("chat", "Yes."));
    const model = newModel();
    const cost = { cost: { percent: 50 }, priority: 5 };
    const { id, name } = await addChannel(first, { models: [model], ...cost });
    await addChannel(second, { models: [model] });
    const made = await budget({ subject: name, limit_micros: 1500 });
    expect(made).toMatchObject({ account: "root", subject_name: name });
    // Each costs 500, whoever pays: the fourth finds it spent.
    const customer = await gateway.customer(1_000_000);
    expect(await statuses(2, model, customer.key)).toEqual([200, 200]);
    expect(await statuses(3, model)).toEqual([200, 200, 200]);
    expect([first.requests.length, second.requests.length]).toEqual([3, 2]);
    const { now } = await show(made.id);
    expect(now).toMatchObject({ spent_micros: 1500, held_micros: 0, left_micros: 0 });
    const shown = await gateway.control("GET", `/api/channel/${id}`);
    expect(shown).toMatchObject({ health: { state: "spent" } });
    // Nobody who pays falls under it.
    const own = await gateway.get("/v1/budget", customer.key);
    expect(await own.json()).toMatchObject({ data: [] });
    await remove(made);
    expect(await statuses(1, model)).toEqual([200]);
    expect(first.requests).toHaveLength(4);
  });

  test("Q13 is a 429 that says when to come back, where there is no other channel", async () => {
    using vendor = new Vendor(answers("chat", "Yes."));
    const model = newModel();
    const { id } = await addChannel(vendor, { models: [model] });
    const window = { period: "hours", hours: 5 };
    const made = await budget({ subject: id, limit_micros: priceMicros, ...window });
    expect(await statuses(1, model)).toEqual([200]);
    // A window of first use opens with what it counts first.
    await counted(made, priceMicros);
    const refused = await ask(model);
    expect([refused.status, (await errorOf(refused)).code]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(4 * hourSeconds);
    gateway.pass(5 * hourSeconds + 60);
    expect(await statuses(1, model)).toEqual([200]);
    await counted(made, priceMicros);
    expect(await statuses(1, model)).toEqual([429]);
    const windows = await gateway.control<{ items: Shown["now"][] }>(
      "GET",
      `/api/budget/${made.id}/window`,
    );
    expect(windows.items.map((one) => one?.spent_micros)).toEqual([priceMicros, priceMicros]);
    expect(vendor.requests).toHaveLength(2);
    await remove(made);
  });

  test("Q13 that never ends is no reason to come again", async () => {
    using vendor = new Vendor(answers("chat", "Yes."));
    const model = newModel();
    const { id } = await addChannel(vendor, { models: [model] });
    const made = await budget({ subject: id, limit_micros: priceMicros, period: "forever" });
    expect(await statuses(1, model)).toEqual([200]);
    const refused = await ask(model);
    expect([refused.status, (await errorOf(refused)).code]).toEqual([500, "do_request_failed"]);
    expect(await gateway.control("GET", `/api/channel/${id}`)).toMatchObject({
      health: { state: "spent", until: null },
    });
    await remove(made);
  });

  test("Q13 is raised, renewed and changed as others are", async () => {
    using vendor = new Vendor(answers("chat", "Yes."));
    const model = newModel();
    const { name } = await addChannel(vendor, { models: [model] });
    const made = await budget({ subject: name, limit_micros: priceMicros });
    expect(await statuses(2, model)).toEqual([200, 429]);
    const raised = { limit_micros: 2 * priceMicros };
    await gateway.control("POST", `/api/budget/${made.id}/raise`, raised);
    expect(await statuses(2, model)).toEqual([200, 429]);
    await gateway.control("POST", `/api/budget/${made.id}/renew`, {});
    expect(await statuses(2, model)).toEqual([200, 429]);
    await gateway.control("PATCH", `/api/budget/${made.id}`, { limit_micros: 3 * priceMicros });
    expect(await statuses(3, model)).toEqual([200, 200, 429]);
    await gateway.control("PATCH", `/api/budget/${made.id}`, { mode: "watch" });
    await gateway.control("POST", `/api/budget/${made.id}/renew`, {});
    expect(await statuses(4, model)).toEqual([200, 200, 200, 200]);
    expect((await show(made.id)).now?.spent_micros).toBe(4 * priceMicros);
    await remove(made);
  });

  test("Q13 of each channel is each one's own", async () => {
    using vendor = new Vendor(answers("chat", "Yes."));
    const [one, other] = [newModel(), newModel()];
    await addChannel(vendor, { models: [one] });
    await addChannel(vendor, { models: [other] });
    const made = await budget({ limit_micros: priceMicros });
    expect(await statuses(2, one)).toEqual([200, 429]);
    expect(await statuses(2, other)).toEqual([200, 429]);
    await remove(made);
  });

  test("Q13 does not stop the book from agreeing with its entries", async () => {
    using vendor = new Vendor(answers("chat", "Yes."));
    const model = newModel();
    const { id } = await addChannel(vendor, { models: [model] });
    const made = await budget({ subject: id });
    expect(await statuses(1, model)).toEqual([200]);
    const verified = await gateway.control("POST", "/api/ledger/verify");
    expect(verified).toMatchObject({ ok: true });
    await remove(made);
  });

  test("Q13 is refused where it could not keep what it says, naming the field", async () => {
    const wrong: [string, object][] = [
      ["mode", { mode: "hard" }],
      ["models", { models: ["a"] }],
      ["account", { account: "root" }],
      ["subject", { subject: "no such channel" }],
    ];
    for (const [field, fields] of wrong) {
      const { success, message } = await refusal(fields);
      expect([success, message]).toEqual([false, expect.stringContaining(field)]);
    }
    const { id } = await gateway.control<Shown>("POST", "/api/budget", {
      name: "own",
      limit_micros: 1_000_000_000,
    });
    const changed = await gateway.controlEnvelope("PATCH", `/api/budget/${id}`, {
      scope: "channel",
    });
    expect(changed).toMatchObject({ success: false, message: expect.stringContaining("scope") });
  });

  test("Q13 is nobody's who only pays", async () => {
    const { token } = await newPerson(gateway, 1_000_000);
    const body = { name: "mine", scope: "channel", limit_micros: 1 };
    const answer = await gateway.controlEnvelope("POST", "/api/budget", body, token);
    expect(answer).toMatchObject({
      success: false,
      message: expect.stringContaining("budgets.write"),
    });
  });
});

test("Q13 what went through a channel is known after a restart", async () => {
  const folder = temporaryFolder();
  using vendor = new Vendor(answers("chat", "Yes."));
  const declared = JSON.stringify({
    ...config,
    channels: [vendor.channel({ name: "bounded", models: ["through-0"] })],
    budgets: [
      { name: "contract", scope: "channel", subject: "bounded", limit_micros: priceMicros },
    ],
  });
  try {
    const options = { folder, config: declared, oneProcess: "judgement" } as const;
    const before = await startGateway(options);
    expect((await ask("through-0", rootKey, before)).status).toBe(200);
    expect((await ask("through-0", rootKey, before)).status).toBe(429);
    await before.stop();
    await using after = await startGateway(options);
    expect((await ask("through-0", rootKey, after)).status).toBe(429);
    expect(vendor.requests).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
