// Signing in through a provider in a real browser, which decides by itself which cookies it sends
// from one site to another and what it says of where a request comes from. The provider and the
// attacker are called localhost, the gateway 127.0.0.1: to a browser these are two sites.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { Browser } from "../../harness/browser.ts";
import { browserMsMax, needBrowser, whyNoChromium, type Page } from "../../harness/chromium.ts";
import type { Browser as Chromium } from "../../harness/chromium.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { Discourse } from "../../harness/oauth/discourse.ts";
import { Github } from "../../harness/oauth/github.ts";
import { testNeeding } from "../../harness/requirements.ts";
import { fetchCallback } from "../../harness/oauth/visit.ts";

setDefaultTimeout(60_000);

const github = new Github();
const forum = new Discourse();
let gateway: Gateway;
const missingChromium = await whyNoChromium();
const testInBrowser = testNeeding("chromium", missingChromium);
let chromium: Chromium;
let evil: ReturnType<typeof Bun.serve>;
/** Target of the one link on the attacker's page. */
let bait = "";

beforeAll(async () => {
  const elsewhere = (config: string) =>
    config.replace('authorize: "http://127.0.0.1', 'authorize: "http://localhost');
  const config = [
    'sandbox: "off"',
    "accounts: { registration: open }",
    "oauth:",
    "  providers:",
    `    - ${elsewhere(github.config("github", "github"))}`,
    `    - ${elsewhere(forum.config("forum", "discourse"))}`,
  ];
  evil = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(`<a id="bait" href="${bait.replaceAll("&", "&amp;")}">a gift</a>`, {
        headers: { "content-type": "text/html" },
      }),
  });
  gateway = await startGateway({ needsPublicUrl: true, config: `${config.join("\n")}\n` });
  if (missingChromium === null) chromium = await needBrowser();
}, browserMsMax);

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const standIn of [github, forum]) standIn[Symbol.dispose]();
  await evil.stop(true);
});

/** With cookies of its own. */
async function inBrowser(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await chromium.newContext();
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

interface Answer {
  success: boolean;
  data?: { username?: string; total?: number };
}

/** A call of a page of the gateway. */
async function ask(page: Page, path: string): Promise<Answer> {
  const text = await page.evaluate(async (address) => (await fetch(address)).text(), path);
  return JSON.parse(text) as Answer;
}

/** A link on a page of the gateway; where it leads in the end. */
async function follow(page: Page, path: string): Promise<string> {
  const arrived = page.waitForNavigation();
  await page.evaluate((address) => {
    const { location } = globalThis as unknown as { location: { href: string } };
    setTimeout(() => (location.href = address), 0);
  }, path);
  await arrived;
  return page.url();
}

/** Someone who clicks on the attacker's link; where they end up. */
async function takeBait(page: Page, address: string): Promise<string> {
  bait = address;
  await page.goto(`http://localhost:${evil.port}/`);
  await page.click("#bait");
  await page.waitForURL((url) => url.host === new URL(gateway.url).host);
  return page.url();
}

describe("U2 a real browser", () => {
  testInBrowser("goes through a provider by a link and comes back signed in", async () => {
    await inBrowser(async (page) => {
      await page.goto(`${gateway.url}/api/oauth/github/authorize`);
      expect(page.url()).toBe(`${gateway.url}/`);
      const self = await ask(page, "/api/user/self");
      expect(self).toMatchObject({ success: true, data: { username: "octocat" } });
      const cookies = await page.context().cookies(gateway.url);
      const session = cookies.find(({ name }) => name === "sluice-session");
      expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    });
  });

  testInBrowser("links another provider from a page of the gateway", async () => {
    await inBrowser(async (page) => {
      await page.goto(`${gateway.url}/api/oauth/github/authorize`);
      expect(await follow(page, "/api/oauth/forum/authorize")).toBe(`${gateway.url}/`);
      const identities = await ask(page, "/api/user/self/identities");
      expect(identities.data?.total).toBe(2);
    });
  });
});

describe("hazard F2 F6 in a real browser", () => {
  testInBrowser("no link of another site begins to sign in or to link", async () => {
    await inBrowser(async (page) => {
      const authorize = `${gateway.url}/api/oauth/github/authorize`;
      const refused = `${gateway.url}/?oauth_error=cross_site_request`;
      expect(await takeBait(page, authorize)).toBe(refused);
      await page.goto(authorize);
      expect(page.url()).toBe(`${gateway.url}/`);
      expect(await takeBait(page, authorize)).toBe(refused);
      await page.goto(authorize);
      expect(page.url()).toBe(refused);
    });
  });

  testInBrowser("an attacker's callback signs nobody in", async () => {
    const attacker = new Browser(gateway.url);
    const state = await attacker.call("GET", "/api/oauth/state?provider=github");
    expect(state.success).toBe(true);
    const callback = await fetchCallback(attacker, "github");
    await inBrowser(async (page) => {
      await page.goto(`${gateway.url}/api/oauth/state?provider=github`);
      const ended = await takeBait(page, gateway.url + callback);
      expect(ended).toBe(`${gateway.url}/?oauth_error=invalid_state`);
      expect((await ask(page, "/api/user/self")).success).toBe(false);
    });
  });
});
