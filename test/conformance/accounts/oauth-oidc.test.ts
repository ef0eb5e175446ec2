// Signing in through OpenID Connect, with a real provider on this machine.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, type Answered } from "../../harness/browser.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { RealIssuer } from "../../harness/oauth/real-issuer.ts";
import { fetchCallback, visit } from "../../harness/oauth/visit.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
let issuer: RealIssuer;
let gateway: Gateway;

beforeAll(async () => {
  issuer = await RealIssuer.start(`${origin}/api/oauth/corp`);
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${origin}" }`,
    "accounts: { registration: open }",
    "oauth:",
    "  landing: /console",
    "  providers:",
    `    - ${issuer.config("corp")}`,
  ];
  gateway = await startGateway({ config: `${config.join("\n")}\n` });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

function newBrowser(): Browser {
  return new Browser(gateway.url, { origin });
}

async function signIn(browser: Browser): Promise<Answered> {
  return await browser.call("GET", await fetchCallback(browser, "corp"));
}

test("U1 U2 the authorize address carries state, nonce and challenge, and comes from discovery", async () => {
  const answer = await newBrowser().call("GET", "/api/oauth/state?provider=corp");
  const { data, authorize_url } = answer as Answered & { authorize_url: string };
  const url = new URL(authorize_url);
  expect(url.origin + url.pathname).toBe(`${issuer.url}/auth`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    redirect_uri: `${origin}/api/oauth/corp`,
    scope: "openid profile",
    state: data,
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
});

test("U2 a person of the issuer gets an account, and the same one the next time", async () => {
  const browser = newBrowser();
  const answer = await signIn(browser);
  expect(answer).toMatchObject({ success: true, data: { username: "ada", role: "user" } });
  const path = "/api/user/self/identities";
  const { items } = await browser.ask<{ items: object[] }>("GET", path);
  expect(items).toMatchObject([{ provider: "corp", username: "ada", display_name: "Ada L." }]);
  expect((await signIn(newBrowser())).data).toEqual(answer.data);
});

test("U2 by links alone a person ends at the page that the operator chose, signed in", async () => {
  const browser = newBrowser();
  const response = await visit(browser, "corp");
  expect([response.status, response.headers.get("location")]).toEqual([303, "/console"]);
  expect(browser.cookies.has("__Host-sluice-session")).toBe(true);
  expect(await browser.isSignedIn()).toBe(true);
});

test("U2 another subject is another account, whatever its name and e-mail address", async () => {
  const { data: ada } = await signIn(newBrowser());
  issuer.user = { ...issuer.user, subject: "sub-2" };
  const { data: other } = await signIn(newBrowser());
  expect(other).toMatchObject({ username: expect.stringMatching(/^ada-[0-9a-f]{8}$/) });
  expect((other as { id: string }).id).not.toBe((ada as { id: string }).id);
  issuer.user = { ...issuer.user, subject: "sub-1" };
});

test("U2 hazard F7 a key that the issuer replaced does not matter, from the next sign-in on", async () => {
  const { data } = await signIn(newBrowser());
  for (let times = 0; times < 2; times++) {
    await issuer.rotate();
    expect(await signIn(newBrowser())).toMatchObject({ success: true, data: data as object });
  }
});
