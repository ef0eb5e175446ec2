// A second look before a 402: a prompt whose bytes could cost more than there is, is counted, and
// asked for again by its count.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { balanceOf } from "../../harness/books.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
const path = "/v1/chat/completions";

const configOf = (secondLook: "on" | "off") =>
  JSON.stringify({
    text: { second_look: secondLook },
    channels: [vendor.channel({ name: "chat", models: ["gpt-5.4"] })],
    prices: [{ model: "gpt-5.4", ...metered }],
  });
const gateway = useStand(() => startGateway({ config: configOf("on") }));
const off = useStand(() => startGateway({ config: configOf("off") }));

/** Prose with five bytes a token. */
const line = "Everybody knows that the river carries whatever people give it until evening. ";
const content = line.repeat(400);
const body = { model: "gpt-5.4", messages: [{ role: "user", content }], max_tokens: 100 };
const bytes = JSON.stringify(body).length;
const reportedTokens = Math.ceil(bytes / 5);

async function countsOf(one: typeof gateway): Promise<Record<string, number>> {
  const text = await (await fetch(`${one.url}/metrics`)).text();
  const found = text.matchAll(/sluice_second_looks_total\{result="(\w+)"\} (\d+)/g);
  return Object.fromEntries([...found].map(([, result = "", count]) => [result, Number(count)]));
}

async function ask(one: typeof gateway, key: string, asked: object = body) {
  const response = await one.post(path, asked, key);
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, id: response.headers.get("x-request-id") ?? "", error };
}

describe("a body that its bytes make too dear", () => {
  test("hazard B24 is refused without a second look, and served with one", async () => {
    vendor.script = answers("chat", "Yes.", { input: reportedTokens, output: 5 });
    const rich = bytes / 2;
    const before = await ask(off, (await off.customer(rich)).key);
    expect([before.status, before.error?.code]).toEqual([402, "insufficient_user_quota"]);
    const { key, id } = await gateway.customer(rich);
    const served = await ask(gateway, key);
    expect(served.status).toBe(200);
    const { held_micros: held } = await entryOf(gateway, served.id);
    expect(held).toBeLessThan(rich);
    expect(held).toBeGreaterThan(reportedTokens);
    expect((await balanceOf(gateway, id)).used_micros).toBe(reportedTokens + 5);
  });

  test("hazard B24 is served within a key's own limit too", async () => {
    const limit = { quota_micros: Math.floor(bytes / 2) };
    const before = await ask(off, (await off.customer(1e9, limit)).key);
    expect([before.status, before.error?.code]).toEqual([402, "insufficient_quota"]);
    expect((await ask(gateway, (await gateway.customer(1e9, limit)).key)).status).toBe(200);
  });

  test("hazard B24 of who has the money is not counted", async () => {
    const before = await countsOf(gateway);
    const { key } = await gateway.customer(bytes + 1000);
    expect((await ask(gateway, key)).status).toBe(200);
    expect(await countsOf(gateway)).toEqual(before);
  });

  test("hazard B24 is not counted where a sixth of its bytes would be too much", async () => {
    const before = await countsOf(gateway);
    const { key } = await gateway.customer(Math.floor(bytes / 6) + 2048);
    const { status, error } = await ask(gateway, key);
    expect(status).toBe(402);
    expect(error?.message).toContain(
      `can cost up to $${((bytes + 100) / 1e6).toFixed(6)}`.slice(0, 26),
    );
    expect(await countsOf(gateway)).toEqual(before);
  });

  test("hazard B24 is refused with what its count could cost where that is too much as well", async () => {
    const before = await countsOf(gateway);
    const { key } = await gateway.customer(Math.ceil(bytes / 6) + 2048 + 200);
    expect((await ask(gateway, key)).status).toBe(402);
    expect((await countsOf(gateway))["refused"]).toBe((before["refused"] ?? 0) + 1);
  });

  test("hazard B24 leaves room for an ample answer where the client named no bound", async () => {
    const { max_tokens: _, ...unbounded } = body;
    const money = bytes + 2000;
    const cut = await off.post(path, unbounded, (await off.customer(money)).key);
    const cutBound = Number(/max_tokens=(\d+)/.exec(cut.headers.get("x-sluice-added") ?? "")?.[1]);
    expect(cutBound).toBeLessThan(3000);
    const { key } = await gateway.customer(money);
    const served = await gateway.post(path, unbounded, key);
    const bound = Number(/max_tokens=(\d+)/.exec(served.headers.get("x-sluice-added") ?? "")?.[1]);
    expect(served.status).toBe(200);
    expect(bound).toBeGreaterThanOrEqual(16_384);
  });

  test("hazard B24 of which a vendor counts more is charged what is left, and no vendor is called a liar", async () => {
    const money = Math.floor(bytes / 2);
    vendor.script = answers("chat", "Yes.", { input: bytes - 500, output: 5 });
    const { key, id } = await gateway.customer(money);
    const { status, id: request } = await ask(gateway, key);
    expect(status).toBe(200);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 0, used_micros: money });
    const { usage, loss_micros: loss } = await entryOf(gateway, request);
    expect(usage).not.toContain("!");
    expect(loss).toBe(bytes - 500 + 5 - money);
    vendor.script = answers("chat", "Yes.", { input: reportedTokens, output: 5 });
  });
});

describe("many at once", () => {
  test("hazard B24 on money for three never spend more than there is", async () => {
    const alone = await ask(gateway, (await gateway.customer(Math.floor(bytes * 0.9))).key);
    const { held_micros: held } = await entryOf(gateway, alone.id);
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    vendor.script = async (request, reply) => {
      asked++;
      await gate;
      await answers("chat", "Yes.", { input: reportedTokens, output: 5 })(request, reply);
    };
    const { key, id } = await gateway.customer(held * 3 + 10);
    const all = Array.from({ length: 30 }, () => ask(gateway, key));
    let refused = 0;
    for (const one of all) void one.then(({ status }) => (refused += Number(status === 402)));
    while (asked + refused < 30) await Bun.sleep(5);
    expect([asked, refused]).toEqual([3, 27]);
    resolve();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(await balanceOf(gateway, id)).toMatchObject({
      quota_micros: held * 3 + 10 - 3 * (reportedTokens + 5),
      held_micros: 0,
    });
  });

  test("hazard B24 with any money leave nobody overdrawn, and all books agree", async () => {
    vendor.script = answers("chat", "Yes.", { input: reportedTokens, output: 5 });
    const share = fc.double({ min: 0.1, max: 3, noNaN: true });
    const count = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(share, share, count, async (ofAccount, ofKey, times) => {
        const granted = Math.floor(bytes * ofAccount);
        const limit = Math.floor(bytes * ofKey);
        const { key, id } = await gateway.customer(granted, { quota_micros: limit });
        const all = await Promise.all(Array.from({ length: times }, () => ask(gateway, key)));
        const served = all.filter(({ status }) => status === 200).length;
        const {
          quota_micros: left,
          held_micros: held,
          used_micros: used,
        } = await balanceOf(gateway, id);
        expect([left + used, held]).toEqual([granted, 0]);
        expect(used).toBe(served * (reportedTokens + 5));
        expect(used).toBeLessThanOrEqual(Math.min(granted, limit));
      }),
      { numRuns: 12 },
    );
  });
});
