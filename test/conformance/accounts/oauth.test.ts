// Signing in through a code host, a chat platform and a community forum, each with a stand-in that
// speaks its wire.
import { describe, expect, test } from "bun:test";
import { Browser, password, type Answered } from "../../harness/browser.ts";
import { enrolApp, secondHalf } from "../../harness/factors/sign-in.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { clientId, clientSecret } from "../../harness/oauth/code-book.ts";
import { Discord } from "../../harness/oauth/discord.ts";
import { Discourse } from "../../harness/oauth/discourse.ts";
import { Github } from "../../harness/oauth/github.ts";
import { atProvider, fetchCallback, fromProvider, visit } from "../../harness/oauth/visit.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface State extends Answered {
  data: string;
  authorize_url: string | null;
}

interface Self {
  id: string;
  username: string;
  role: string;
}

interface Identity {
  id: string;
  provider: string;
  username: string;
  display_name: string;
}

const github = kept(new Github());
const discord = kept(new Discord());
const forum = kept(new Discourse());
let people = 0;

const providers = [
  github.config("github", "github"),
  discord.config("discord", "discord"),
  forum.config("forum", "discourse"),
];

function configOf(registration: string, listed: readonly string[] = providers): string {
  const lines = listed.map((provider) => `    - ${provider}`);
  const oauth = ["oauth:", "  providers:", ...lines].join("\n");
  return `sandbox: "off"\naccounts: { registration: ${registration} }\n${oauth}\n`;
}

const gateway = useStand(() => startGateway({ needsPublicUrl: true, config: configOf("open") }));

/** Someone new at the code host, in a browser of their own. */
function newcomer(at: Gateway = gateway): Browser {
  people++;
  const login = `person-${people}-${crypto.randomUUID().slice(0, 8)}`;
  github.user = { id: 1_000_000 + people, login, name: `Person ${people}`, email: null };
  return new Browser(at.url);
}

/** The answer of the callback, as a program reads it. */
async function signIn(browser: Browser, provider = "github", query = ""): Promise<Answered> {
  return await browser.call("GET", await fetchCallback(browser, provider, query));
}

async function identitiesOf(browser: Browser): Promise<Identity[]> {
  const path = "/api/user/self/identities";
  return (await browser.ask<{ items: Identity[] }>("GET", path)).items;
}

/** Someone with an account and a password, signed in. */
async function newMember(at: Gateway = gateway): Promise<{ self: Self; browser: Browser }> {
  const username = `member-${crypto.randomUUID().slice(0, 8)}`;
  await at.control("POST", "/api/user", { username, password });
  const browser = await new Browser(at.url).signIn(username);
  return { browser, self: await browser.ask<Self>("GET", "/api/user/self") };
}

describe("the state", () => {
  test("U1 is a fresh text in data, with a cookie that ties it to the browser", async () => {
    const browser = new Browser(gateway.url);
    const response = await browser.send("GET", "/api/oauth/state");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie().join()).toMatch(
      /^sluice-oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const first = (await response.json()) as State;
    expect(first).toEqual({
      success: true,
      message: "",
      data: expect.stringMatching(/^[\w-]{43}$/),
      authorize_url: null,
    });
    const bound = browser.cookies.get("sluice-oauth");
    const second = (await browser.call("GET", "/api/oauth/state")) as State;
    expect(second.data).not.toBe(first.data);
    expect(browser.cookies.get("sluice-oauth")).toBe(bound ?? "");
  });

  test("U1 for a provider comes with the address that the browser goes to", async () => {
    const browser = new Browser(gateway.url);
    const state = (await browser.call("GET", "/api/oauth/state?provider=github")) as State;
    const url = new URL(state.authorize_url ?? "");
    expect(url.origin + url.pathname).toBe(`${github.url}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: `${gateway.url}/api/oauth/github`,
      state: state.data,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("U1 of no provider yet is taken to one by its authorize address", async () => {
    const browser = newcomer();
    const { data } = (await browser.call("GET", "/api/oauth/state")) as State;
    const path = `/api/oauth/github/authorize?state=${data}`;
    const away = await browser.send("GET", path);
    expect(away.status).toBe(303);
    const { pathname, search } = await atProvider(away.headers.get("location") ?? "");
    expect(search).toContain(`state=${data}`);
    expect(await browser.call("GET", pathname + search)).toMatchObject({ success: true });
  });

  test("U1 is given where no provider is configured, and for the only one where there is one", async () => {
    await using none = await startGateway({ needsPublicUrl: true, config: 'sandbox: "off"\n' });
    const state = await new Browser(none.url).call("GET", "/api/oauth/state");
    expect(state).toMatchObject({ success: true, message: "", authorize_url: null });
    await using one = await startGateway({
      needsPublicUrl: true,
      config: configOf("open", providers.slice(0, 1)),
    });
    const own = (await new Browser(one.url).call("GET", "/api/oauth/state")) as State;
    expect(own.authorize_url).toStartWith(`${github.url}/login/oauth/authorize?`);
  });

  test("U1 of a provider that is not there is refused", async () => {
    for (const path of ["state?provider=gitlab", "gitlab/authorize", "gitlab?code=c&state=s"]) {
      const answer = await new Browser(gateway.url).call("GET", `/api/oauth/${path}`);
      expect(answer).toMatchObject({ success: false, code: "not_found", param: "provider" });
    }
  });
});

test("U2 a sign-in page learns which providers there are, and nothing else of them", async () => {
  const answer = await new Browser(gateway.url).call("GET", "/api/oauth");
  expect(answer).toEqual({
    success: true,
    message: "",
    data: [
      { name: "github", type: "github" },
      { name: "discord", type: "discord" },
      { name: "forum", type: "discourse" },
    ],
  });
});

describe("signing in", () => {
  test.each(["github", "discord", "forum"])("U2 through %s makes an account once", async (name) => {
    const browser = newcomer();
    const answer = await signIn(browser, name);
    const wanted = { role: "user", group: "default", quota_micros: 0, used_micros: 0 };
    expect(answer).toMatchObject({ success: true, message: "", data: wanted });
    const self = await browser.ask<Self>("GET", "/api/user/self");
    expect(answer.data).toEqual(self);
    const again = new Browser(gateway.url);
    expect((await signIn(again, name)).data).toEqual(self);
    const { display_name, ...identity } = (await identitiesOf(again))[0] ?? { display_name: "" };
    expect(identity).toMatchObject({ provider: name });
    expect(display_name).not.toBe("");
  });

  test("U2 by links alone ends at a page of the gateway, signed in", async () => {
    const browser = newcomer();
    const response = await visit(browser, "github");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const self = await browser.ask<Self>("GET", "/api/user/self");
    expect(self.username).toBe(github.user.login);
  });

  test("U2 a person who is refused ends at the same page, which is told why", async () => {
    const path = "/api/oauth/github?code=made-up&state=made-up";
    const browser = new Browser(gateway.url);
    const response = await browser.send("GET", path, undefined, fromProvider);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/?oauth_error=invalid_state");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("U2 the gateway speaks each provider's wire", async () => {
    const browser = newcomer();
    await signIn(browser, "github");
    const [token, user] = github.asked.slice(-2);
    expect(token?.headers.get("accept")).toBe("application/json");
    expect(token?.form.get("client_secret")).toBe(clientSecret);
    expect(token?.form.get("code_verifier")).toMatch(/^[\w-]{43}$/);
    expect(user?.headers.get("user-agent")).toBe("sluice");
    await signIn(new Browser(gateway.url), "forum");
    const exchanged = forum.asked.at(-2);
    expect(exchanged?.form.has("client_secret")).toBe(false);
  });

  test("U2 is refused when the person declines, or the provider does not vouch or answer", async () => {
    const browser = newcomer();
    const { data: state } = (await browser.call(
      "GET",
      "/api/oauth/state?provider=github",
    )) as State;
    const declined = `/api/oauth/github?error=access_denied&error_description=no&state=${state}`;
    expect(await browser.call("GET", declined)).toMatchObject({
      success: false,
      code: "provider_refused",
      message: "The provider did not confirm who you are.",
    });
    const replies: [() => Response, string][] = [
      [() => Response.json({ error: "bad_verification_code" }), "provider_refused"],
      [() => new Response("<html>", { status: 502 }), "provider_refused"],
      [() => Response.redirect(`${github.url}/elsewhere`), "provider_refused"],
      [() => new Response("x".repeat(2 * 1024 * 1024)), "do_request_failed"],
    ];
    for (const [instead, code] of replies) {
      github.instead = instead;
      expect(await signIn(browser)).toMatchObject({ success: false, code });
    }
    github.instead = null;
    expect(await browser.isSignedIn()).toBe(false);
    forum.user = { ...forum.user, id: 999, active: false };
    expect(await signIn(browser, "forum")).toMatchObject({ code: "provider_refused" });
    forum.user = { ...forum.user, id: 124, active: true };
  });

  test("U2 the name is the provider's, in our letters, and never one that is taken", async () => {
    const names: [string, RegExp][] = [
      ["root", /^root-[0-9a-f]{8}$/],
      ["Root", /^Root-[0-9a-f]{8}$/],
      ["ann@corp.example", /^ann$/],
      ["héllo wörld!", /^h-llo-w-rld$/],
      ["名前", /^github-user$/],
      ["../../etc", /^etc$/],
    ];
    for (const [login, wanted] of names) {
      const browser = newcomer();
      github.user = { ...github.user, login };
      const { data } = await signIn(browser);
      expect((data as Self).username).toMatch(wanted);
    }
  });

  test("U2 someone who was renamed there is the same here", async () => {
    const browser = newcomer();
    const { data: before } = await signIn(browser);
    github.user = { ...github.user, login: "renamed", name: "New Name" };
    const { data: after } = await signIn(new Browser(gateway.url));
    expect(after).toEqual(before);
    expect(await identitiesOf(browser)).toMatchObject([
      { username: "renamed", display_name: "New Name" },
    ]);
  });

  test("U2 a disabled account does not open, and its provider does not make another", async () => {
    const browser = newcomer();
    const { data } = await signIn(browser);
    const { id } = data as Self;
    await gateway.control("PATCH", `/api/user/${id}`, { status: "disabled" });
    expect(await signIn(new Browser(gateway.url))).toMatchObject({
      success: false,
      code: "permission_denied",
    });
    await gateway.control("PATCH", `/api/user/${id}`, { status: "enabled" });
    expect((await signIn(new Browser(gateway.url))).data).toMatchObject({ id });
  });
});

describe("linking", () => {
  test("U2 someone who is signed in gets another way into the same account", async () => {
    const { self, browser } = await newMember();
    newcomer();
    const before = browser.cookies.get("sluice-session");
    expect((await signIn(browser)).data).toEqual(self);
    expect(browser.cookies.get("sluice-session")).not.toBe(before ?? "");
    const [identity] = await identitiesOf(browser);
    expect(identity).toMatchObject({ provider: "github", username: github.user.login });
    expect((await signIn(new Browser(gateway.url))).data).toEqual(self);
    expect(await signIn(browser)).toMatchObject({ success: true });
    expect(await identitiesOf(browser)).toHaveLength(1);
  });

  test("U2 by links alone works too", async () => {
    const { self, browser } = await newMember();
    newcomer();
    const response = await visit(browser, "github");
    expect(response.headers.get("location")).toBe("/");
    expect(await browser.ask<Self>("GET", "/api/user/self")).toEqual(self);
    expect(await identitiesOf(browser)).toHaveLength(1);
  });

  test("U2 an identity belongs to one account", async () => {
    const { browser: first } = await newMember();
    const { browser: second, self } = await newMember();
    newcomer();
    await signIn(first);
    expect(await signIn(second)).toMatchObject({ success: false, code: "conflict" });
    expect(await second.ask<Self>("GET", "/api/user/self")).toEqual(self);
    expect(await identitiesOf(second)).toEqual([]);
  });

  test("U2 an identity is unlinked, which ends the account's other sessions", async () => {
    const { self, browser } = await newMember();
    newcomer();
    await signIn(browser);
    const elsewhere = new Browser(gateway.url);
    await signIn(elsewhere);
    const [identity] = await identitiesOf(browser);
    const path = `/api/user/self/identities/${identity?.id}`;
    expect(await browser.ask("DELETE", path)).toEqual({ id: identity?.id });
    expect([await browser.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, false]);
    expect(await identitiesOf(browser)).toEqual([]);
    expect(await browser.call("DELETE", path)).toMatchObject({ success: false, code: "not_found" });
    const { data } = await signIn(new Browser(gateway.url));
    expect((data as Self).id).not.toBe(self.id);
  });

  test("U2 the last way into an account stays", async () => {
    const browser = newcomer();
    await signIn(browser);
    const [first] = await identitiesOf(browser);
    const refused = await browser.call("DELETE", `/api/user/self/identities/${first?.id}`);
    expect(refused).toMatchObject({ success: false, code: "conflict" });
    discord.user = { ...discord.user, id: `${people}0000000001` };
    await signIn(browser, "discord");
    await browser.ask("DELETE", `/api/user/self/identities/${first?.id}`);
    expect(await identitiesOf(browser)).toMatchObject([{ provider: "discord" }]);
  });
});

test("U2 an account with a second factor opens with that one, in this browser alone", async () => {
  const { self, browser } = await newMember();
  newcomer();
  await signIn(browser);
  const { app } = await enrolApp(browser);
  const elsewhere = new Browser(gateway.url);
  const half = await signIn(elsewhere);
  expect(half).toMatchObject({ success: true, data: { second_factor: ["totp"] } });
  expect(await elsewhere.isSignedIn()).toBe(false);
  const { ticket } = half.data as { ticket: string };
  const thief = await secondHalf(new Browser(gateway.url), { ticket, code: app.wrong() });
  expect(thief).toMatchObject({ success: false, code: "invalid_state" });
  const whole = await secondHalf(elsewhere, { ticket, code: app.next() });
  expect(whole).toMatchObject({ success: true, data: { id: self.id } });
  const response = await visit(new Browser(gateway.url), "github");
  expect(response.headers.get("location")).toMatch(/^\/#second_factor=totp&ticket=[^&]+$/);
});

describe("where registration is not open", () => {
  test("U2 nobody new gets in, and whoever linked an identity does", async () => {
    await using closed = await startGateway({ needsPublicUrl: true, config: configOf("off") });
    const stranger = newcomer(closed);
    const refused = await signIn(stranger);
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
    expect(await stranger.isSignedIn()).toBe(false);
    const { browser, self } = await newMember(closed);
    await signIn(browser);
    expect((await signIn(new Browser(closed.url))).data).toEqual(self);
    const users = await closed.control<{ total: number }>("GET", "/api/user");
    expect(users.total).toBe(2);
  });

  test("U2 with invitations a code lets in as many as it says", async () => {
    await using invited = await startGateway({
      needsPublicUrl: true,
      config: configOf("invitation"),
    });
    const { code } = await invited.control<{ code: string }>("POST", "/api/invitation", {});
    const refused = { success: false, code: "invalid_request", param: "invitation" };
    const first = newcomer(invited);
    expect(await signIn(first)).toMatchObject(refused);
    expect(await signIn(first, "github", "&invitation=guessed")).toMatchObject(refused);
    const query = `&invitation=${code}`;
    expect(await signIn(first, "github", query)).toMatchObject({ success: true });
    expect(await signIn(new Browser(invited.url))).toMatchObject({ success: true });
    const second = newcomer(invited);
    expect(await signIn(second, "github", query)).toMatchObject(refused);
    const other = await invited.control<{ code: string }>("POST", "/api/invitation", {});
    const response = await visit(second, "github", `?invitation=${other.code}`);
    expect(response.headers.get("location")).toBe("/");
    expect(await second.isSignedIn()).toBe(true);
  });
});

test("U2 a provider's secret may come from the environment, and identities outlive a restart", async () => {
  const bare = github.config("code-host", "github").replace(`client_secret: ${clientSecret}, `, "");
  const config = configOf("open", [bare]);
  const environment = { SLUICE_OAUTH_CODE_HOST_SECRET: clientSecret };
  await using first = await startGateway({ needsPublicUrl: true, config, environment });
  const browser = newcomer(first);
  const { data } = await signIn(browser, "code-host");
  await first.stop();
  await using second = await startGateway({
    needsPublicUrl: true,
    config,
    environment,
    folder: first.folder,
  });
  expect((await signIn(new Browser(second.url), "code-host")).data).toEqual(data);
});

describe("an account that a site made", () => {
  test("gets a first password from who is signed in, which ends its other sessions", async () => {
    const browser = newcomer();
    const { data } = await signIn(browser);
    const { id, username } = data as Self;
    const other = new Browser(gateway.url);
    await signIn(other);
    const { token } = await browser.ask<{ token: string }>("POST", "/api/access-token");
    const body = { new_password: password };
    const path = "/api/user/password";
    const byToken = await gateway.controlEnvelope("POST", path, body, token);
    expect(byToken).toMatchObject({ success: false, code: "permission_denied" });
    await browser.ask("POST", path, body);
    expect([await browser.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
    await new Browser(gateway.url).signIn(username);
    const again = await browser.call("POST", path, { new_password: `${password} two` });
    expect(again).toMatchObject({ success: false, param: "current_password" });
    const found = await gateway.control<{ items: object[] }>(
      "GET",
      `/api/audit?target_id=${id}&action=user.register`,
    );
    expect(found.items).toMatchObject([{ carrier: "visitor", changes: { provider: "github" } }]);
    const identities = await gateway.control<{ items: Identity[] }>(
      "GET",
      `/api/user/${id}/identities`,
    );
    const identity = identities.items[0]?.id ?? "";
    await gateway.control("DELETE", `/api/user/${id}/identities/${identity}`);
    expect(await browser.isSignedIn()).toBe(false);
  });
});
