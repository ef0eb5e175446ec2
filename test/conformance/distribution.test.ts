// Choice of the channel for a request, its body there, and the ways channels and keys go out and
// come back.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf, tally } from "../harness/ask.ts";
import { eventually, logRow } from "../harness/books.ts";
import { rootKey, startGateway, temporaryFolder, type Gateway } from "../harness/gateway.ts";
import { completion, Vendor, type VendorRequest, type VendorScript } from "../harness/vendor.ts";
import { useStand } from "../harness/nodes/stand.ts";
import { rmSync } from "node:fs";

const config = `
sandbox: "off"
unpriced: free
distribution: { failures_to_eject: 3, ejection_ms: 3000, ejection_ms_max: 3000 }
groups:
  - { name: default }
  - { name: vip }
`;

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));
const broken: VendorScript = (_request, reply) => reply.json({ error: { message: "Ouch." } }, 500);

let modelCount = 0;

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

interface ChannelShown {
  id: string;
  health: { ejected: boolean };
  keys: { last4: string; status: string; reason: string | null }[];
}

/** A model of its own for each test, so that tests do not meet on a channel. */
function newModel(): string {
  modelCount++;
  return `model-${modelCount}`;
}

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<string> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  return (await gateway.control<{ id: string }>("POST", "/api/channel", body)).id;
}

async function showChannel(id: string): Promise<ChannelShown> {
  return await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
}

async function ask(model: string, fields: object = {}, key: string = rootKey): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody(model, { ...fields }), key);
}

function credentialOf({ headers }: VendorRequest): string {
  return (headers["authorization"] ?? "").replace("Bearer ", "");
}

describe("choice", () => {
  test("D1 the highest priority that can serve gets everything", async () => {
    using high = new Vendor(whole);
    using low = new Vendor(whole);
    const model = newModel();
    await addChannel(low, { models: [model], priority: 1 });
    const id = await addChannel(high, { models: [model], priority: 7 });
    for (let at = 0; at < 10; at++) expect((await ask(model)).status).toBe(200);
    expect([high.requests.length, low.requests.length]).toEqual([10, 0]);
    await gateway.control("PATCH", `/api/channel/${id}`, { priority: 0 });
    expect((await ask(model)).status).toBe(200);
    expect([high.requests.length, low.requests.length]).toEqual([10, 1]);
    await gateway.control("PATCH", `/api/channel/${id}`, { priority: 7, status: "disabled" });
    expect((await ask(model)).status).toBe(200);
    expect([high.requests.length, low.requests.length]).toEqual([10, 2]);
  });

  test("D1 weights share the requests of one priority", async () => {
    using light = new Vendor(whole);
    using heavy = new Vendor(whole);
    const model = newModel();
    await addChannel(light, { models: [model], weight: 1 });
    await addChannel(heavy, { models: [model], weight: 3 });
    for (let at = 0; at < 400; at++) expect((await ask(model)).status).toBe(200);
    expect(light.requests.length + heavy.requests.length).toBe(400);
    // A quarter is 100; five standard deviations are 43.
    expect(light.requests.length).toBeGreaterThan(57);
    expect(light.requests.length).toBeLessThan(143);
  });

  test("D1 a channel serves only its groups", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    await addChannel(vendor, { models: [model], groups: ["vip"] });
    const vip = await gateway.customer(0, { group: "vip" });
    const plain = await gateway.customer(0);
    const refused = await ask(model, {}, plain.key);
    expect(refused.status).toBe(503);
    expect(await errorOf(refused)).toMatchObject({ code: "model_not_found" });
    expect((await ask(model, {}, vip.key)).status).toBe(200);
    expect(vendor.requests).toHaveLength(1);
  });

  test("D1 several keys of a channel are used in turn", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    const keys = ["sk-turn-one-0001", "sk-turn-two-0002", "sk-turn-three-0003"];
    await addChannel(vendor, { models: [model], key: undefined, keys });
    for (let at = 0; at < 9; at++) expect((await ask(model)).status).toBe(200);
    const counts = tally(vendor.requests.map(credentialOf));
    expect(counts).toEqual(new Map(keys.map((key) => [key, 3])));
  });

  test("D1 a channel takes no more at once than it may, and the rest goes elsewhere", async () => {
    const go = Promise.withResolvers<void>();
    const slow: VendorScript = async (_request, reply) => {
      await go.promise;
      reply.json(completion("Yes."));
    };
    using narrow = new Vendor(slow);
    using wide = new Vendor(slow);
    const model = newModel();
    await addChannel(narrow, { models: [model], priority: 9, concurrency: 2 });
    await addChannel(wide, { models: [model] });
    const asked = Array.from({ length: 5 }, () => ask(model));
    await eventually("all five", async () =>
      narrow.requests.length + wide.requests.length === 5 ? true : undefined,
    );
    expect([narrow.requests.length, wide.requests.length]).toEqual([2, 3]);
    go.resolve();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect((await ask(model)).status).toBe(200);
    expect(narrow.requests).toHaveLength(3);
  });

  test("Q3 when every channel is saturated the answer is too_many_requests", async () => {
    const go = Promise.withResolvers<void>();
    using vendor = new Vendor(async (_request, reply) => {
      await go.promise;
      reply.json(completion("Yes."));
    });
    const model = newModel();
    await addChannel(vendor, { models: [model], concurrency: 1 });
    const first = ask(model);
    await eventually("the first", async () => vendor.requests[0]);
    const second = await ask(model);
    go.resolve();
    expect(second.status).toBe(429);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await errorOf(second)).toMatchObject({
      type: "rate_limit_error",
      code: "too_many_requests",
    });
    expect((await first).status).toBe(200);
    expect(vendor.requests).toHaveLength(1);
  });
});

describe("what is sent", () => {
  test("D1 mapping, parameters, headers and drop_store shape what the upstream gets", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    await addChannel(vendor, {
      models: [model],
      base_url: `${vendor.url}/prefix`,
      model_mapping: { [model]: "upstream-name" },
      parameters: { set: { temperature: 0.5, extra: { deep: [1] } }, remove: ["user", "seed"] },
      headers: { "X-Organisation": "org-1" },
      drop_store: true,
    });
    const sent = {
      max_tokens: 50,
      temperature: 2,
      user: "someone",
      seed: 7,
      store: true,
      top_p: 0.9,
    };
    expect((await ask(model, sent)).status).toBe(200);
    const [request] = vendor.requests;
    expect(request?.path).toBe("/prefix/v1/chat/completions");
    expect(request?.headers["x-organisation"]).toBe("org-1");
    expect(request?.headers["authorization"]).toBe("Bearer sk-vendor-secret-0000");
    expect(request?.body).toEqual({
      ...chatBody("upstream-name"),
      max_tokens: 50,
      temperature: 0.5,
      extra: { deep: [1] },
      top_p: 0.9,
    });
  });

  test("D1 a channel without overrides gets the body as it was sent", async () => {
    using vendor = new Vendor(whole);
    const model = newModel();
    await addChannel(vendor, { models: [model], type: "gateway", base_url: `${vendor.url}/v1` });
    const sent = { max_tokens: 50, store: true, user: "someone", unknown_field: { kept: true } };
    expect((await ask(model, sent)).status).toBe(200);
    expect(vendor.requests[0]?.path).toBe("/v1/chat/completions");
    expect(vendor.requests[0]?.body).toEqual({ ...chatBody(model), ...sent });
  });
});

describe("channels that fail", () => {
  test("D2 failures in a row take a channel out, and it comes back by itself", async () => {
    using bad = new Vendor(broken);
    using good = new Vendor(whole);
    const model = newModel();
    const id = await addChannel(bad, { models: [model], priority: 5 });
    await addChannel(good, { models: [model] });
    for (let at = 0; at < 3; at++) expect((await ask(model)).status).toBe(200);
    expect(bad.requests).toHaveLength(3);
    expect((await showChannel(id)).health.ejected).toBe(true);
    const before = bad.requests.length;
    expect((await ask(model)).status).toBe(200);
    expect(bad.requests).toHaveLength(before);
    bad.script = whole;
    await eventually("the channel's return", async () => {
      expect((await ask(model)).status).toBe(200);
      return bad.requests.length > before ? true : undefined;
    });
    expect((await showChannel(id)).health.ejected).toBe(false);
  });

  test("D2 after its time out a channel is tried by one request alone", async () => {
    using bad = new Vendor(broken);
    using good = new Vendor(whole);
    const model = newModel();
    const id = await addChannel(bad, { models: [model], priority: 5 });
    await addChannel(good, { models: [model] });
    for (let at = 0; at < 3; at++) await ask(model);
    const go = Promise.withResolvers<void>();
    bad.script = async (request, reply) => {
      await go.promise;
      await broken(request, reply);
    };
    bad.requests.length = 0;
    await eventually("the end of the ejection", async () => {
      const { ejected } = (await showChannel(id)).health;
      return ejected ? undefined : true;
    });
    const asked = Array.from({ length: 10 }, () => ask(model));
    await eventually("the others", async () =>
      good.requests.length >= 12 && bad.requests.length > 0 ? true : undefined,
    );
    expect(bad.requests).toHaveLength(1);
    go.resolve();
    for (const response of await Promise.all(asked)) expect(response.status).toBe(200);
    expect((await showChannel(id)).health.ejected).toBe(true);
  });

  test("D2 the last channel is never taken out", async () => {
    using only = new Vendor(broken);
    const model = newModel();
    await addChannel(only, { models: [model] });
    for (let at = 0; at < 6; at++) expect((await ask(model)).status).toBe(500);
    expect(only.requests).toHaveLength(6);
    only.script = whole;
    expect((await ask(model)).status).toBe(200);
  });

  test("D2 a client's own mistakes do not take a channel out", async () => {
    using vendor = new Vendor((_request, reply) => reply.json({ error: { message: "No." } }, 400));
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    for (let at = 0; at < 6; at++) expect((await ask(model)).status).toBe(400);
    expect((await showChannel(id)).health.ejected).toBe(false);
  });
});

/** Answers by the credential that is sent. */
function byKey(answers: Readonly<Record<string, VendorScript>>): VendorScript {
  return (request, reply) => (answers[credentialOf(request)] ?? whole)(request, reply);
}

const refusedKey: VendorScript = (request, reply) =>
  reply.json({ error: { message: `Incorrect API key: ${credentialOf(request)}` } }, 401);

describe("keys that fail", () => {
  test("D2 a key the vendor refuses is disabled for good, its siblings go on", async () => {
    const folder = temporaryFolder();
    using vendor = new Vendor(byKey({ "sk-bad-key-00001111": refusedKey }));
    try {
      await using first = await startGateway({ folder, config, oneProcess: "judgement" });
      const keys = ["sk-bad-key-00001111", "sk-good-key-00002222"];
      const body = vendor.channel({ models: ["m"], key: undefined, keys });
      const { id } = await first.control<{ id: string }>("POST", "/api/channel", body);
      const post = async (to: Gateway) => await to.post("/v1/chat/completions", chatBody("m"));
      for (let at = 0; at < 4; at++) expect((await post(first)).status).toBe(200);
      const counts = tally(vendor.requests.map(credentialOf));
      expect(counts).toEqual(
        new Map([
          ["sk-bad-key-00001111", 1],
          ["sk-good-key-00002222", 4],
        ]),
      );
      // It is out at once, and written down behind the requests.
      const shown = await eventually("the mark", async () => {
        const found = await first.control<ChannelShown>("GET", `/api/channel/${id}`);
        return found.keys[0]?.status === "enabled" ? undefined : found;
      });
      expect(shown.keys).toMatchObject([
        { last4: "1111", status: "disabled" },
        { last4: "2222", status: "enabled", reason: null, rests_until: null, rests_for: null },
      ]);
      expect(shown.keys[0]?.reason).toBeTruthy();
      expect(JSON.stringify(shown)).not.toContain("sk-bad-key");
      expect(first.output).not.toContain("sk-bad-key");
      expect(await first.stop()).toBe(0);
      await using second = await startGateway({ folder, config, oneProcess: "judgement" });
      vendor.requests.length = 0;
      for (let at = 0; at < 3; at++) expect((await post(second)).status).toBe(200);
      expect(tally(vendor.requests.map(credentialOf)).get("sk-bad-key-00001111")).toBeUndefined();
      vendor.script = whole;
      const tested = await second.control<object>("POST", `/api/channel/${id}/test`, {});
      expect(tested).toMatchObject({ ok: true, key: 0 });
      const listed = await second.control<{ items: ChannelShown[] }>("GET", "/api/channel");
      expect(listed.items[0]?.keys[0]).toMatchObject({ status: "enabled", reason: null });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("D2 with every key refused the next channel serves", async () => {
    using bad = new Vendor(refusedKey);
    using good = new Vendor(whole);
    const model = newModel();
    await addChannel(bad, { models: [model], priority: 5, key: undefined, keys: ["k1", "k2"] });
    await addChannel(good, { models: [model] });
    const response = await ask(model);
    expect(response.status).toBe(200);
    expect(bad.requests.map(credentialOf).toSorted()).toEqual(["k1", "k2"]);
    expect((await logRow(gateway, response)).attempts).toBe(3);
    expect((await ask(model)).status).toBe(200);
    expect(bad.requests).toHaveLength(2);
  });

  test("D2 a key the vendor calls busy rests as long as the vendor says", async () => {
    const busy: VendorScript = (_request, reply) =>
      reply.json({ error: { message: "Slow down." } }, 429, { "retry-after": "4" });
    using vendor = new Vendor(byKey({ "sk-busy": busy }));
    using spare = new Vendor(whole);
    const model = newModel();
    const keys = ["sk-busy", "sk-idle"];
    const id = await addChannel(vendor, { models: [model], priority: 5, key: undefined, keys });
    await addChannel(spare, { models: [model] });
    expect((await ask(model)).status).toBe(200);
    expect(spare.requests).toHaveLength(1);
    for (let at = 0; at < 4; at++) expect((await ask(model)).status).toBe(200);
    expect(vendor.requests.map(credentialOf)).toEqual(["sk-busy", ...Array(4).fill("sk-idle")]);
    expect((await showChannel(id)).keys[0]?.status).toBe("enabled");
    vendor.script = whole;
    vendor.requests.length = 0;
    await eventually("the rested key", async () => {
      expect((await ask(model)).status).toBe(200);
      return vendor.requests.some((request) => credentialOf(request) === "sk-busy") || undefined;
    });
    expect((await showChannel(id)).health.ejected).toBe(false);
  });
});

test("fault F3 an outage of every channel is not multiplied by retries", async () => {
  const patient = config.replace("failures_to_eject: 3", "failures_to_eject: 1000000");
  await using strict = await startGateway({ config: patient, oneProcess: "judgement" });
  using first = new Vendor(broken);
  using second = new Vendor(broken);
  using third = new Vendor(broken);
  for (const vendor of [first, second, third]) {
    await strict.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  }
  const count = 200;
  for (let at = 0; at < count; at++) {
    expect((await strict.post("/v1/chat/completions", chatBody("m"))).status).toBe(500);
  }
  const sent = first.requests.length + second.requests.length + third.requests.length;
  // A fifth of the requests, and the small float that an account begins with on each channel.
  expect(sent).toBeLessThanOrEqual(count * 1.2 + 3 * 5);
  expect(sent).toBeGreaterThan(count);
});
