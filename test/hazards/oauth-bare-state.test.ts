// Signing in with a bare state, as the specification has it: "call `GET /api/oauth/state`, use the
// returned state in the provider redirect, then the service completes the callback at
// `GET /api/oauth/{provider}`". The page makes the provider's address itself, so there is no
// challenge and no nonce; what keeps providers, browsers and codes apart is attacked here.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, type Answered } from "../harness/browser.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { clientId } from "../harness/oauth/code-book.ts";
import { Discourse } from "../harness/oauth/discourse.ts";
import { Github } from "../harness/oauth/github.ts";
import { LyingIssuer } from "../harness/oauth/lying-issuer.ts";
import { atProvider, fetchCallback } from "../harness/oauth/visit.ts";
import { assertUp } from "./observe.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
const github = new Github();
const forum = new Discourse();
let issuer: LyingIssuer;
let gateway: Gateway;

beforeAll(async () => {
  issuer = await LyingIssuer.start();
  gateway = await startGateway({
    config: configOf(
      github.config("github", "github"),
      forum.config("forum", "discourse"),
      issuer.config("corp"),
    ),
  });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  for (const standIn of [github, forum, issuer]) standIn[Symbol.dispose]();
});

function configOf(...providers: string[]): string {
  const lines = [
    'sandbox: "off"',
    `server: { public_url: "${origin}" }`,
    "accounts: { registration: open }",
    `oauth: { providers: [${providers.join(", ")}] }`,
  ];
  return `${lines.join("\n")}\n`;
}

const authorizePaths = {
  github: `${github.url}/login/oauth/authorize`,
  forum: `${forum.url}/oauth2/authorize`,
};

type ProviderName = "github" | "forum" | "corp";

/** The address that a page makes by itself, knowing the client's id and the state alone. */
function ownAddress(provider: ProviderName, state: string): string {
  const path = provider === "corp" ? `${issuer.url}/authorize` : authorizePaths[provider];
  const redirectUri = `${origin}/api/oauth/${provider}`;
  const query = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, state };
  return `${path}?${new URLSearchParams(query)}`;
}

function newBrowser(at: Gateway = gateway): Browser {
  return new Browser(at.url, { origin });
}

async function bareState(browser: Browser): Promise<string> {
  return (await browser.ask("GET", "/api/oauth/state")) as string;
}

/** The callback's path, with a code of the provider for this state. */
async function callbackOf(provider: ProviderName, state: string): Promise<string> {
  const { pathname, search } = await atProvider(ownAddress(provider, state));
  return pathname + search;
}

async function signInBare(browser: Browser, provider: ProviderName): Promise<Answered> {
  return await browser.call("GET", await callbackOf(provider, await bareState(browser)));
}

const invalidState = { success: false, code: "invalid_state" };
const refused = { success: false, code: "provider_refused" };

describe("a bare state", () => {
  test.each(["github", "forum", "corp"] as const)("U1 signs in through %s", async (provider) => {
    const browser = newBrowser();
    expect(await signInBare(browser, provider)).toMatchObject({ success: true });
    expect(await browser.isSignedIn()).toBe(true);
  });

  test("U1 signs in where there is one provider too, beside the address with a challenge", async () => {
    await using one = await startGateway({ config: configOf(issuer.config("corp")) });
    const browser = newBrowser(one);
    expect(await signInBare(browser, "corp")).toMatchObject({ success: true });
    const other = newBrowser(one);
    const started = (await other.call("GET", "/api/oauth/state")) as Answered & {
      authorize_url: string;
    };
    expect(new URL(started.authorize_url).searchParams.has("code_challenge")).toBe(true);
    const { pathname, search } = await atProvider(started.authorize_url);
    expect(await other.call("GET", pathname + search)).toMatchObject({ success: true });
  });

  test("U1 links an identity of one who is signed in", async () => {
    const browser = newBrowser();
    github.user = { ...github.user, id: 700_001, login: "linker" };
    await browser.call("GET", await fetchCallback(browser, "github"));
    forum.user = { ...forum.user, id: 700_002 };
    expect(await signInBare(browser, "forum")).toMatchObject({ success: true });
    const path = "/api/user/self/identities";
    const { items } = await browser.ask<{ items: { provider: string }[] }>("GET", path);
    expect(items.map(({ provider }) => provider)).toEqual(["github", "forum"]);
  });

  test("hazard F1 works once, whichever provider comes second", async () => {
    const browser = newBrowser();
    const state = await bareState(browser);
    const [first, second] = [await callbackOf("github", state), await callbackOf("forum", state)];
    expect(await browser.call("GET", first)).toMatchObject({ success: true });
    expect(await browser.call("GET", first)).toMatchObject(invalidState);
    expect(await browser.call("GET", second)).toMatchObject(invalidState);
  });

  test("hazard F1 is of no use in another browser, which does not spoil it either", async () => {
    const [browser, thief] = [newBrowser(), newBrowser()];
    await bareState(thief);
    const callback = await callbackOf("github", await bareState(browser));
    expect(await thief.call("GET", callback)).toMatchObject(invalidState);
    expect(await thief.isSignedIn()).toBe(false);
    expect(await browser.call("GET", callback)).toMatchObject({ success: true });
  });

  test("hazard F1 that was taken to one provider is for that one alone", async () => {
    const browser = newBrowser();
    const state = await bareState(browser);
    await browser.send("GET", `/api/oauth/github/authorize?state=${state}`);
    const callback = await callbackOf("forum", state);
    expect(await browser.call("GET", callback)).toMatchObject(invalidState);
  });
});

describe("a provider that is mixed up with another", () => {
  test("hazard F8 never gets a code that says it is another issuer's", async () => {
    const browser = newBrowser();
    const state = await bareState(browser);
    const { searchParams } = await atProvider(ownAddress("corp", state));
    const brought = new URLSearchParams({
      code: searchParams.get("code") ?? "",
      state,
      iss: issuer.url,
    });
    const askedBefore = forum.asked.length;
    expect(await browser.call("GET", `/api/oauth/forum?${brought}`)).toMatchObject(refused);
    expect(forum.asked).toHaveLength(askedBefore);
    expect(await browser.isSignedIn()).toBe(false);
  });

  test("hazard F8 opens no account with another's code", async () => {
    for (const [maker, path] of [
      ["github", "forum"],
      ["forum", "corp"],
      ["corp", "github"],
    ] as const) {
      const browser = newBrowser();
      const state = await bareState(browser);
      const { search } = await atProvider(ownAddress(maker, state));
      expect(await browser.call("GET", `/api/oauth/${path}${search}`)).toMatchObject(refused);
      expect(await browser.isSignedIn()).toBe(false);
      // The state is used up by the attempt.
      expect(await browser.call("GET", `/api/oauth/${maker}${search}`)).toMatchObject(invalidState);
    }
  });
});

test.each(["github", "corp"] as const)(
  "hazard F8 a code of %s that was stolen from a sign-in with a challenge is refused with a bare state",
  async (provider) => {
    const victim = newBrowser();
    const stolen = new URL(await fetchCallback(victim, provider), origin).searchParams.get("code");
    const thief = newBrowser();
    const query = new URLSearchParams({ code: stolen ?? "", state: await bareState(thief) });
    expect(await thief.call("GET", `/api/oauth/${provider}?${query}`)).toMatchObject(refused);
    expect(await thief.isSignedIn()).toBe(false);
  },
);
