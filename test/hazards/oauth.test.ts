// Attacks on signing in through providers: states that were stolen, swapped or kept, codes that
// were injected, and pages that send people somewhere else. What issuers may do is beside it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, password, type Answered } from "../harness/browser.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { clientSecret } from "../harness/oauth/code-book.ts";
import { Discourse } from "../harness/oauth/discourse.ts";
import { Github } from "../harness/oauth/github.ts";
import { LyingIssuer } from "../harness/oauth/lying-issuer.ts";
import {
  atProvider,
  fetchCallback,
  fromProvider,
  navigation,
  visit,
} from "../harness/oauth/visit.ts";
import { assertUp, eventually, filesWith, visible } from "./observe.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
const boundName = "__Host-sluice-oauth";
const sessionName = "__Host-sluice-session";
const github = new Github();
const forum = new Discourse();
let liar: LyingIssuer;
let gateway: Gateway;
let addresses = 0;
let people = 0;

beforeAll(async () => {
  liar = await LyingIssuer.start();
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${origin}", trust_proxy: true }`,
    "log: { requests: true, level: debug }",
    "accounts: { registration: open }",
    "oauth:",
    "  providers:",
    `    - ${github.config("github", "github")}`,
    `    - ${forum.config("forum", "discourse")}`,
    `    - ${liar.config("liar")}`,
  ];
  gateway = await startGateway({ config: `${config.join("\n")}\n` });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  for (const standIn of [github, forum, liar]) standIn[Symbol.dispose]();
});

function newBrowser(): Browser {
  addresses++;
  const ip = `198.51.100.${addresses % 250}`;
  return new Browser(gateway.url, { origin, headers: { "x-forwarded-for": ip } });
}

/** From now on somebody else is signed in at the code host. */
function newPerson(): void {
  people++;
  const login = `person-${crypto.randomUUID().slice(0, 8)}`;
  github.user = { id: 2_000_000 + people, login, name: null, email: null };
}

interface Member {
  id: string;
  username: string;
  at: Browser;
}

async function newMember(): Promise<Member> {
  const username = `member-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  return { id, username, at: await newBrowser().signIn(username) };
}

/** A browser in front of a callback, as a program reads it. */
async function finish(at: Browser, path: string): Promise<Answered> {
  return await at.call("GET", path, undefined, { "sec-fetch-site": "cross-site" });
}

async function signIn(at: Browser, provider = "github"): Promise<Answered> {
  return await finish(at, await fetchCallback(at, provider));
}

async function usersTotal(): Promise<number> {
  return (await gateway.control<{ total: number }>("GET", "/api/user")).total;
}

const refusedState: Answered = {
  success: false,
  data: undefined,
  message: "This was not begun in this browser, is over or was used already. Begin again.",
  code: "invalid_state",
  param: null,
};

describe("the state", () => {
  test("hazard F1 F11 is bound by a cookie that no other host can plant", async () => {
    const response = await newBrowser().send("GET", "/api/oauth/state?provider=github");
    expect(response.headers.getSetCookie().join()).toMatch(
      /^__Host-sluice-oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("hazard F1 a state that is missing, made up, doubled or huge is refused alike", async () => {
    newPerson();
    const at = newBrowser();
    const callback = await fetchCallback(at, "github");
    const { searchParams } = new URL(callback, origin);
    const { code = "", state = "" } = Object.fromEntries(searchParams);
    const queries = [
      `code=${code}`,
      `code=${code}&state=`,
      `code=${code}&state=${"A".repeat(43)}`,
      `code=${code}&state=${state}x`,
      `code=${code}&state=${state.slice(0, -1)}`,
      `code=${code}&state=${state.toLowerCase()}`,
      `code=${code}&state=${state}&state=${state}`,
      `code=${code}&state=${"x".repeat(10_000)}`,
    ];
    for (const query of queries) {
      expect(await finish(at, `/api/oauth/github?${query}`)).toEqual(refusedState);
    }
    expect(await finish(at, callback)).toMatchObject({ success: true });
  });

  test("hazard F1 F3 a state and its code are good for once", async () => {
    newPerson();
    const at = newBrowser();
    const callback = await fetchCallback(at, "github");
    const bound = at.cookies.get(boundName) ?? "";
    expect(await finish(at, callback)).toMatchObject({ success: true });
    at.cookies.set(boundName, bound);
    expect(await finish(at, callback)).toEqual(refusedState);
    const { searchParams } = new URL(callback, origin);
    const other = newBrowser();
    const { data } = await other.call("GET", "/api/oauth/state?provider=github");
    const replayed = `/api/oauth/github?code=${searchParams.get("code")}&state=${String(data)}`;
    expect(await finish(other, replayed)).toMatchObject({ code: "provider_refused" });
    expect(await other.isSignedIn()).toBe(false);
  });

  test("hazard F3 of twenty callbacks at once one gets a session and one account is made", async () => {
    newPerson();
    const at = newBrowser();
    const before = await usersTotal();
    const callback = await fetchCallback(at, "github");
    const cookie = `${boundName}=${at.cookies.get(boundName)}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => newBrowser().call("GET", callback, undefined, { cookie })),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const others = answers.filter(({ success }) => !success);
    for (const answer of others) expect(answer).toEqual(refusedState);
    expect((await usersTotal()) - before).toBe(1);
  });

  test("hazard F3 one person in many tabs at once gets one account", async () => {
    newPerson();
    const before = await usersTotal();
    const browsers = Array.from({ length: 8 }, newBrowser);
    const answers = await Promise.all(browsers.map((at) => signIn(at)));
    const ids = new Set(answers.map(({ data }) => (data as { id: string }).id));
    expect(ids.size).toBe(1);
    expect((await usersTotal()) - before).toBe(1);
  });

  test("hazard F1 in another browser it is worth nothing, and its owner can still use it", async () => {
    newPerson();
    const owner = newBrowser();
    const callback = await fetchCallback(owner, "github");
    const [bare, bound] = [newBrowser(), newBrowser()];
    await bound.call("GET", "/api/oauth/state?provider=github");
    for (const thief of [bare, bound]) {
      expect(await finish(thief, callback)).toEqual(refusedState);
      expect(await thief.isSignedIn()).toBe(false);
    }
    expect(await finish(owner, callback)).toMatchObject({ success: true });
  });

  test("hazard F1 F8 it is not good at another provider, nor a code of one at the other", async () => {
    newPerson();
    const at = newBrowser();
    const callback = await fetchCallback(at, "github");
    const swapped = callback.replace("/api/oauth/github", "/api/oauth/forum");
    const asked = forum.asked.length;
    expect(await finish(at, swapped)).toEqual(refusedState);
    expect(await finish(at, callback)).toEqual(refusedState);
    expect(forum.asked).toHaveLength(asked);
    const unbound = await at.call("GET", "/api/oauth/state");
    const path = `/api/oauth/github/authorize?state=${String(unbound.data)}`;
    await at.send("GET", path);
    const other = path.replace("github", "forum");
    expect(await at.call("GET", other)).toEqual(refusedState);
  });

  test("hazard F19 two cookies for one browser are none", async () => {
    newPerson();
    const at = newBrowser();
    const callback = await fetchCallback(at, "github");
    const bound = at.cookies.get(boundName) ?? "";
    const cookies = [
      `${boundName}=${bound}; ${boundName}=planted`,
      `sluice-oauth=${bound}`,
      `__Secure-sluice-oauth=${bound}`,
    ];
    for (const cookie of cookies) {
      expect(await newBrowser().call("GET", callback, undefined, { cookie })).toEqual(refusedState);
    }
  });

  test("hazard I6 a flood of states is slowed for its address alone", async () => {
    const flooder = newBrowser();
    const codes: (string | undefined)[] = [];
    for (let at = 0; at < 200 * gateway.nodeUrls.length; at++)
      codes.push((await flooder.call("GET", "/api/oauth/state")).code);
    expect(codes.slice(0, 100).every((code) => code === undefined)).toBe(true);
    // One a second is let through all the while, on a slow machine perhaps the last.
    const slowed = codes.filter((code) => code === "rate_limit_exceeded");
    expect(slowed.length).toBeGreaterThan(50);
    expect((await newBrowser().call("GET", "/api/oauth/state")).success).toBe(true);
  });
});

describe("pages of others", () => {
  test("hazard F2 an attacker's code and state sign nobody else in", async () => {
    newPerson();
    const attacker = newBrowser();
    const callback = await fetchCallback(attacker, "github");
    const victim = await newMember();
    const session = victim.at.cookies.get(sessionName);
    const response = await victim.at.send("GET", callback, undefined, fromProvider);
    expect(response.headers.get("location")).toBe("/?oauth_error=invalid_state");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(victim.at.cookies.get(sessionName)).toBe(session ?? "");
    expect(await victim.at.ask("GET", "/api/user/self")).toMatchObject({ id: victim.id });
    expect(await victim.at.ask("GET", "/api/user/self/identities")).toMatchObject({ total: 0 });
  });

  test("hazard F2 no page of another begins to sign in", async () => {
    for (const site of ["cross-site", "same-site"]) {
      for (const path of ["state?provider=github", "github/authorize"]) {
        const headers = { "sec-fetch-site": site };
        const answer = await newBrowser().call("GET", `/api/oauth/${path}`, undefined, headers);
        expect(answer.code).toBe("cross_site_request");
      }
      const link = { ...navigation, "sec-fetch-site": site };
      const path = "/api/oauth/github/authorize";
      const response = await newBrowser().send("GET", path, undefined, link);
      expect(response.headers.get("location")).toBe("/?oauth_error=cross_site_request");
    }
  });

  test("hazard F6 linking begins on a page of the gateway, not in a mail or by another's page", async () => {
    const { at } = await newMember();
    const bare = { "content-type": "" };
    const links: Record<string, string>[] = [
      { ...bare, "sec-fetch-site": "none" },
      { ...bare, "sec-fetch-site": "" },
      { ...bare, "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "", origin: "https://evil.example" },
    ];
    for (const headers of links) {
      for (const path of ["state?provider=github", "github/authorize"]) {
        const answer = await at.call("GET", `/api/oauth/${path}`, undefined, headers);
        expect([headers, answer.code]).toEqual([headers, "cross_site_request"]);
      }
    }
  });

  test("hazard F14 no other page unlinks an identity", async () => {
    const { at } = await newMember();
    newPerson();
    await signIn(at);
    const { items } = await at.ask<{ items: { id: string }[] }>("GET", "/api/user/self/identities");
    const path = `/api/user/self/identities/${items[0]?.id}`;
    const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const answer = await at.call("DELETE", path, undefined, evil);
    expect(answer.code).toBe("cross_site_request");
    expect(await at.ask("GET", "/api/user/self/identities")).toMatchObject({ total: 1 });
  });

  test("hazard F4 nothing in a request says where a browser is sent in the end", async () => {
    const targets = [
      "//evil.example",
      "/\\evil.example",
      "https:evil.example",
      "javascript:alert(1)",
    ];
    const names = ["redirect", "redirect_uri", "next", "return_to", "landing", "url", "continue"];
    for (const target of [...targets, "https://evil.example/"]) {
      newPerson();
      const at = newBrowser();
      const said = Object.fromEntries(names.map((name) => [name, target]));
      const query = new URLSearchParams(said).toString();
      const path = `/api/oauth/github/authorize?${query}`;
      const away = await at.send("GET", path, undefined, navigation);
      const to = new URL(away.headers.get("location") ?? "");
      expect(to.origin).toBe(github.url);
      expect(to.searchParams.get("redirect_uri")).toBe(`${origin}/api/oauth/github`);
      const back = await atProvider(to.href);
      const home = `${back.pathname}${back.search}&${query}`;
      const response = await at.send("GET", home, undefined, fromProvider);
      expect(response.headers.get("location")).toBe("/");
      const refused = await newBrowser().send("GET", home, undefined, fromProvider);
      expect(refused.headers.get("location")).toBe("/?oauth_error=invalid_state");
    }
  });

  test("hazard F5 where providers send browsers to comes from the configuration, never a header", async () => {
    const hosts: Record<string, string>[] = [
      { host: "evil.example" },
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
      { forwarded: "host=evil.example" },
      { origin: "", referer: "https://evil.example/" },
    ];
    for (const headers of hosts) {
      const path = "/api/oauth/github/authorize";
      const away = await newBrowser().send("GET", path, undefined, { ...navigation, ...headers });
      const to = new URL(away.headers.get("location") ?? "");
      expect(to.searchParams.get("redirect_uri")).toBe(`${origin}/api/oauth/github`);
    }
    const config = `sandbox: "off"\noauth: { providers: [${github.config("github", "github")}] }\n`;
    await using bare = await startGateway({ config });
    for (const host of ["evil.example", "localhost:1"]) {
      const at = new Browser(bare.url);
      const answer = await at.call("GET", "/api/oauth/state", undefined, { host });
      expect(answer.success).toBe(false);
      expect(JSON.stringify(answer)).not.toContain("evil.example");
    }
  });
});

describe("accounts", () => {
  test("hazard F6 a name or an e-mail address of an account's owner opens nothing", async () => {
    const victim = await newMember();
    newPerson();
    github.user = {
      ...github.user,
      login: victim.username,
      email: `${victim.username}@corp.example`,
    };
    const at = newBrowser();
    const { data } = await signIn(at);
    expect((data as { id: string }).id).not.toBe(victim.id);
    expect((data as { username: string }).username).not.toBe(victim.username);
    github.user = { ...github.user, id: github.user.id + 500_000 };
    liar.lies = { claims: { sub: "liar-email", email: "root@corp.example", email_verified: true } };
    const { data: other } = await signIn(newBrowser(), "liar");
    expect(other).toMatchObject({ role: "user" });
    liar.lies = {};
  });

  test("hazard F6 a login that was given to somebody else is somebody else", async () => {
    newPerson();
    const { data: first } = await signIn(newBrowser());
    github.user = { ...github.user, id: github.user.id + 700_000 };
    const { data: second } = await signIn(newBrowser());
    expect((second as { id: string }).id).not.toBe((first as { id: string }).id);
  });

  test("hazard F6 what one account began another does not end, nor one that signed out", async () => {
    newPerson();
    const alice = await newMember();
    const bob = await newMember();
    const callback = await fetchCallback(alice.at, "github");
    const session = alice.at.cookies.get(sessionName) ?? "";
    alice.at.cookies.set(sessionName, bob.at.cookies.get(sessionName) ?? "");
    expect(await finish(alice.at, callback)).toEqual(refusedState);
    expect(await bob.at.ask("GET", "/api/user/self/identities")).toMatchObject({ total: 0 });
    alice.at.cookies.set(sessionName, session);
    const again = await fetchCallback(alice.at, "github");
    await alice.at.ask("POST", "/api/user/logout");
    expect(await finish(alice.at, again)).toEqual(refusedState);
    expect(await alice.at.isSignedIn()).toBe(false);
  });

  test("hazard F10 a session that was there before is not taken over", async () => {
    newPerson();
    const planted = (await newMember()).at.cookies.get(sessionName) ?? "";
    for (const value of [planted, "sst-made-up"]) {
      const at = newBrowser();
      const callback = await fetchCallback(at, "github");
      at.cookies.set(sessionName, value);
      expect(await finish(at, callback)).toMatchObject({ success: true });
      expect(at.cookies.get(sessionName)).not.toBe(value);
      expect(at.cookies.get(sessionName)).toMatch(/^sst-[\w-]{43}$/);
    }
    const member = await newMember();
    const before = member.at.cookies.get(sessionName) ?? "";
    newPerson();
    await signIn(member.at);
    expect(await member.at.isSignedIn()).toBe(true);
    for (const old of [planted, before]) {
      const thief = newBrowser();
      thief.cookies.set(sessionName, old);
      expect(await thief.isSignedIn()).toBe(false);
    }
  });

  test("hazard F10 a cookie that someone planted binds no state", async () => {
    const at = newBrowser();
    at.cookies.set(boundName, "planted-by-someone-else-0123456789abcdefghij");
    await at.call("GET", "/api/oauth/state?provider=github");
    expect(at.cookies.get(boundName)).not.toStartWith("planted");
    newPerson();
    const bound = at.cookies.get(boundName);
    await signIn(at);
    await at.ask("POST", "/api/user/logout");
    await at.call("GET", "/api/oauth/state?provider=github");
    expect(at.cookies.get(boundName)).not.toBe(bound ?? "");
  });

  test("A9 hazard G1 an identity of another is like one that is not there", async () => {
    newPerson();
    const { at: alice } = await newMember();
    await signIn(alice);
    const { items } = await alice.ask<{ items: { id: string }[] }>(
      "GET",
      "/api/user/self/identities",
    );
    const { at: bob } = await newMember();
    const path = "/api/user/self/identities";
    const answer = await bob.call("DELETE", `${path}/${items[0]?.id}`);
    expect(answer).toMatchObject({ success: false, code: "not_found" });
    for (const id of ["idn_00000000000000000000000000", "x", "ses_00000000000000000000000000"]) {
      expect(await bob.call("DELETE", `${path}/${id}`)).toEqual(answer);
    }
    expect(JSON.stringify(await bob.ask("GET", path))).not.toContain(items[0]?.id ?? "");
    expect(await alice.ask("GET", path)).toMatchObject({ total: 1 });
  });

  test("hazard F17 who has an account is not told to those who only have a state", async () => {
    newPerson();
    const known = newBrowser();
    await signIn(known);
    const answers = new Set<string>();
    for (const path of [
      "/api/oauth/github?code=x&state=x",
      "/api/oauth/github?code=x",
      "/api/oauth/forum?state=x",
      "/api/oauth/liar?code=x&state=x&iss=x",
    ]) {
      for (const at of [newBrowser(), known])
        answers.add(await visible(await at.send("GET", path)));
    }
    expect(answers.size).toBe(1);
  });

  test("hazard A2 H2 no code, state, token or secret is written down anywhere", async () => {
    newPerson();
    const at = newBrowser();
    const callback = await fetchCallback(at, "github");
    const { searchParams } = new URL(callback, origin);
    const bound = at.cookies.get(boundName) ?? "";
    await finish(at, callback);
    const id = github.user.login;
    await eventually(
      async () => gateway.output,
      (text) => text.includes('"message":"registered"'),
    );
    const verifier = github.asked.at(-2)?.form.get("code_verifier") ?? "";
    const token = github.asked.at(-1)?.headers.get("authorization")?.split(" ")[1] ?? "";
    const { code = "", state = "" } = Object.fromEntries(searchParams);
    for (const text of [code, state, bound, verifier, token, clientSecret]) {
      expect(text.length).toBeGreaterThan(15);
      expect(gateway.output).not.toContain(text);
      expect(await filesWith(gateway.folder, text, ["sluice.yaml"])).toEqual([]);
    }
    expect((await filesWith(gateway.folder, id)).length).toBeGreaterThan(0);
  });
});

test("hazard F2 a code of another sign-in is worth nothing in this one", async () => {
  newPerson();
  const stolen = new URL(await fetchCallback(newBrowser(), "github"), origin);
  newPerson();
  const attacker = newBrowser();
  const own = new URL(await fetchCallback(attacker, "github"), origin);
  own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
  expect(await finish(attacker, own.pathname + own.search)).toMatchObject({
    success: false,
    code: "provider_refused",
  });
  expect(await attacker.isSignedIn()).toBe(false);
});

test("hazard F20 every answer of these routes is kept by nobody and read by no other page", async () => {
  newPerson();
  const at = newBrowser();
  const callback = await fetchCallback(at, "github");
  const responses = [
    await at.send("GET", "/api/oauth"),
    await at.send("GET", "/api/oauth/state"),
    await at.send("GET", "/api/oauth/github/authorize"),
    await at.send("GET", callback, undefined, { origin: "https://evil.example" }),
    await at.send("GET", callback),
    await visit(newBrowser(), "github"),
  ];
  for (const { headers } of responses) {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("access-control-allow-origin")).toBe(false);
  }
});
