// Signing in through an OpenID provider in a real browser: through the provider's own pages and
// back, over https, with the cookies and redirects that the browser really keeps and follows.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { password } from "../harness/browser.ts";
import {
  browserMsMax,
  needBrowser,
  type Browser,
  type BrowserContext,
  type Page,
} from "../harness/chromium.ts";
import { Front, OtherSite } from "../harness/e2e/front.ts";
import {
  askFrom,
  cookieOf,
  followLink,
  plainPath,
  readableCookies,
  referrerOf,
  signInFrom,
  whoIsAt,
} from "../harness/e2e/page.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { RealIssuer } from "../harness/oauth/real-issuer.ts";

setDefaultTimeout(60_000);

const sessionName = "__Host-sluice-session";
const stateName = "__Host-sluice-oauth";
const callbackPath = "/api/oauth/corp";
let browser: Browser;
let front: Front;
let issuer: RealIssuer;
let gateway: Gateway;

beforeAll(async () => {
  front = new Front();
  issuer = await RealIssuer.start(front.url + callbackPath, true);
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${front.url}" }`,
    "accounts: { registration: open }",
    "oauth:",
    `  landing: ${plainPath}`,
    "  providers:",
    `    - ${issuer.config("corp")}`,
  ];
  browser = await needBrowser();
  gateway = await startGateway({ config: `${config.join("\n")}\n` });
  front.target = gateway.url;
}, browserMsMax);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await issuer?.[Symbol.asyncDispose]();
  front?.[Symbol.dispose]();
});

function newContext() {
  return browser.newContext({ ignoreHTTPSErrors: true });
}

/** At the provider's first page, with the gateway's link followed. */
async function openProvider(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${front.url}${callbackPath}/authorize`);
  return page;
}

/** Signs in at the provider and agrees, each with a click; the last one leads back. */
async function clickThrough(page: Page, subject: string): Promise<void> {
  await page.fill("input[name=login]", subject);
  await page.fill("input[name=password]", "known to the provider");
  await page.click("button[type=submit]");
  await page.click("button:has-text('Continue')");
}

const landing = () => front.url + plainPath;
const newSubject = () => `subject-${crypto.randomUUID()}`;

/** Goes up to the way back, which ends at a page that the gateway knows nothing of. */
async function catchCallback(context: BrowserContext): Promise<{ page: Page; callback: string }> {
  const page = await openProvider(context);
  front.instead = ({ url }) =>
    new URL(url).pathname === callbackPath ? new Response("caught") : null;
  try {
    await clickThrough(page, newSubject());
    await page.waitForURL((url) => url.pathname === callbackPath);
  } finally {
    front.instead = null;
  }
  return { page, callback: page.url() };
}

test("U2 one clicks through the provider's pages and is back, signed in", async () => {
  await using context = await newContext();
  const page = await openProvider(context);
  expect(new URL(page.url()).origin).toBe(issuer.url);
  const flags = { domain: "localhost", path: "/", httpOnly: true, secure: true, sameSite: "Lax" };
  expect(await cookieOf(context, stateName)).toMatchObject(flags);
  front.seen.length = 0;
  await clickThrough(page, newSubject());
  await page.waitForURL(landing());
  expect(await cookieOf(context, sessionName)).toMatchObject(flags);
  expect(await readableCookies(page)).toBe("");
  expect(await whoIsAt(page)).toStartWith("ada");
  const identities = await askFrom(page, "GET", "/api/user/self/identities");
  expect(identities).toMatchObject({ items: [{ provider: "corp", username: "ada" }] });
  await expectNoTrace(page);
});

/** The code and the state stay in no address, no referrer and no history. */
async function expectNoTrace(page: Page): Promise<void> {
  const callback = front.last("GET", callbackPath);
  expect(callback?.headers.get("sec-fetch-site")).toBe("cross-site");
  expect(callback?.headers.get("cookie")).toContain(stateName);
  const told = [page.url(), await referrerOf(page)];
  for (const { headers } of front.seen) told.push(headers.get("referer") ?? "");
  expect(told.join(" ")).not.toMatch(/code=|state=/);
  await page.goBack();
  expect(new URL(page.url()).pathname).not.toBe(callbackPath);
}

test("hazard F1 the way back works in the browser that began it alone, and once", async () => {
  await using context = await newContext();
  const { page, callback } = await catchCallback(context);
  const refused = `${landing()}?oauth_error=invalid_state`;
  await using another = await newContext();
  const stranger = await another.newPage();
  await stranger.goto(callback);
  expect(stranger.url()).toBe(refused);
  // Nor after it has begun a sign-in of its own.
  await stranger.goto(`${front.url}${callbackPath}/authorize`);
  expect(await cookieOf(another, stateName)).not.toBeNull();
  await stranger.goto(callback);
  expect(stranger.url()).toBe(refused);
  expect(await whoIsAt(stranger)).toBeNull();
  expect(await cookieOf(another, sessionName)).toBeNull();
  await page.goto(callback);
  expect(page.url()).toBe(landing());
  const username = await whoIsAt(page);
  expect(username).toStartWith("ada");
  await page.goto(callback);
  expect(page.url()).toBe(refused);
  expect(await whoIsAt(page)).toBe(username);
});

test("U2 who refuses at the provider is back as a stranger, and told so", async () => {
  await using context = await newContext();
  const page = await openProvider(context);
  await page.click("text=[ Cancel ]");
  await page.waitForURL(`${landing()}?oauth_error=provider_refused`);
  expect(await whoIsAt(page)).toBeNull();
  expect(await cookieOf(context, sessionName)).toBeNull();
});

test("hazard F10 a cookie that was planted before is not kept, and the session is a new one", async () => {
  await using context = await newContext();
  await context.addCookies([
    { name: sessionName, value: `sst-${"p".repeat(43)}`, url: front.url, secure: true },
  ]);
  const page = await openProvider(context);
  await clickThrough(page, newSubject());
  await page.waitForURL(landing());
  expect(await whoIsAt(page)).toStartWith("ada");
  expect((await cookieOf(context, sessionName))?.value).not.toContain("ppp");
});

test("U2 one who is signed in links the identity from a page of the gateway", async () => {
  const username = `person-${crypto.randomUUID().slice(0, 8)}`;
  await gateway.control("POST", "/api/user", { username, password });
  await using context = await newContext();
  const page = await context.newPage();
  await page.goto(landing());
  await signInFrom(page, username);
  await followLink(page, `${front.url}${callbackPath}/authorize`);
  await clickThrough(page, newSubject());
  await page.waitForURL(landing());
  expect(await whoIsAt(page)).toBe(username);
  const identities = await askFrom(page, "GET", "/api/user/self/identities");
  expect(identities).toMatchObject({ items: [{ provider: "corp" }] });
});

test("hazard F2 a link on another site begins nothing", async () => {
  using site = new OtherSite("127.0.0.1");
  await using context = await newContext();
  const page = await context.newPage();
  await page.goto(site.url);
  await followLink(page, `${front.url}${callbackPath}/authorize`);
  await page.waitForURL(`${landing()}?oauth_error=cross_site_request`);
  expect(await context.cookies()).toEqual([]);
});

test("U2 the console leads to the provider and knows who came back, or says what went wrong", async () => {
  await using context = await newContext();
  const page = await context.newPage();
  await page.goto(`${front.url}/?oauth_error=invalid_state`);
  await page.getByRole("alert").getByText("invalid_state").waitFor();
  await page.getByRole("link", { name: "Continue with corp" }).click();
  await clickThrough(page, newSubject());
  await page.waitForURL(landing());
  await page.goto(`${front.url}/console/account`);
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  const name = (await whoIsAt(page)) ?? "nobody";
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "corp" }).first().waitFor();
});
