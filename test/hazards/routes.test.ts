// Attacks on the address and on authority: who may call which route, and under which spelling.
import { permissions } from "../../src/identity/roles/permissions.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "../../src/http/route.ts";
import { type Gateway, rootKey, rootToken, startGateway } from "../harness/gateway.ts";
import { isOnPostgres } from "../harness/postgres.ts";
import { addressOf, bodyOf, builders, nameOf, routes } from "../harness/route-table.ts";
import { rowsOf } from "../harness/rows.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { assertUp, logRows } from "./observe.ts";
import { exchange, rawRequest } from "./raw-client.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const vendorKey = "sk-vendor-7d1a0000face";
const chat = { model: "chatA", messages: [{ role: "user", content: "hi" }], max_tokens: 10 };
let gateway: Gateway;
let user: { id: string; token: string; username: string };
let admin: { id: string; token: string; username: string };

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", key: vendorKey }));
  user = await account("user");
  admin = await account("admin");
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

async function account(role: string) {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password: "correct horse battery", role };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  const { token } = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`);
  return { id, token, username };
}

async function as(token: string, method: string, path: string, body?: unknown) {
  return await gateway.controlEnvelope(method, path, body, token);
}

function call(route: Route, headers: Record<string, string> = {}): Promise<Response> {
  const { method } = route;
  return fetch(gateway.url + addressOf(route), { method, headers, ...bodyOf(route) });
}

describe("the route table", () => {
  test("hazard G5 every row that the program serves is known here", async () => {
    const app = await Bun.file(join(import.meta.dir, "..", "..", "src", "app", "http.ts")).text();
    const used = [...app.matchAll(/\.\.\.(\w+Routes)\(/g)].map(([, name]) => name);
    expect(used.toSorted()).toEqual(Object.keys(builders).toSorted());
    expect(new Set(routes.map(nameOf)).size).toBe(routes.length);
  });

  test("hazard G5 every row says who may call it, and only what is meant to be open is", () => {
    const of = (policy: Route["policy"]) => routes.filter((route) => route.policy === policy);
    // Files behind a link are open to whoever holds the link, which is signed.
    const open = [
      "GET /media/{id}",
      "GET /healthz",
      "GET /readyz",
      "GET /api/announcement/open",
      "GET /api/site",
      "GET /api/site/health",
      "GET /api/site/models",
      "GET /api/oauth",
      "GET /api/oauth/state",
      "GET /api/oauth/{provider}/authorize",
      "GET /api/oauth/{provider}",
      "GET /openapi.json",
      "GET /docs",
      "GET /",
      "GET /console/{page}",
      "GET /console/{page}/{id}",
      "GET /console-assets/{file}",
    ];
    expect(of("public").map(nameOf).toSorted()).toEqual(open.toSorted());
    expect(of("local").map(nameOf)).toEqual(["GET /metrics"]);
    expect(of("visitor").map(nameOf).toSorted()).toEqual([
      "POST /api/user/email/verify",
      "POST /api/user/login",
      "POST /api/user/login/link",
      "POST /api/user/login/mail",
      "POST /api/user/login/mail/finish",
      "POST /api/user/login/passkey",
      "POST /api/user/login/second",
      "POST /api/user/register",
      "POST /api/user/reset",
      "POST /api/user/reset/finish",
    ]);
    const policies = ["public", "local", "key", "visitor", "control"];
    expect(routes.filter(({ policy }) => !policies.includes(policy))).toEqual([]);
    for (const route of routes) {
      // Assets belong to whoever calls the models, with the same keys.
      const isAsset = route.policy === "key" && route.path.startsWith("/api/asset/");
      const isSignIn = route.policy === "visitor" || route.path.startsWith("/api/oauth");
      const isSite = route.policy === "public" && /^\/api\/(?:site|announcement)/.test(route.path);
      const isOpen = isSignIn || isAsset || isSite;
      const isControl = route.path.startsWith("/api/") && !isOpen;
      expect([nameOf(route), route.policy === "control"]).toEqual([nameOf(route), isControl]);
      if (route.policy === "key") expect(route.carriers.length).toBeGreaterThan(0);
      if (route.policy === "control") {
        expect([undefined, ...permissions]).toContain(route.permission);
      }
    }
  });

  test("hazard G5 F20 no route of the control plane answers without a token, nor may it be cached", async () => {
    const attempts: Record<string, string>[] = [
      {},
      { authorization: "Bearer sat-unknown" },
      { authorization: `Bearer ${rootKey}` },
      { authorization: `Basic ${btoa(`root:${rootToken}`)}` },
      { "x-api-key": rootToken, cookie: `token=${rootToken}; session=${rootToken}` },
    ];
    const control = routes.filter(({ policy }) => policy === "control");
    expect(control.length).toBeGreaterThan(25);
    for (const route of control) {
      for (const headers of attempts) {
        const response = await call(route, headers);
        expect([nameOf(route), response.status]).toEqual([nameOf(route), 200]);
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(await response.json()).toEqual({
          success: false,
          message: "The access token is invalid.",
          code: "invalid_api_key",
          param: null,
        });
      }
    }
  });

  test("hazard G5 F20 what is not there below /api says so in the same way", async () => {
    for (const path of ["/api/nothing", "/api/user/x/y/z", "/api/status"]) {
      const response = await fetch(gateway.url + path, { method: "DELETE" });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ success: false });
    }
    const self = await fetch(`${gateway.url}/api/user/self`, {
      headers: { authorization: `Bearer ${rootToken}` },
    });
    expect(self.headers.get("cache-control")).toBe("no-store");
  });

  test("hazard G5 a role opens what is its own and nothing above", async () => {
    const control = routes.filter((route) => route.policy === "control");
    for (const route of control) {
      if (route.permission === undefined) continue;
      const response = await call(route, { authorization: `Bearer ${user.token}` });
      const body = (await response.json()) as { success: boolean; code: string };
      const verdict = [nameOf(route), body.success, body.code];
      expect(verdict).toEqual([nameOf(route), false, "permission_denied"]);
    }
  });

  test("hazard G5 no route of the keys answers without one, each in its envelope", async () => {
    const keyed = routes.filter(({ policy }) => policy === "key");
    expect(keyed.length).toBeGreaterThan(5);
    for (const route of keyed) {
      for (const headers of [{}, { authorization: `Bearer ${rootToken}` }, { cookie: rootKey }]) {
        const response = await call(route, headers);
        expect([nameOf(route), response.status]).toEqual([nameOf(route), 401]);
        const body = (await response.json()) as Record<string, unknown>;
        const error = (route.envelope === "bedrock" ? body : body["error"]) as typeof body;
        const code = route.envelope === "c" ? {} : { code: "invalid_api_key" };
        expect(error).toMatchObject({ type: "invalid_request_error", ...code });
        expect(error["status"]).toBe(
          route.envelope === "google" ? "UNAUTHENTICATED" : (undefined as unknown),
        );
      }
    }
  });

  test("hazard G5 the metrics are for this machine alone", async () => {
    const metrics = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/metrics`, { headers });
    expect((await metrics({})).status).toBe(200);
    for (const header of ["x-forwarded-for", "forwarded"]) {
      const response = await metrics({ [header]: "203.0.113.9" });
      expect([header, response.status]).toEqual([header, 401]);
      const keyed = await metrics({ [header]: "127.0.0.1", authorization: `Bearer ${rootKey}` });
      expect(keyed.status).toBe(401);
      const token = await metrics({ [header]: "x", authorization: `Bearer ${user.token}` });
      expect(token.status).toBe(403);
    }
  });
});

describe("the address", () => {
  const spoken = { authorization: `Bearer ${rootToken}` };
  const status = async (target: string, headers: Record<string, string> = spoken) =>
    (await exchange(gateway.url, rawRequest(`GET ${target}`, headers))).status;

  test("hazard G6 a path is taken in its one form only", async () => {
    const targets = [
      ["//api/user", "/api//user", "/api/user/", "/api/user;x=1", "/api/user;", "/api%2fuser"],
      ["/api/%75ser", "/%61pi/user", "/api/user%00", "/api/user%20", "/api/user#x", "/api/us\xe9r"],
      ["/api/user%2f..", "/v1/models/..", "/v1/models/%2e%2e", "/pub/"],
      ["/api/.hidden", "/v1/%2e%2e%2fapi/user", "/api|user", "/api^user", '/api/"user"'],
      ["http://evil.test//api/user", "*", "api/user", "?p=1"],
    ].flat();
    for (const target of targets) expect([target, await status(target)]).toEqual([target, 400]);
    expect(await status("/API/user")).toBe(404);
    // The id in an address of a key may be escaped, and is an id whatever it holds.
    expect(await status("/v1/models/a%2fb")).toBe(401);
    expect(await status("/api/user?p=1")).toBe(200);
  });

  test("hazard G6 a path that leads elsewhere than it seems to is refused", async () => {
    const targets = [
      ["/v1/../api/user", "/v1/%2e%2e/api/user", "/v1/.%2E/api/user", "/api/./user"],
      ["/v1/models/../../api/user", "/api\\user", "/v1\\..\\api\\user", "/./api/user"],
      ["/api/user/../token", "/healthz/../api/user", "http://evil.test/v1/../api/user"],
      "/api/user\\..\\..\\healthz",
    ].flat();
    const answers: [string, number][] = [];
    for (const target of targets) answers.push([target, await status(target)]);
    expect(answers).toEqual(targets.map((target) => [target, 400]));
  });

  test("hazard G6 no spelling of a path gets past who may call it", async () => {
    const targets = [
      ["/v1/../api/user", "/v1/%2e%2e/api/user", "/healthz/../api/user", "/api\\user"],
      ["http://evil.test/api/user", "http:///api/user", "https://root@x/api/user", "/api/./user"],
    ].flat();
    for (const target of targets) {
      for (const headers of [{}, { authorization: `Bearer ${rootKey}` }]) {
        const { body } = await exchange(gateway.url, rawRequest(`GET ${target}`, headers));
        expect(body).not.toContain('"success":true');
        expect(body).not.toContain("acc_");
      }
    }
  });

  test("hazard G7 a Host that is no host is refused", async () => {
    const hosts = [
      ["x/pub?a=", "x#", "evil@x", "", "a, b", "a b", "x:99999999", "[::1", "x\\y", "%00"],
      ["x:80:80", "x?y", "<x>", "x:", "[x]", "a\tb", "\xe9", "http://x"],
    ].flat();
    for (const host of hosts) {
      const line = `GET /api/user HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${rootToken}`;
      const answer = await exchange(gateway.url, `${line}\r\n\r\n`);
      expect([host, answer.status]).toEqual([host, 400]);
      expect(answer.body).not.toContain("acc_");
    }
    const twice = "GET /healthz HTTP/1.1\r\nhost: a.test\r\nhost: b.test\r\n\r\n";
    expect((await exchange(gateway.url, twice)).status).toBe(400);
    expect((await exchange(gateway.url, "GET /healthz HTTP/1.1\r\n\r\n")).status).toBe(400);
    for (const host of ["gateway.test", "gateway.test:80", "127.0.0.1:1", "[::1]:3000"]) {
      expect((await exchange(gateway.url, rawRequest("GET /healthz", { host }))).status).toBe(200);
    }
  });

  test("hazard G7 where hosts are listed, no other is answered", async () => {
    const config = "server: { allowed_hosts: [gateway.test] }";
    await using listed = await startGateway({ config });
    const answer = async (host: string, path = "/healthz") =>
      (await exchange(listed.url, rawRequest(`GET ${path}`, { host }))).status;
    for (const host of ["gateway.test", "GATEWAY.test", "gateway.test:8080"]) {
      expect(await answer(host)).toBe(200);
    }
    for (const host of ["evil.test", "gateway.test.evil.test", "xgateway.test", "10.0.0.1"]) {
      expect(await answer(host)).toBe(400);
      expect(await answer(host, "http://gateway.test/healthz")).toBe(400);
    }
  });
});

describe("ids and fields", () => {
  test("hazard G2 ids tell their kind, and one does not lead to the next", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        gateway.control<{ id: string }>("POST", "/api/token", { name: `id ${at}` }),
      ),
    );
    const tails = made.map(({ id }) => /^key_[0-9a-z]{10}([0-9a-z]{16})$/.exec(id)?.[1]);
    expect(tails).not.toContain(undefined);
    const starts = new Set(tails.map((tail) => tail?.slice(0, 4)));
    expect(starts.size).toBeGreaterThan(15);
  });

  test("hazard G2 what cannot be an id is answered like one that is not there", async () => {
    const unknown = await as(rootToken, "GET", "/api/user/acc_00000000000000000000000000");
    expect(unknown.success).toBe(false);
    const ids = ["1", "0", "-1", "root", "acc_", "acc_*", "key_00000000000000000000000000", "a'b"];
    for (const id of [...ids, "x".repeat(2000), "acc_0000000000000000000000000U", "(select)"]) {
      expect(await as(rootToken, "GET", `/api/user/${id}`)).toEqual(unknown);
    }
  });

  test("hazard G3 a user writes no field that is not its own", async () => {
    const fields = ["id", "role", "quota_micros", "group", "created_at", "username", "declared"];
    for (const name of [...fields, "password_hash", "status", "used_micros", "unlimited"]) {
      const change = await as(user.token, "PATCH", `/api/user/${user.id}`, { [name]: 1 });
      expect([name, change.success]).toEqual([name, false]);
    }
    for (const [name, value] of Object.entries({
      account: "root",
      group: "vip",
      id: "key_00000000000000000000000000",
      hash: "0".repeat(64),
      key: "sk-chosen-by-the-user",
      spent_micros: -5,
      created_at: 1,
      declared: true,
      status: "enabled",
      account_id: admin.id,
    })) {
      const made = await as(user.token, "POST", "/api/token", { name: "mine", [name]: value });
      expect([name, made.success]).toEqual([name, false]);
    }
  });

  test("hazard G3 nobody writes what is the program's to write", async () => {
    const fields = ["id", "quota_micros", "created_at", "username", "password_hash", "token"];
    for (const name of [...fields, "used_micros", "held_micros", "granted_micros", "declared"]) {
      const change = await as(rootToken, "PATCH", `/api/user/${user.id}`, { [name]: 1 });
      expect([name, change.success]).toEqual([name, false]);
    }
    const before = await gateway.control("GET", `/api/user/${user.id}`);
    expect(before).toMatchObject({ role: "user", username: user.username, quota_micros: 0 });
  });

  test("hazard G3 G4 an admin raises nobody and touches no equal", async () => {
    for (const id of [admin.id, user.id]) {
      for (const role of ["root", "admin"]) {
        const raised = await as(admin.token, "PATCH", `/api/user/${id}`, { role });
        expect([id, role, raised.success]).toEqual([id, role, false]);
      }
    }
    const root = await gateway.control<{ id: string }>("GET", "/api/user/self");
    const attempts = [
      as(admin.token, "PATCH", `/api/user/${root.id}`, { password: "taken over by an admin" }),
      as(admin.token, "DELETE", `/api/user/${root.id}`),
      as(admin.token, "POST", `/api/user/${root.id}/token`),
      as(admin.token, "POST", `/api/user/${user.id}/token`),
      as(admin.token, "POST", "/api/token", { name: "mine now", account: "root" }),
      as(admin.token, "POST", `/api/user/${admin.id}/credit`, { micros: 5, reason: "for me" }),
      as(admin.token, "POST", "/api/user", {
        username: "my-root",
        password: "correct horse battery",
        role: "root",
      }),
      as(rootToken, "DELETE", `/api/user/${root.id}`),
      as(rootToken, "PATCH", `/api/user/${root.id}`, { role: "user" }),
    ];
    for (const { success } of await Promise.all(attempts)) expect(success).toBeFalse();
  });

  test("hazard G1 G3 another account's key is not there", async () => {
    const other = await gateway.customer(0);
    const unknown = "key_00000000000000000000000000";
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "mine" }],
      ["DELETE", undefined],
    ] as const) {
      const theirs = await as(user.token, method, `/api/token/${other.keyId}`, body);
      expect(theirs.success).toBeFalse();
      expect(theirs).toEqual(await as(user.token, method, `/api/token/${unknown}`, body));
    }
    const listed = await as(user.token, "GET", `/api/token?account=root`);
    expect(listed.success).toBeFalse();
    const log = await as(user.token, "GET", `/api/log/self?key=${other.keyId}`);
    expect(log).toMatchObject({ success: true, data: { items: [] } });
    const named = await as(user.token, "GET", `/api/log/self?account=root`);
    expect(named).toMatchObject({ success: false, param: "account" });
  });
});

describe("channels", () => {
  interface Made {
    id: string;
    base_url: string;
  }

  test("hazard G8 a channel is not moved without its key", async () => {
    using thief = new Vendor((_request, reply) => reply.json(completion("stolen")));
    const channel = vendor.channel({ name: "moved", key: vendorKey, models: ["chatB"] });
    const { id } = await gateway.control<Made>("POST", "/api/channel", channel);
    const moves = [
      { base_url: thief.url },
      { base_url: `${vendor.url}.evil.test` },
      { base_url: `${vendor.url}/prefix` },
      { base_url: thief.url, keys: null },
      { base_url: thief.url, key: null },
      { allow_private: false, base_url: "https://vendor.test" },
    ];
    for (const move of moves) {
      const change = await as(rootToken, "PATCH", `/api/channel/${id}`, move);
      expect([move, change.success]).toEqual([move, false]);
    }
    expect(await gateway.control<Made>("GET", `/api/channel/${id}`)).toMatchObject({
      base_url: vendor.url,
    });
    expect((await gateway.post("/v1/chat/completions", { ...chat, model: "chatB" })).status).toBe(
      200,
    );
    expect(thief.requests).toEqual([]);
    const whole = { base_url: thief.url, key: "sk-key-of-the-new-host" };
    expect((await as(rootToken, "PATCH", `/api/channel/${id}`, whole)).success).toBe(true);
    await gateway.post("/v1/chat/completions", { ...chat, model: "chatB" });
    const carried = thief.requests.map(({ headers }) => headers["authorization"]);
    expect(carried).toEqual(["Bearer sk-key-of-the-new-host"]);
  });

  test("hazard G8 G10 a test of a channel goes where the channel does, whatever the body says", async () => {
    using thief = new Vendor((_request, reply) => reply.json(completion("stolen")));
    const channel = vendor.channel({ name: "tested", key: vendorKey, models: ["chatC"] });
    const { id } = await gateway.control<Made>("POST", "/api/channel", channel);
    for (const field of ["base_url", "url", "host", "headers"]) {
      const body = { [field]: thief.url };
      expect((await as(rootToken, "POST", `/api/channel/${id}/test`, body)).success).toBe(false);
    }
    expect(thief.requests).toEqual([]);
    expect(await gateway.control("POST", `/api/channel/${id}/test`)).toMatchObject({ ok: true });
  });

  test("hazard G9 a private address needs its flag, however it is written", async () => {
    const hosts = [
      ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "0.0.0.0"],
      ["localhost", "localhost.", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]"],
      ["①②⑦.⓪.⓪.①", "127。0。0。1", "[::]", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1"],
      ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "100.100.100.200"],
      ["192.0.0.192", "168.63.129.16", "198.18.0.1", "224.0.0.1", "[fe80::1]", "[64:ff9b::a00:1]"],
      ["[2002:7f00:1::]", "printer.local", "intranet", "x.localhost"],
    ].flat();
    const fields = { type: "openai", key: "sk-x", models: ["chatA"], priority: -9 };
    for (const host of hosts) {
      const body = { ...fields, name: "private", base_url: `http://${host}:8080` };
      const made = await as(rootToken, "POST", "/api/channel", body);
      expect([host, made.success]).toEqual([host, false]);
    }
    const odd = ["file:///etc", "ftp://x.test", "http://u:p@x.test", "//x.test", "javascript:1"];
    for (const base_url of [
      ...odd,
      "http://x.test?a=1",
      "http://x.test#a",
      "",
      "x.test",
      "http://",
    ]) {
      const body = { ...fields, name: "odd", base_url, allow_private: true };
      const made = await as(rootToken, "POST", "/api/channel", body);
      expect([base_url, made.success]).toEqual([base_url, false]);
    }
  });

  test("hazard G11 a channel's key is never shown again", async () => {
    const text = "sk-write-only-0123456789-tail";
    const made = await gateway.control<Made>(
      "POST",
      "/api/channel",
      vendor.channel({ name: "secretive", key: text, models: ["chatD"] }),
    );
    const seen = await Promise.all([
      as(rootToken, "GET", "/api/channel?page_size=100"),
      as(rootToken, "GET", `/api/channel/${made.id}`),
      as(rootToken, "PATCH", `/api/channel/${made.id}`, { weight: 2 }),
      as(rootToken, "POST", `/api/channel/${made.id}/test`),
    ]);
    const shown = JSON.stringify([made, seen]);
    expect(shown).not.toContain(text);
    expect(shown).not.toContain(text.slice(3, -4));
    expect(made).toMatchObject({ keys: [{ last4: "tail" }] });
    const short = vendor.channel({ name: "short", key: "tiny-key", models: ["chatD"] });
    expect(await gateway.control("POST", "/api/channel", short)).toMatchObject({
      keys: [{ last4: "" }],
    });
  });

  test("hazard G11 a channel's key lies sealed, each with a seal of its own", async () => {
    for (const name of ["seal one", "seal two"]) {
      await gateway.control("POST", "/api/channel", vendor.channel({ name, key: vendorKey }));
    }
    const rows = await rowsOf<{ sealed: string }>(gateway, "select sealed from channel_key");
    expect(rows.length).toBeGreaterThan(2);
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(rows.length);
    for (const { sealed } of rows) {
      expect(sealed).not.toContain(vendorKey);
      expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain(vendorKey);
    }
    // Nodes that share a database are told their secret.
    for (const name of isOnPostgres ? ["server.json"] : ["secret", "server.json"]) {
      expect(statSync(join(gateway.folder, name)).mode & 0o077).toBe(0);
    }
  });
});

describe("the log", () => {
  test("hazard G12 what is looked for is a value, never a pattern or a piece of a query", async () => {
    const { key, keyId } = await gateway.customer(1_000_000);
    await gateway.post("/v1/chat/completions", chat, key);
    await logRows(gateway, keyId, 1);
    const patterns = ["%", "_%", "chat_", "chatA%", "' or 1=1 --", '" or ""="', "*", "^(a+)+$"];
    for (const pattern of [...patterns, "\\", "chatA'", "a".repeat(5000), "\u0000"]) {
      for (const name of ["model", "key", "request_id"]) {
        const path = `/api/log?${name}=${encodeURIComponent(pattern)}`;
        const found = await as(rootToken, "GET", path);
        expect([path, found]).toEqual([
          path,
          expect.objectContaining({ success: true, data: expect.objectContaining({ total: 0 }) }),
        ]);
      }
      const path = `/api/log?account=${encodeURIComponent(pattern)}`;
      expect((await as(rootToken, "GET", path)).success).toBe(false);
    }
    for (const query of ["status=x", "from=1;drop", "to=1e400", "p=-1", "p=1e9", "page_size=0"]) {
      const found = await as(rootToken, "GET", `/api/log?${query}`);
      expect([query, found.success]).toEqual([query, false]);
    }
  });

  test("hazard I7 a page has an end, whatever is asked for", async () => {
    for (const path of ["/api/log", "/api/token", "/api/user", "/api/channel", "/api/price"]) {
      for (const size of ["101", "1000000"]) {
        const page = await as(rootToken, "GET", `${path}?page_size=${size}`);
        expect(page).toMatchObject({ success: false, param: "page_size" });
      }
    }
  });
});
