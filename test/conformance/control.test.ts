// The control API: every entity made, read, changed and removed, and what that does to requests.
import { beforeAll, describe, expect, test } from "bun:test";
import { expire } from "../harness/accounts/expiry.ts";
import { chatBody, errorOf } from "../harness/ask.ts";
import { logRow } from "../harness/books.ts";
import { rootKey, startGateway, type Envelope } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
unpriced: free
`;

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m", "n"] }));
});

interface Listed {
  items: Record<string, unknown>[];
  total: number;
  page: number;
  page_size: number;
}

interface Failure extends Envelope {
  code?: string;
  param?: string | null;
}

async function refused(method: string, path: string, body?: unknown): Promise<Failure> {
  const envelope = await gateway.controlEnvelope(method, path, body);
  expect(envelope.success).toBe(false);
  expect(envelope.message).toBeTruthy();
  return envelope;
}

async function make<Data = { id: string }>(path: string, body: object): Promise<Data> {
  return await gateway.control<Data>("POST", path, body);
}

async function statusWith(key: string, model = "m"): Promise<number> {
  return (await gateway.post("/v1/chat/completions", chatBody(model), key)).status;
}

function unique(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
}

describe("channels", () => {
  const secret = "sk-very-secret-vendor-key-9876";

  function newChannel(fields: object = {}): Record<string, unknown> {
    return vendor.channel({ name: unique("ch"), models: ["c"], key: secret, ...fields });
  }

  test("N11 a channel is made, read, changed and removed, and its key is never shown", async () => {
    const made = await make<Record<string, unknown>>("/api/channel", newChannel({ priority: 3 }));
    const path = `/api/channel/${String(made["id"])}`;
    expect(made).toMatchObject({ priority: 3, weight: 1, groups: ["default"], status: "enabled" });
    const read = await gateway.control<object>("GET", path);
    expect(read).toMatchObject({ ...made, keys: [{ last4: "9876", status: "enabled" }] });
    const change = { weight: 5, headers: { "x-a": "b" }, models: ["c", "d"], concurrency: 9 };
    const changed = await gateway.control<object>("PATCH", path, change);
    expect(changed).toMatchObject({ ...change, headers: { "x-a": "********" }, priority: 3 });
    const cleared = await gateway.control<object>("PATCH", path, { concurrency: null });
    expect(cleared).toMatchObject({ concurrency: null, weight: 5 });
    const all = await gateway.control<Listed>("GET", "/api/channel?page_size=100");
    for (const shown of [made, read, changed, all]) {
      expect(JSON.stringify(shown)).not.toContain(secret);
    }
    expect(await statusWith(rootKey, "d")).toBe(200);
    await gateway.control("DELETE", path);
    expect(await refused("GET", path)).toMatchObject({ code: "not_found" });
    expect(await refused("DELETE", path)).toMatchObject({ code: "not_found" });
    expect(await statusWith(rootKey, "d")).toBe(503);
  });

  test("N11 a channel that makes no sense is refused, naming what is wrong", async () => {
    const wrong: [object, string][] = [
      [{ name: "" }, "name"],
      [{ type: "telepathy" }, "type"],
      [{ models: [] }, "models"],
      [{ models: undefined }, "models"],
      [{ key: undefined }, "key"],
      [{ weight: 0 }, "weight"],
      [{ weight: 1.5 }, "weight"],
      [{ base_url: "ftp://example.com" }, "base_url"],
      [{ base_url: "not a url" }, "base_url"],
      [{ colour: "red" }, "colour"],
      [{ headers: { authorization: "Bearer x" } }, "headers.authorization"],
      [{ headers: { "x-a": "b\r\nc: d" } }, "headers.x-a"],
    ];
    for (const [fields, param] of wrong) {
      expect(await refused("POST", "/api/channel", newChannel(fields))).toMatchObject({ param });
    }
  });

  test("N11 an address of this machine or network needs allow_private", async () => {
    const addresses = [
      "http://127.0.0.1:9999",
      "http://localhost:9999",
      "http://10.1.2.3",
      "http://192.168.0.1",
      "http://169.254.169.254",
      "http://[::1]:80",
      "http://[::ffff:127.0.0.1]",
      "http://2130706433",
      "http://0x7f.1",
    ];
    for (const base_url of addresses) {
      const body = newChannel({ base_url, allow_private: undefined });
      expect(await refused("POST", "/api/channel", body)).toMatchObject({ param: "base_url" });
    }
    const body = newChannel({ base_url: "https://api.example.com", allow_private: undefined });
    const { id } = await make("/api/channel", body);
    const moved = await refused("PATCH", `/api/channel/${id}`, { base_url: "http://10.0.0.1" });
    expect(moved).toMatchObject({ param: "base_url" });
    await gateway.control("DELETE", `/api/channel/${id}`);
  });

  test("hazard G8 a channel moves to another address only with its key told again", async () => {
    using thief = new Vendor((_request, reply) => reply.json(completion("Thanks.")));
    const { id } = await make("/api/channel", newChannel());
    const path = `/api/channel/${id}`;
    expect(await refused("PATCH", path, { base_url: thief.url })).toMatchObject({ param: "key" });
    expect(await gateway.control<object>("POST", `${path}/test`)).toMatchObject({ ok: true });
    expect(await refused("POST", `${path}/test`, { base_url: thief.url })).toMatchObject({
      param: "base_url",
    });
    expect(thief.requests).toHaveLength(0);
    const told = { base_url: thief.url, key: "sk-told-again-4321" };
    const moved = await gateway.control<object>("PATCH", path, told);
    expect(moved).toMatchObject({ base_url: thief.url, keys: [{ last4: "4321" }] });
    expect(await gateway.control<object>("POST", `${path}/test`)).toMatchObject({ ok: true });
    expect(thief.requests[0]?.headers["authorization"]).toBe("Bearer sk-told-again-4321");
    await gateway.control("DELETE", path);
  });

  test("N10 a test of a channel says what its upstream said, without its key", async () => {
    using broken = new Vendor((_request, reply) =>
      reply.json({ error: { message: `no such key ${secret}` } }, 401),
    );
    const body = newChannel({ base_url: broken.url });
    const { id } = await make("/api/channel", body);
    const result = await gateway.control<Record<string, unknown>>(
      "POST",
      `/api/channel/${id}/test`,
      { model: "c", key: 0 },
    );
    expect(result).toMatchObject({ ok: false, status: 401, model: "c", key: 0 });
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(broken.requests[0]?.body).toMatchObject({ model: "c", max_tokens: 16 });
    await refused("POST", `/api/channel/${id}/test`, { model: "unknown" });
    await gateway.control("DELETE", `/api/channel/${id}`);
  });

  test("N10 two channels cannot have one name", async () => {
    const body = newChannel();
    const { id } = await make("/api/channel", body);
    expect(await refused("POST", "/api/channel", body)).toMatchObject({ code: "conflict" });
    await gateway.control("DELETE", `/api/channel/${id}`);
  });
});

describe("keys", () => {
  async function newKey(fields: object = {}): Promise<{ id: string; key: string; shown: string }> {
    return await make("/api/token", { name: unique("key"), ...fields });
  }

  test("N12 a key's text is shown once and never again", async () => {
    const made = await newKey();
    expect(made.key).toMatch(/^sk-[A-Za-z0-9_-]{40,}$/);
    expect(await statusWith(made.key)).toBe(200);
    const read = await gateway.control<object>("GET", `/api/token/${made.id}`);
    expect(read).not.toHaveProperty("key");
    const listed = await gateway.control<Listed>("GET", "/api/token?page_size=100");
    expect(JSON.stringify(read)).not.toContain(made.key);
    expect(JSON.stringify(listed)).not.toContain(made.key);
    expect(read).toMatchObject({ id: made.id, shown: made.shown, account: "root" });
  });

  test("hazard A3 a revoked key stops working at once, and stays out of every list", async () => {
    const { id, key } = await newKey();
    expect(await statusWith(key)).toBe(200);
    await gateway.control("DELETE", `/api/token/${id}`);
    const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
    expect(response.status).toBe(401);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_api_key" });
    const { items } = await gateway.control<Listed>("GET", "/api/token?page_size=100");
    expect(items.map((item) => item["id"])).not.toContain(id);
    expect(await refused("PATCH", `/api/token/${id}`, { status: "enabled" })).toMatchObject({
      code: "not_found",
    });
  });

  test("N12 a key can be disabled, narrowed and widened again, each at once", async () => {
    const { id, key } = await newKey();
    const change = async (fields: object) =>
      await gateway.control<object>("PATCH", `/api/token/${id}`, fields);
    await change({ status: "disabled" });
    expect(await statusWith(key)).toBe(401);
    await change({ status: "enabled" });
    expect(await statusWith(key)).toBe(200);
    expect(await change({ models: ["m"] })).toMatchObject({ models: ["m"] });
    expect([await statusWith(key, "m"), await statusWith(key, "n")]).toEqual([200, 503]);
    expect(await change({ models: null })).toMatchObject({ models: null });
    expect(await statusWith(key, "n")).toBe(200);
    await change({ allow_ips: ["203.0.113.0/24"] });
    expect(await statusWith(key)).toBe(401);
    await change({ allow_ips: ["127.0.0.0/8", "::1"] });
    expect(await statusWith(key)).toBe(200);
    await change({ expires_at: 4_000_000_000 });
    expect(await statusWith(key)).toBe(200);
    await expire(gateway, "api_key", id);
    await change({ name: "over" });
    expect(await statusWith(key)).toBe(401);
    await change({ expires_at: "2099-01-01T00:00:00Z" });
    expect(await statusWith(key)).toBe(200);
    await change({ requests_per_minute: 1 });
    expect([await statusWith(key), await statusWith(key)]).toContain(429);
  });

  test("N12 a key's quota is set, changed and lifted", async () => {
    await gateway.control("POST", "/api/price", { model: "n", call_micros: 50 });
    const { id, key } = await newKey({ quota_micros: 50 });
    expect([await statusWith(key, "n"), await statusWith(key, "n")]).toEqual([200, 402]);
    const path = `/api/token/${id}`;
    const raised = await gateway.control<object>("PATCH", path, { quota_micros: 100 });
    expect(raised).toMatchObject({ quota_micros: 100, unlimited: false });
    expect([await statusWith(key, "n"), await statusWith(key, "n")]).toEqual([200, 402]);
    const lifted = await gateway.control<object>("PATCH", path, { unlimited: true });
    expect(lifted).toMatchObject({ unlimited: true, quota_micros: null });
    expect(await statusWith(key, "n")).toBe(200);
    await refused("PATCH", path, { unlimited: true, quota_micros: 5 });
    await gateway.control("DELETE", "/api/price?model=n");
  });

  test("N12 the answer to a change shows what the key has used until now", async () => {
    await gateway.control("POST", "/api/price", { model: "n", call_micros: 50 });
    const { id, key } = await newKey({ quota_micros: 500 });
    expect(await statusWith(key, "n")).toBe(200);
    const changed = await gateway.control<object>("PATCH", `/api/token/${id}`, { name: "other" });
    expect(changed).toMatchObject({ name: "other", used_micros: 50, held_micros: 0 });
    await gateway.control("DELETE", "/api/price?model=n");
  });

  test("N12 a key that makes no sense is refused, naming what is wrong", async () => {
    const wrong: [object, string][] = [
      [{ name: " " }, "name"],
      [{ quota_micros: -1 }, "quota_micros"],
      [{ quota_micros: 0.5 }, "quota_micros"],
      [{ quota_micros: 1, unlimited: true }, "quota_micros"],
      [{ models: [] }, "models"],
      [{ expires_at: "tomorrow" }, "expires_at"],
      [{ allow_ips: ["everywhere"] }, "allow_ips.0"],
      [{ concurrency: 0 }, "concurrency"],
      [{ group: "nowhere" }, "group"],
      [{ account: "nobody" }, "account"],
      [{ key: "sk-chosen-by-me-000000" }, "key"],
    ];
    for (const [fields, param] of wrong) {
      const body = { name: unique("key"), ...fields };
      expect(await refused("POST", "/api/token", body)).toMatchObject({ param });
    }
  });
});

describe("groups, prices and accounts", () => {
  test("N10 a group is made, changed and removed, but not while it is used", async () => {
    const name = unique("group");
    const made = await make<object>("/api/group", { name, multiplier: 1.25 });
    expect(made).toMatchObject({ name, multiplier: 1.25, declared: false });
    expect(await make<object>("/api/group", { name, concurrency: 4 })).toMatchObject({
      multiplier: 1,
      concurrency: 4,
    });
    const { id } = await make("/api/token", { name: unique("key"), group: name });
    expect(await refused("DELETE", `/api/group/${name}`)).toMatchObject({ code: "conflict" });
    await gateway.control("DELETE", `/api/token/${id}`);
    await gateway.control("DELETE", `/api/group/${name}`);
    const { items } = await gateway.control<Listed>("GET", "/api/group?page_size=100");
    expect(items.map((item) => item["name"])).not.toContain(name);
    expect(await refused("DELETE", "/api/group/default")).toMatchObject({ code: "conflict" });
    await refused("POST", "/api/group", { name, multiplier: -1 });
    await refused("POST", "/api/group", { name, multiplier: 1.1234567 });
  });

  test("N18 prices are the operator's where set and the catalogue's for the rest", async () => {
    const price = { input_micros_per_million: 1, output_micros_per_million: 2 };
    await make("/api/price", { model: "chatA", ...price });
    const { items, total } = await gateway.control<Listed>("GET", "/api/price?page_size=100");
    expect(items).toHaveLength(total);
    expect(items.find(({ model }) => model === "chatA")).toMatchObject({ ...price, source: "own" });
    expect(items.find(({ model }) => model === "chatB")).toMatchObject({ source: "catalogue" });
    await gateway.control("DELETE", "/api/price?model=chatA");
    const after = await gateway.control<Listed>("GET", "/api/price?page_size=100");
    const back = after.items.find(({ model }) => model === "chatA");
    expect(back).toMatchObject({ source: "catalogue" });
    await refused("POST", "/api/price", { model: "chatA" });
    await refused("POST", "/api/price", { model: "chatA", input_micros_per_million: 5 });
    await refused("POST", "/api/price", { model: "chatA", call_micros: -5 });
    await refused("DELETE", "/api/price?model=never-priced");
  });

  test("N19 an account is made once, and disabling it locks its keys out at once", async () => {
    const username = unique("user");
    const body = { username, password: "long enough password", quota_micros: 700 };
    const made = await make<{ id: string }>("/api/user", body);
    expect(made).toMatchObject({ username, role: "user", quota_micros: 700, group: "default" });
    expect(JSON.stringify(made)).not.toContain("password");
    expect(await refused("POST", "/api/user", body)).toMatchObject({ code: "conflict" });
    const { key } = await make<{ key: string }>("/api/token", { name: "k", account: username });
    expect(await statusWith(key)).toBe(200);
    const path = `/api/user/${made.id}`;
    expect(await gateway.control<object>("DELETE", path)).toMatchObject({ status: "disabled" });
    expect(await statusWith(key)).toBe(401);
    await gateway.control("PATCH", path, { status: "enabled" });
    expect(await statusWith(key)).toBe(200);
  });

  test("N19 an account that makes no sense is refused, naming what is wrong", async () => {
    const wrong: [object, string][] = [
      [{ username: "with space" }, "username"],
      [{ password: "short" }, "password"],
      [{ quota_micros: -1 }, "quota_micros"],
      [{ role: "emperor" }, "role"],
      [{ group: "nowhere" }, "group"],
      [{ held_micros: 5 }, "held_micros"],
    ];
    for (const [fields, param] of wrong) {
      const body = { username: unique("user"), password: "long enough password", ...fields };
      expect(await refused("POST", "/api/user", body)).toMatchObject({ param });
    }
  });

  test("N19 root is unlimited, and the last root cannot be taken away", async () => {
    const self = await gateway.control<{ id: string }>("GET", "/api/user/self");
    expect(self).toMatchObject({ username: "root", role: "root", quota_micros: null });
    expect(self).toHaveProperty("held_micros");
    expect(self).toHaveProperty("used_micros");
    await refused("DELETE", `/api/user/${self.id}`);
    await refused("PATCH", `/api/user/${self.id}`, { role: "user" });
    expect(await gateway.control<object>("GET", "/api/user/self")).toMatchObject({ role: "root" });
  });
});

describe("lists, log and status", () => {
  test("N10 lists come in pages that do not overlap and add up", async () => {
    const names = Array.from({ length: 7 }, () => unique("paged"));
    for (const name of names) await make("/api/group", { name });
    const seen: unknown[] = [];
    let total = 0;
    for (let page = 1; page <= 10; page++) {
      const listed = await gateway.control<Listed>("GET", `/api/group?p=${page}&page_size=3`);
      expect(listed).toMatchObject({ page, page_size: 3 });
      expect(listed.items.length).toBeLessThanOrEqual(3);
      seen.push(...listed.items.map((item) => item["name"]));
      total = listed.total;
      if (seen.length >= total) break;
    }
    expect(new Set(seen).size).toBe(total);
    expect(seen).toEqual(expect.arrayContaining(names));
    for (const query of ["p=0", "p=-1", "p=x", "page_size=0", "page_size=1.5", "page_size=101"]) {
      await refused("GET", `/api/group?${query}`);
    }
    for (const path of ["/api/channel", "/api/token", "/api/user", "/api/log", "/api/price"]) {
      const listed = await gateway.control<Listed>("GET", `${path}?page_size=100`);
      expect(listed).toMatchObject({ page: 1, page_size: 100 });
    }
  });

  test("N20 a request leaves one row with all that is known of it", async () => {
    const { key, keyId } = await gateway.customer(1_000_000);
    await make("/api/price", { model: "n", call_micros: 50 });
    const response = await gateway.post("/v1/chat/completions", chatBody("n"), key);
    const id = response.headers.get("x-request-id");
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({
      request_id: id,
      key_id: keyId,
      model: "n",
      status: 200,
      outcome: "ok",
      stream: false,
      input_tokens: 10,
      output_tokens: 20,
      micros: 50,
      estimated: false,
      ip: "127.0.0.1",
      group: "default",
      route: "/v1/chat/completions",
      attempts: 1,
      error_code: null,
    });
    const shown: Record<string, unknown> = { ...row };
    expect(shown["channel"]).toMatch(/^vendor-/);
    expect(shown["latency_ms"]).toBeGreaterThanOrEqual(0);
    expect(shown["first_byte_ms"]).toBeGreaterThanOrEqual(0);
    expect(Math.abs(Number(shown["time"]) - Date.now() / 1000)).toBeLessThan(60);
    const byId = await gateway.control<Listed>("GET", `/api/log?request_id=${id}`);
    expect(byId.total).toBe(1);
    const poor = await gateway.post("/v1/chat/completions", chatBody("none"), key);
    expect(await logRow(gateway, poor)).toMatchObject({
      status: 503,
      outcome: "rejected",
      error_code: "model_not_found",
      micros: 0,
    });
    const failed = await gateway.control<Listed>("GET", `/api/log?key=${keyId}&status=503`);
    expect(failed.total).toBe(1);
    const named = await gateway.control<Listed>("GET", `/api/log?key=${keyId}&model=n`);
    expect(named.total).toBe(1);
    await gateway.control("DELETE", "/api/price?model=n");
  });

  test("N10 the status says whether paid work is taken", async () => {
    const status = await gateway.control<Record<string, unknown>>("GET", "/api/status");
    expect(status).toMatchObject({ accepts_paid_work: true, obstacles: [] });
    expect(status["version"]).toMatch(/^\d+\.\d+\.\d+/);
    expect(status).toHaveProperty("channels.enabled");
    expect(status).toHaveProperty("journal.queue");
  });
});
