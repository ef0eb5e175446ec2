// Signing in by password in a real browser, over https as it is reached in earnest: the cookie,
// what scripts see of it, and what the pages of others can do with it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { password } from "../harness/browser.ts";
import {
  browserMsMax,
  needBrowser,
  type Browser,
  type BrowserContext,
  type Page,
} from "../harness/chromium.ts";
import { fetchFrom, postFormFrom } from "../harness/e2e/attack.ts";
import { Front, OtherSite } from "../harness/e2e/front.ts";
import {
  askFrom,
  callFrom,
  cookieOf,
  plainPath,
  readableCookies,
  signInFrom,
  whoIsAt,
} from "../harness/e2e/page.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";

setDefaultTimeout(60_000);

const cookieName = "__Host-sluice-session";
const json = "application/json";
const person = "ada";
const attacker = "mallory";
let browser: Browser;
let front: Front;
let gateway: Gateway;

beforeAll(async () => {
  front = new Front();
  const config = `sandbox: "off"\nserver: { public_url: "${front.url}" }\n`;
  browser = await needBrowser();
  gateway = await startGateway({ config });
  front.target = gateway.url;
  for (const username of [person, attacker]) {
    await gateway.control("POST", "/api/user", { username, password });
  }
}, browserMsMax);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  front?.[Symbol.dispose]();
});

function newContext() {
  return browser.newContext({ ignoreHTTPSErrors: true });
}

/** A page of the gateway, as a stranger sees it. */
async function openPlain(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${front.url}${plainPath}`);
  return page;
}

describe("hazard F11 in a real browser the session's cookie", () => {
  test("is bound to the host, sent over https alone, and out of reach of scripts", async () => {
    await using context = await newContext();
    const page = await openPlain(context);
    const wrong = { username: person, password: "not the password" };
    const refused = await callFrom(page, "POST", "/api/user/login", wrong);
    expect(refused).toMatchObject({ success: false, code: "invalid_credentials" });
    expect(await context.cookies()).toEqual([]);
    const answer = await signInFrom(page, person);
    expect(answer).toMatchObject({ success: true, data: { username: person } });
    const cookie = await cookieOf(context, cookieName);
    expect(cookie).toMatchObject({
      domain: "localhost",
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    });
    const daysLeft = ((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000;
    expect(Math.round(daysLeft)).toBe(14);
    expect(await readableCookies(page)).toBe("");
    expect(JSON.stringify(answer)).not.toContain(cookie?.value ?? "no cookie");
    expect(await whoIsAt(page)).toBe(person);
  });

  test("goes without its prefix on this machine, where there is no https", async () => {
    await using local = await startGateway({ config: 'sandbox: "off"\n' });
    await local.control("POST", "/api/user", { username: person, password });
    await using context = await newContext();
    const page = await context.newPage();
    await page.goto(`${local.url}${plainPath}`);
    await signInFrom(page, person);
    const cookies = await context.cookies();
    const flags = { httpOnly: true, secure: false, sameSite: "Lax", path: "/" };
    expect(cookies).toMatchObject([{ name: "sluice-session", domain: "127.0.0.1", ...flags }]);
    expect(await readableCookies(page)).toBe("");
    expect(await whoIsAt(page)).toBe(person);
  });
});

describe("in a real browser a session", () => {
  test("hazard F12 lives on in this browser alone, and until one signs out", async () => {
    await using context = await newContext();
    const page = await openPlain(context);
    await signInFrom(page, person);
    await page.reload();
    expect(await whoIsAt(page)).toBe(person);
    await using another = await newContext();
    const stranger = await openPlain(another);
    expect(await whoIsAt(stranger)).toBeNull();
    const kept = await cookieOf(context, cookieName);
    await askFrom(page, "POST", "/api/user/logout");
    expect(await context.cookies()).toEqual([]);
    expect(await whoIsAt(page)).toBeNull();
    // A kept cookie is worth nothing.
    if (kept) await another.addCookies([kept]);
    expect(await whoIsAt(stranger)).toBeNull();
    expect(front.last("GET", "/api/user/self")?.headers.get("cookie")).toContain(cookieName);
  });

  test("hazard F10 is not the one that was planted before signing in", async () => {
    await using theirs = await newContext();
    const other = await openPlain(theirs);
    await signInFrom(other, attacker);
    const planted = await cookieOf(theirs, cookieName);
    await using context = await newContext();
    if (planted) await context.addCookies([planted]);
    const page = await openPlain(context);
    expect(await whoIsAt(page)).toBe(attacker);
    await signInFrom(page, person);
    const own = await cookieOf(context, cookieName);
    expect(own?.value).not.toBe(planted?.value ?? "");
    expect(await whoIsAt(page)).toBe(person);
    expect(await whoIsAt(other)).toBeNull();
  });
});

/** A browser sends the cookie with requests of a page by another port, not with another host's. */
describe.each<["localhost" | "127.0.0.1", boolean]>([
  ["localhost", true],
  ["127.0.0.1", false],
])("hazard F14 F15 in a real browser a page of %s by another port", (host, getsCookie) => {
  const key = { name: "stolen" };
  const keys = () => `${front.url}/api/token`;
  const logout = () => `${front.url}/api/user/logout`;

  function wasSentWithCookie(method: string, path: string): boolean | null {
    const request = front.last(method, path);
    return request && (request.headers.get("cookie") ?? "").includes(cookieName);
  }

  test("makes no key, ends no session, reads nothing and signs nobody in", async () => {
    await using context = await newContext();
    const page = await openPlain(context);
    await signInFrom(page, person);
    using site = new OtherSite(host);
    const other = await context.newPage();
    await other.goto(site.url);
    front.seen.length = 0;
    await byScript(other);
    await byForm(other, site);
    expect(await whoIsAt(page)).toBe(person);
    expect(await askFrom(page, "GET", "/api/token")).toMatchObject({ total: 0 });
  });

  async function byScript(other: Page): Promise<void> {
    const plain = { method: "POST", contentType: "text/plain" };
    await fetchFrom(other, { ...plain, url: keys(), body: JSON.stringify(key) });
    expect(wasSentWithCookie("POST", "/api/token")).toBe(getsCookie);
    await fetchFrom(other, { ...plain, url: logout(), body: null });
    expect(wasSentWithCookie("POST", "/api/user/logout")).toBe(getsCookie);
    front.seen.length = 0;
    const asked = { url: keys(), method: "POST", contentType: json, body: JSON.stringify(key) };
    expect(await fetchFrom(other, asked)).toBe("TypeError");
    // The other page may still be fetching something of its own.
    const seen = front.seen.filter(({ path }) => path === "/api/token");
    expect(seen.map(({ method }) => method)).toEqual(["OPTIONS"]);
    const self = { url: `${front.url}/api/user/self`, method: "GET", contentType: json };
    expect(await fetchFrom(other, { ...self, body: null })).toBe("TypeError");
    expect(wasSentWithCookie("GET", "/api/user/self")).toBe(getsCookie);
  }

  async function byForm(other: Page, site: OtherSite): Promise<void> {
    const refusal = getsCookie ? "cross_site_request" : "invalid_api_key";
    expect(await postFormFrom(other, keys(), key)).toBe(refusal);
    expect(wasSentWithCookie("POST", "/api/token")).toBe(getsCookie);
    await other.goto(site.url);
    expect(await postFormFrom(other, logout(), {})).toBe(refusal);
    await other.goto(site.url);
    const login = `${front.url}/api/user/login`;
    const entry = { username: attacker, password };
    expect(await postFormFrom(other, login, entry)).toBe("cross_site_request");
  }
});
