// Every route of the control plane, called by every role through every carrier, and by a role of
// each single permission: who gets in is what the route table says, and nothing else.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  builtInRoles,
  isBuiltIn,
  permissions,
  type Permission,
} from "../../src/identity/roles/permissions.ts";
import type { ControlRoute, Route } from "../../src/http/route.ts";
import { Browser, password, untilSlowed, type Answered } from "../harness/browser.ts";
import { startGateway } from "../harness/gateway.ts";
import { addressOf, bodyOf, nameOf, routes } from "../harness/route-table.ts";
import { useStand } from "../harness/nodes/stand.ts";

const roles = ["none", "user", "support", "billing", "read-only", "admin", "root"] as const;
const carriers = ["session", "token", "key"] as const;
type Role = (typeof roles)[number] | `only-${string}`;
type Carrier = (typeof carriers)[number];

/** Credentials that someone may come with; empty for one who has nothing. */
interface Papers {
  username: string;
  token: string;
  key: string;
  browser: Browser;
}

const people = new Map<Role, Papers>();

const gateway = useStand(() =>
  startGateway({ config: 'sandbox: "off"\naccounts: { registration: open }\n' }),
);

beforeAll(async () => {
  for (const role of roles) people.set(role, await papersOf(role));
  for (const permission of permissions) {
    const role = roleOfOne(permission);
    await gateway.control("POST", "/api/role", { name: role, permissions: [permission] });
    people.set(role, await papersOf(role));
  }
});

function roleOfOne(permission: Permission) {
  return `only-${permission.replaceAll(/[._]/g, "-")}` as const;
}

async function papersOf(role: Role): Promise<Papers> {
  const browser = new Browser(gateway.url);
  const username = `walk-${role}`;
  if (role === "none") {
    browser.cookies.set("sluice-session", "sst-nobody-has-this-session");
    return { username, token: "sat-nobody-has-this-token", key: "sk-nobody-has-this-key", browser };
  }
  await gateway.control("POST", "/api/user", { username, password, role });
  await browser.signIn(username);
  const { token } = await browser.ask<{ token: string }>("POST", "/api/access-token");
  const { key } = await browser.ask<{ key: string }>("POST", "/api/token", { name: "walk" });
  return { username, token, key, browser };
}

async function call(route: Route, role: Role, carrier: Carrier): Promise<Answered> {
  const papers = people.get(role);
  if (!papers) throw new Error(`nobody is ${role}`);
  const { browser, username } = papers;
  const { method } = route;
  const { body } = bodyOf(route) ?? {};
  if (carrier === "session") {
    const answer = await browser.call(method, addressOf(route), body);
    // Some routes end the session they are called in.
    if (role !== "none" && browser.cookies.size === 0) await browser.signIn(username);
    return answer;
  }
  const authorization = `Bearer ${papers[carrier]}`;
  const bare = new Browser(gateway.url);
  return await bare.call(method, addressOf(route), body, { authorization });
}

/** Codes of errors about access: a route that someone may use says none of them. */
const denials = ["invalid_api_key", "permission_denied", "cross_site_request"];

/** A refusal that names a field is no longer about the route. */
function verdictOf({ success, code = "", param = null }: Answered): string {
  return !success && param === null && denials.includes(code) ? code : "let in";
}

function permissionsOf(role: Role): readonly Permission[] {
  if (isBuiltIn(role)) return builtInRoles[role];
  return permissions.filter((permission) => roleOfOne(permission) === role);
}

function verdictByTable(route: ControlRoute, role: Role, carrier: Carrier): string {
  if (role === "none" || carrier === "key") return "invalid_api_key";
  if (!route.carriers.includes(carrier)) return "permission_denied";
  const { permission } = route;
  const isOpen = permission === undefined || permissionsOf(role).includes(permission);
  return isOpen ? "let in" : "permission_denied";
}

const control = routes.filter((route) => route.policy === "control");
const everyOne = roles.flatMap((role) => carriers.map((carrier) => ({ role, carrier })));

test("hazard G5 every route below /api has its policy in the table", () => {
  const api = routes.filter(({ path }) => path.startsWith("/api/"));
  expect(control.length).toBeGreaterThan(35);
  const open = api.filter(({ policy }) => policy !== "control").map(nameOf);
  expect(open.toSorted()).toEqual([
    "GET /api/announcement/open",
    "GET /api/asset/get",
    "GET /api/oauth",
    "GET /api/oauth/state",
    "GET /api/oauth/{provider}",
    "GET /api/oauth/{provider}/authorize",
    "GET /api/site",
    "GET /api/site/health",
    "GET /api/site/models",
    "POST /api/asset/createMedia",
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
});

async function walk(role: Role, carrier: Carrier): Promise<void> {
  const said: string[] = [];
  const wanted: string[] = [];
  for (const route of control) {
    const verdict = verdictOf(await call(route, role, carrier));
    said.push(`${nameOf(route)}: ${verdict}`);
    wanted.push(`${nameOf(route)}: ${verdictByTable(route, role, carrier)}`);
  }
  expect(said).toEqual(wanted);
}

describe("U3 N10 hazard G5 the table", () => {
  test.each(everyOne)("says who gets in: $role by $carrier", async ({ role, carrier }) => {
    await walk(role, carrier);
  });

  // Carriers are asked before permissions are, and every built-in role comes by each of them.
  const alone = permissions.map((permission, at) => ({
    permission,
    carrier: at % 2 === 0 ? ("token" as const) : ("session" as const),
  }));
  test.each(alone)(
    "says who gets in: whoever has $permission alone, by $carrier",
    async ({ permission, carrier }) => {
      await walk(roleOfOne(permission), carrier);
    },
  );

  test("has a row for every permission, but for those that widen a row for everyone", () => {
    const needed = new Set(control.map(({ permission }) => permission));
    expect(permissions.filter((permission) => !needed.has(permission))).toEqual([
      "access_tokens.make",
      "keys.read",
      "keys.disable",
      "keys.write",
      "budgets.read",
      "budgets.write",
      "contents.capture",
    ]);
  });

  test("and the routes for visitors are open to everyone", async () => {
    const open = routes.filter(({ policy }) => policy === "visitor");
    for (const route of open) {
      for (const { role, carrier } of everyOne) {
        const answer = await call(route, role, carrier);
        expect([nameOf(route), verdictOf(answer)]).toEqual([nameOf(route), "let in"]);
      }
    }
  });
});

test("hazard F14 no route that changes something takes a session from another's page", async () => {
  const { browser } = people.get("root") ?? {};
  if (!browser) throw new Error("root has no browser");
  const pages: Record<string, string>[] = [
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "", "sec-fetch-site": "" },
    { "content-type": "text/plain" },
  ];
  // A route of the keys takes no session from anywhere.
  const changing = routes.filter(
    ({ path, method, policy }) => path.startsWith("/api/") && method !== "GET" && policy !== "key",
  );
  expect(changing.length).toBeGreaterThan(20);
  for (const route of changing) {
    for (const page of pages) {
      // Programs may sign in without an origin: they bring no cookie that could be misused.
      if (route.policy === "visitor" && page["origin"] === "") continue;
      const { body } = bodyOf(route) ?? {};
      const answer = await browser.call(route.method, addressOf(route), body, page);
      expect([nameOf(route), answer.code]).toEqual([nameOf(route), "cross_site_request"]);
    }
  }
  expect(await browser.isSignedIn()).toBe(true);
});

/** A call without a body, and what came of it: of events that never end the head alone. */
async function textOf(path: string, token: string): Promise<string> {
  const response = await fetch(gateway.url + path, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return await response.text();
  }
  await response.body?.cancel();
  return "";
}

test("hazard G11 no route shows anybody a secret of a channel, least of all a token that only reads", async () => {
  const secrets = ["canary-in-a-key-0123456789", "canary-in-a-header-0123", "canary-in-a-proxy"];
  const [key, header, login] = secrets;
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
    name: "canary",
    type: "openai",
    base_url: "https://vendor.example",
    key,
    headers: { "x-secret": header },
    proxy: `http://user:${login}@proxy.example:3128`,
    models: ["m"],
  });
  const { browser } = people.get("root") ?? {};
  const made = await browser?.ask<{ token: string }>("POST", "/api/access-token", {
    name: "reader",
    read_only: true,
  });
  const tokens = [made?.token ?? "", people.get("root")?.token ?? "", people.get("admin")?.token];
  const reading = control.filter(({ method }) => method === "GET");
  for (const route of reading) {
    const path = addressOf(route).replace("chn_00000000000000000000000000", id);
    for (const token of tokens) {
      const text = await textOf(path, token ?? "");
      const shown = secrets.filter((secret) => text.includes(secret));
      expect([nameOf(route), shown]).toEqual([nameOf(route), []]);
    }
  }
  await gateway.control("DELETE", `/api/channel/${id}`);
});

test("hazard A10 every stream ends with the token that opened it", async () => {
  const streams = control.filter(
    ({ method, entry: { answer } }) =>
      method === "GET" && "type" in answer && answer.type === "text/event-stream",
  );
  expect(streams.map(nameOf)).toEqual(["GET /api/live", "GET /api/live/self"]);
  const { browser } = people.get("admin") ?? {};
  for (const route of streams) {
    const made = await browser?.ask<{ id: string; token: string }>("POST", "/api/access-token");
    const response = await fetch(gateway.url + route.path, {
      headers: { authorization: `Bearer ${made?.token}` },
    });
    const whole = response.text();
    await browser?.ask("DELETE", `/api/access-token/${made?.id}`);
    expect([nameOf(route), await whole]).toEqual([
      nameOf(route),
      expect.stringContaining(": live"),
    ]);
  }
});

test("N16 what is for this machine alone is closed to what a proxy hands on, however it says so", async () => {
  const local = routes.filter(({ policy }) => policy === "local");
  expect(local.length).toBeGreaterThan(0);
  const headers: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.9" },
    { "x-forwarded-host": "gateway.example" },
    { "x-forwarded-proto": "https" },
    { "x-forwarded-port": "443" },
    { "x-real-ip": "203.0.113.9" },
    { "x-client-ip": "203.0.113.9" },
    { "x-original-host": "gateway.example" },
    { "x-envoy-external-address": "203.0.113.9" },
    { "true-client-ip": "203.0.113.9" },
    { "cf-connecting-ip": "203.0.113.9" },
    { forwarded: "for=203.0.113.9" },
    { via: "1.1 proxy" },
  ];
  for (const { path } of local) {
    for (const node of gateway.nodeUrls) {
      expect((await fetch(node + path)).status).toBe(200);
      for (const sent of headers) {
        const response = await fetch(node + path, { headers: sent });
        const refused = [response.status, (await response.text()).includes("sluice_")];
        expect([path, sent, refused]).toEqual([path, sent, [401, false]]);
      }
    }
  }
});

test("Q6 no refused preflight is empty", async () => {
  for (const path of new Set(routes.map((one) => addressOf(one)))) {
    const response = await fetch(gateway.url + path, { method: "OPTIONS" });
    const text = await response.text();
    if (response.status === 204) continue;
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      405,
      expect.stringContaining("application/json"),
    ]);
    expect([path, text]).toEqual([path, expect.stringContaining("does not take OPTIONS")]);
    expect(response.headers.get("allow")).not.toBe("");
  }
});

test("hazard F17 G17 a refused sign-in is on record by every way in, and slowed by every way that is guessed", async () => {
  const stranger = new Browser(gateway.url);
  const wrong: Record<string, object> = {
    "/api/user/login": { username: "walk-user", password: "a wrong password" },
    "/api/user/login/link": { link: "no-link-that-anybody-made" },
  };
  const count = async () =>
    (await gateway.control<{ total: number }>("GET", "/api/audit?action=user.sign_in_refused"))
      .total;
  for (const [path, body] of Object.entries(wrong)) {
    const before = await count();
    expect((await stranger.call("POST", path, body)).success).toBe(false);
    expect([path, await count()]).toEqual([path, before + 1]);
    const tries = Array.from({ length: 20 * gateway.nodeUrls.length }, () =>
      stranger.call("POST", path, body),
    );
    await untilSlowed(tries, gateway.nodeUrls.length);
    await Promise.all(tries);
  }
});
