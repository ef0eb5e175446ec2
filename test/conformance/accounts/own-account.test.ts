// People's work on their own account: prices, credits, names, passwords, tokens, their data.
import { beforeAll, describe, expect, test } from "bun:test";
import { as, newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { routes, addressOf, nameOf } from "../../harness/route-table.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Listed {
  items: Record<string, unknown>[];
  total: number;
}

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("hello"))));

const gateway = useStand(() => startGateway());

beforeAll(async () => {
  await gateway.control("POST", "/api/group", { name: "gold", multiplier: 2.5 });
  const channel = vendor.channel({ models: ["m", "hidden"], groups: ["default", "gold"] });
  await gateway.control("POST", "/api/channel", { ...channel, models: ["m"] });
  await gateway.control("POST", "/api/price", {
    model: "m",
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 2_000_000,
  });
});

/** Each leads to this machine or its network, in another spelling. */
const privateForms = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[fd00::1]/",
  "http://localhost/",
  "http://localhost./",
  "http://a.localhost/",
  "http://gateway/",
  "http://10.1.2.3/",
  "http://192.168.0.1/",
  "http://169.254.169.254/",
  "http://100.100.100.200/",
  "http://metadata.internal/",
  "http://127。0。0。1/",
  "http://example.com:22/",
  "ftp://example.com/",
];

test("hazard E1 a private address is refused where one sets it, as where one tries it", async () => {
  const { token } = await newPerson(gateway, 0);
  const ask = (method: string, path: string, body: object) =>
    gateway.controlEnvelope(method, path, body, token);
  for (const url of privateForms) {
    const tried = await ask("POST", "/api/webhook/test", { url });
    expect([url, tried]).toMatchObject([url, { success: false, param: "url" }]);
    const set = await ask("PATCH", "/api/user/self", { notice_url: url, display_name: "Me" });
    expect([url, set]).toMatchObject([url, { success: false, param: "notice_url" }]);
  }
  expect(await as(gateway, token, "/api/user/self")).toMatchObject({
    notice_url: null,
    display_name: null,
  });
  const login = { notice_url: "https://user@example.com/" };
  expect(await ask("PATCH", "/api/user/self", login)).toMatchObject({ param: "notice_url" });
  const set = await ask("PATCH", "/api/user/self", { notice_url: "https://example.com/hook" });
  expect(set).toMatchObject({ success: true, data: { notice_url: "https://example.com/hook" } });
});

describe("prices", () => {
  test("are those of one's own group, in /v1/models and in /api, and what is charged", async () => {
    const person = await newPerson(gateway, 1_000_000);
    await gateway.control("PATCH", `/api/user/${person.id}`, { group: "gold" });
    expect(await as(gateway, person.token, "/api/group/self")).toEqual({
      name: "gold",
      multiplier: 2.5,
      groups: [{ name: "gold", multiplier: 2.5 }],
    });
    const price = { input_micros_per_million: 2_500_000, output_micros_per_million: 5_000_000 };
    const models = await as<Listed>(gateway, person.token, "/api/model?q=M");
    expect(models.items).toMatchObject([{ id: "m", group: "gold", multiplier: 2.5, price }]);
    const listed = (await (await gateway.get("/v1/models", person.key)).json()) as {
      data: { id: string; pricing: object }[];
    };
    expect(listed.data.find(({ id }) => id === "m")?.pricing).toEqual(price);
    await (await gateway.post("/v1/chat/completions", chatBody("m"), person.key)).text();
    const { items } = await as<Listed>(gateway, person.token, "/api/log/self");
    // 10 tokens in and 20 out, at 2.5 and 5 micros each.
    expect(items[0]).toMatchObject({ micros: 125 });
  });

  test("of another group are for admins", async () => {
    const person = await newPerson(gateway, 0);
    const path = "/api/model?group=gold";
    const refused = await gateway.controlEnvelope("GET", path, undefined, person.token);
    expect(refused).toMatchObject({ success: false, code: "permission_denied", param: "group" });
    expect(await gateway.control("GET", path)).toMatchObject({ total: 1 });
  });
});

test("the history of one's credits has every grant and nobody else's", async () => {
  const [person, other] = [await newPerson(gateway, 500), await newPerson(gateway, 700)];
  const credit = { micros: -200, reason: "refund", id: `back-${person.id}` };
  await gateway.control("POST", `/api/user/${person.id}/credit`, credit);
  const own = await as<Listed>(gateway, person.token, "/api/ledger/self");
  expect(own).toMatchObject({
    total: 2,
    items: [
      { kind: "grant", micros: -200, reason: "refund", id: credit.id },
      { kind: "grant", micros: 500, reason: "starting quota" },
    ],
  });
  expect(own.items[0]).not.toHaveProperty("actor");
  const path = `/api/ledger?account=${other.username}`;
  const all = await gateway.control<Listed>("GET", path);
  expect(all.items).toMatchObject([{ micros: 700, account: other.username, actor: "root" }]);
  const refused = await gateway.controlEnvelope("GET", path, undefined, person.token);
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
});

describe("an access token that only reads", () => {
  test("reads, and changes nothing on any route, and is shown no secret", async () => {
    const person = await newPerson(gateway, 10);
    const made = await gateway.control<{ token: string; read_only: boolean }>(
      "POST",
      `/api/user/${person.id}/token`,
      { name: "monitor", read_only: true },
    );
    expect(made.read_only).toBe(true);
    expect(await as(gateway, made.token, "/api/user/self")).toMatchObject({ id: person.id });
    const { items } = await as<Listed>(gateway, made.token, "/api/access-token");
    expect(items.map((item) => item["read_only"]).toSorted()).toEqual([false, true]);
    const changing = routes.filter(
      (route) => route.policy === "control" && (route.method !== "GET" || route.showsSecret),
    );
    expect(changing.length).toBeGreaterThan(40);
    for (const route of changing) {
      const { method } = route;
      const body = method === "DELETE" || method === "GET" ? undefined : {};
      const said = await gateway.controlEnvelope(method, addressOf(route), body, made.token);
      const { code } = said as { code?: string };
      expect([nameOf(route), code]).toEqual([nameOf(route), "permission_denied"]);
    }
  });
});

describe("a name", () => {
  test("is changed by its owner, and everything of the account goes on under the new one", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const fresh = `renamed-${crypto.randomUUID().slice(0, 8)}`;
    const rename = (username: string) =>
      gateway.controlEnvelope("PATCH", "/api/user/self", { username }, person.token);
    expect(await rename(fresh)).toMatchObject({ success: true, data: { username: fresh } });
    expect(await rename("ROOT")).toMatchObject({ success: false, param: "username" });
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), person.key)).status).toBe(
      200,
    );
    expect((await gateway.control<Listed>("GET", `/api/log?account=${fresh}`)).total).toBe(1);
    await new Browser(gateway.url).signIn(fresh);
    const old = { username: person.username, password };
    expect(await new Browser(gateway.url).call("POST", "/api/user/login", old)).toMatchObject({
      success: false,
    });
    const path = `/api/audit?action=user.change&target_id=${person.id}`;
    const { items } = await gateway.control<Listed>("GET", path);
    expect(items[0]).toMatchObject({
      changes: { username: { from: person.username, to: fresh } },
    });
  });

  test("is changed by an operator too, but root stays root", async () => {
    const person = await newPerson(gateway, 0);
    const path = `/api/user/${person.id}`;
    const changed = await gateway.control("PATCH", path, { username: `${person.username}-x` });
    expect(changed).toMatchObject({ username: `${person.username}-x` });
    const self = await gateway.controlEnvelope("PATCH", "/api/user/self", { username: "boss" });
    expect(self).toMatchObject({ success: false, param: "username" });
  });
});

describe("one's own data", () => {
  test("is handed out whole, with nothing of anyone else and no secret", async () => {
    const [person, other] = [await newPerson(gateway, 42), await newPerson(gateway, 1)];
    const data = await as<Record<string, unknown>>(gateway, person.token, "/api/user/self/export");
    expect(data).toMatchObject({
      account: { id: person.id, username: person.username, quota_micros: 42 },
      keys: [{ id: person.keyId }],
      access_tokens: [{ name: "token" }],
      sessions: [],
      identities: [],
      second_factor: { second_factor: [] },
      credits: [{ micros: 42 }],
    });
    const text = JSON.stringify(data);
    for (const hidden of [other.id, other.username, person.key, person.token, "$argon2"]) {
      expect(text).not.toContain(hidden);
    }
  });

  test("goes for good with a proof, signed in, and the cookie with it", async () => {
    const person = await newPerson(gateway, 5);
    const path = "/api/user/self/erase";
    const byToken = await gateway.controlEnvelope("POST", path, { password }, person.token);
    expect(byToken).toMatchObject({ success: false, code: "permission_denied" });
    const browser = await new Browser(gateway.url).signIn(person.username);
    const wrong = await browser.call("POST", path, { password: "a wrong password" });
    expect(wrong).toMatchObject({ success: false, param: "password" });
    expect(await browser.isSignedIn()).toBe(true);
    expect(await browser.ask("POST", path, { password })).toEqual({ id: person.id });
    expect(browser.cookies.size).toBe(0);
    expect((await gateway.get("/v1/models", person.key)).status).toBe(401);
    const kept = await gateway.control<Listed>("GET", "/api/audit?action=user.erase");
    expect(kept.items[0]).toMatchObject({ target_id: person.id, actor: "deleted", ip: null });
    expect(JSON.stringify(kept)).not.toContain(person.username);
  });
});
