// Every route of the control plane, called by every role through every carrier: who gets in is what
// the route table says, and nothing else.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ControlRoute, Route } from "../../src/http/route.ts";
import { Browser, password, type Answered } from "../harness/browser.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { addressOf, bodyOf, nameOf, routes } from "../harness/route-table.ts";

setDefaultTimeout(60_000);

const roles = ["none", "user", "admin", "root"] as const;
const carriers = ["session", "token", "key"] as const;
type Role = (typeof roles)[number];
type Carrier = (typeof carriers)[number];

/** What someone may come with; empty for one who has nothing. */
interface Papers {
  username: string;
  token: string;
  key: string;
  browser: Browser;
}

let gateway: Gateway;
const people = new Map<Role, Papers>();

beforeAll(async () => {
  gateway = await startGateway({ config: 'sandbox: "off"\naccounts: { registration: open }\n' });
  for (const role of roles) people.set(role, await papersOf(role));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

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

/** What a route does with someone who may use it: whatever it says, it is not about access. */
const denials = ["invalid_api_key", "permission_denied", "cross_site_request"];

function verdictOf({ success, code = "" }: Answered): string {
  return !success && denials.includes(code) ? code : "let in";
}

function verdictByTable(route: ControlRoute, role: Role, carrier: Carrier): string {
  if (role === "none" || carrier === "key") return "invalid_api_key";
  if (!route.carriers.includes(carrier)) return "permission_denied";
  const ranks = ["user", "admin", "root"];
  return ranks.indexOf(role) >= ranks.indexOf(route.role) ? "let in" : "permission_denied";
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
    "GET /api/site/models",
    "POST /api/asset/createMedia",
    "POST /api/user/login",
    "POST /api/user/login/link",
    "POST /api/user/login/passkey",
    "POST /api/user/login/second",
    "POST /api/user/register",
  ]);
});

describe("U3 N10 hazard G5 the table", () => {
  test.each(everyOne)("says who gets in: $role by $carrier", async ({ role, carrier }) => {
    const said: string[] = [];
    const wanted: string[] = [];
    for (const route of control) {
      const verdict = verdictOf(await call(route, role, carrier));
      said.push(`${nameOf(route)}: ${verdict}`);
      wanted.push(`${nameOf(route)}: ${verdictByTable(route, role, carrier)}`);
    }
    expect(said).toEqual(wanted);
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
