// Attacks on sessions: planted, stolen, guessed and outlived ones, and pages of others.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../harness/books.ts";
import { Browser, password, untilSlowed, type Answered } from "../harness/browser.ts";
import { rootKey, rootToken, startGateway, type Gateway } from "../harness/gateway.ts";
import { assertUp, filesWith, visible } from "./observe.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
const cookieName = "__Host-sluice-session";
const config = `
sandbox: "off"
server: { public_url: "${origin}", trust_proxy: true }
log: { requests: true, level: debug }
accounts: { registration: open }
`;
let gateway: Gateway;
let addresses = 0;

beforeAll(async () => {
  gateway = await startGateway({ config });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
});

/** An address that nobody has tried from yet. */
function newAddress(): string {
  addresses++;
  return `203.0.113.${addresses}`;
}

function newBrowser(ip: string = newAddress()): Browser {
  return new Browser(gateway.url, { origin, headers: { "x-forwarded-for": ip } });
}

interface Person {
  id: string;
  username: string;
  at: Browser;
}

async function newPerson(role = "user"): Promise<Person> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, role };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  return { id, username, at: await newBrowser().signIn(username) };
}

function secretOf(browser: Browser): string {
  return browser.cookies.get(cookieName) ?? "";
}

/** A browser that was given this cookie. */
function withCookie(value: string, name: string = cookieName): Browser {
  const browser = newBrowser();
  browser.cookies.set(name, value);
  return browser;
}

async function login(at: Browser, username: string, secret: string = password): Promise<Answered> {
  return await at.call("POST", "/api/user/login", { username, password: secret });
}

describe("the cookie", () => {
  test("hazard F11 over https it has its prefix and every flag", async () => {
    const { username } = await newPerson();
    const body = { username, password };
    const response = await newBrowser().send("POST", "/api/user/login", body);
    const [cookie = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const flags = "Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure";
    expect(cookie).toMatch(/^__Host-sluice-session=sst-[\w-]{43}; /);
    expect(cookie).toEndWith(`; ${flags}`);
    expect(cookie.split("; ")).toHaveLength(6);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).not.toContain("sst-");
  });

  test("hazard F11 without https it is set on the machine itself and nowhere else", async () => {
    await using bare = await startGateway({ config: 'sandbox: "off"\n' });
    const body = { username: "root", password: "root password for tests" };
    const at = new Browser(bare.url);
    const response = await at.send("POST", "/api/user/login", body);
    expect(response.headers.getSetCookie().join()).toMatch(
      /^sluice-session=sst-[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    );
    const elsewhere: Record<string, string>[] = [
      { host: "gateway.lan:3000", origin: "http://gateway.lan:3000" },
      { host: "10.0.0.5:3000", origin: "http://10.0.0.5:3000" },
      { "x-forwarded-for": "203.0.113.9" },
      { "x-forwarded-proto": "https", origin: "" },
    ];
    for (const headers of elsewhere) {
      for (const path of ["/api/user/login", "/api/user/register"]) {
        const refused = await new Browser(bare.url).send("POST", path, body, headers);
        expect(refused.headers.getSetCookie()).toEqual([]);
        const answer = (await refused.json()) as Answered;
        expect(answer).toMatchObject({ success: false, code: "permission_denied" });
      }
      expect((await at.call("GET", "/api/user/self", undefined, headers)).success).toBe(false);
    }
    expect(await at.isSignedIn()).toBe(true);
  });

  test("hazard F19 one that another host may have planted does not count", async () => {
    const { at } = await newPerson();
    const secret = secretOf(at);
    expect(await withCookie(secret).isSignedIn()).toBe(true);
    for (const name of ["sluice-session", "__Secure-sluice-session", "__host-sluice-session"]) {
      expect(await withCookie(secret, name).isSignedIn()).toBe(false);
    }
    for (const planted of ["sst-planted", secret]) {
      const cookie = `${cookieName}=${secret}; ${cookieName}=${planted}`;
      const answer = await newBrowser().call("GET", "/api/user/self", undefined, { cookie });
      expect(answer).toMatchObject({ success: false, code: "invalid_api_key" });
    }
  });

  test("hazard A6 a secret counts only in the carrier that it was made for", async () => {
    const { at } = await newPerson();
    const secret = secretOf(at);
    for (const other of [rootToken, rootKey, secret.slice(0, -1), `${secret}x`, "x".repeat(5000)]) {
      expect(await withCookie(other).isSignedIn()).toBe(false);
    }
    const asToken = await gateway.controlEnvelope("GET", "/api/user/self", undefined, secret);
    expect(asToken).toMatchObject({ success: false, code: "invalid_api_key" });
    expect((await gateway.get("/v1/models", secret)).status).toBe(401);
    const cookie = `${cookieName}=${secret}`;
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { cookie } });
    expect(models.status).toBe(401);
  });

  test("hazard A5 a session and a token together are refused, whoever they belong to", async () => {
    const { at } = await newPerson();
    const { token } = await at.ask<{ token: string }>("POST", "/api/access-token");
    for (const secret of [token, rootToken]) {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await at.call("GET", "/api/user/self", undefined, headers);
      expect(answer).toMatchObject({ success: false, code: "conflicting_credentials" });
    }
  });
});

// The specification: "Failure on `/api/*` routes: `success` = false and a message stating the token
// is invalid".
test("A4 a session that has ended is refused as that, whatever else is wrong with the request", async () => {
  const { at } = await newPerson();
  const endedSecret = secretOf(at);
  await at.ask("POST", "/api/user/logout");
  const path = "/api/user/self";
  for (const secret of ["sst-made-up-0123456789abcdef", endedSecret]) {
    const cookie = `${cookieName}=${secret}`;
    const change = { username: "someone" };
    const plain = { cookie, origin: "", "sec-fetch-site": "" };
    expect(await at.call("PATCH", path, change, plain)).toMatchObject({ code: "invalid_api_key" });
    const both = { cookie, authorization: "Bearer sk-unknown-token-0123456789" };
    expect(await at.call("GET", path, undefined, both)).toMatchObject({ code: "invalid_api_key" });
  }
});

describe("the life of a session", () => {
  test("hazard F10 signing in never takes over a session that was there before", async () => {
    const { username, at: attacker } = await newPerson();
    const victim = await newPerson();
    const planted = secretOf(attacker);
    for (const value of [planted, "sst-made-up", ""]) {
      const browser = withCookie(value);
      await browser.signIn(victim.username);
      expect(secretOf(browser)).not.toBe(value);
      expect(await browser.ask("GET", "/api/user/self")).toMatchObject({ id: victim.id });
    }
    expect(await attacker.isSignedIn()).toBe(false);
    await newBrowser().signIn(username);
  });

  test("hazard F10 each signing in and each new password has a session of its own", async () => {
    const { username, at } = await newPerson();
    const seen = new Set([secretOf(at)]);
    await at.signIn(username);
    seen.add(secretOf(at));
    const change = { current_password: password, new_password: password };
    await at.ask("POST", "/api/user/password", change);
    seen.add(secretOf(at));
    expect(seen.size).toBe(3);
    const [first = "", second = "", third = ""] = seen;
    const states = [first, second, third].map((secret) => withCookie(secret).isSignedIn());
    expect(await Promise.all(states)).toEqual([false, false, true]);
  });

  test("hazard F12 an ended session is refused from the very next request on", async () => {
    const ends: ((person: Person) => Promise<unknown>)[] = [
      ({ at }) => at.ask("POST", "/api/user/logout"),
      ({ id }) => gateway.control("PATCH", `/api/user/${id}`, { status: "disabled" }),
      ({ id }) => gateway.control("DELETE", `/api/user/${id}`),
      ({ id }) => gateway.control("PATCH", `/api/user/${id}`, { password: "given by an admin" }),
      ({ id }) => gateway.control("PATCH", `/api/user/${id}`, { role: "admin" }),
      async ({ username }) => {
        const other = await newBrowser().signIn(username);
        const { items } = await other.ask<{ items: { id: string; current: boolean }[] }>(
          "GET",
          "/api/session",
        );
        for (const { id, current } of items) {
          if (!current) await other.ask("DELETE", `/api/session/${id}`);
        }
      },
    ];
    for (const end of ends) {
      const person = await newPerson();
      const stolen = withCookie(secretOf(person.at));
      expect(await stolen.isSignedIn()).toBe(true);
      await end(person);
      expect(await stolen.isSignedIn()).toBe(false);
    }
  });

  test("hazard F13 a session that rests ends, and in the end so does one that does not", async () => {
    const limits = "sessions: { idle_seconds: 4, absolute_seconds: 10 }";
    await using short = await startGateway({ config: `sandbox: "off"\n${limits}\n` });
    const open = () => new Browser(short.url).signIn("root", "root password for tests");
    const resting = await open();
    const busy = await open();
    await eventually("the end of the resting one", async () => {
      const { total } = await busy.ask<{ total: number }>("GET", "/api/session");
      return total === 1 ? total : undefined;
    });
    expect(await resting.isSignedIn()).toBe(false);
    await eventually("the end of the busy one", async () => {
      return (await busy.isSignedIn()) ? undefined : "over";
    });
  });

  test("hazard F13 neither files nor lines of the log hold a session, a token or a password", async () => {
    const { id, username, at } = await newPerson();
    const { token } = await at.ask<{ token: string }>("POST", "/api/access-token");
    const wrong = "a wrong but private password";
    await login(newBrowser(), username, wrong);
    const line = `"message":"sign-in refused","account":"${id}"`;
    await eventually("its line", async () => gateway.output.includes(line) || undefined);
    const secret = secretOf(at);
    for (const text of [secret, token, password, wrong]) {
      for (const form of [text, btoa(text), Buffer.from(text).toString("hex")]) {
        expect(await filesWith(gateway.folder, form.replace(/=+$/, ""))).toEqual([]);
        expect(gateway.output).not.toContain(form);
      }
    }
  });
});

describe("pages of others", () => {
  const own = { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" };

  test("hazard F14 a change by cookie comes from our own page, or it is none", async () => {
    const { at } = await newPerson();
    const foreign: Record<string, string>[] = [
      { ...own, "sec-fetch-site": "cross-site" },
      { ...own, "sec-fetch-site": "same-site" },
      { ...own, "sec-fetch-site": "none", origin: "" },
      { ...own, origin: "https://evil.example" },
      { ...own, origin: "https://gate.example.evil.example" },
      { ...own, origin: "https://gate.example:8443" },
      { ...own, origin: "http://gate.example" },
      { ...own, origin: "null" },
      { ...own, "sec-fetch-site": "", origin: "null" },
      { ...own, "sec-fetch-site": "", origin: "" },
      { ...own, "sec-fetch-site": "", origin: "", referer: `${origin}/console` },
    ];
    for (const headers of foreign) {
      const answer = await at.call("POST", "/api/token", { name: "theirs" }, headers);
      expect([headers, answer.code]).toEqual([headers, "cross_site_request"]);
    }
    const forms = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""];
    for (const type of forms) {
      const headers = { ...own, "content-type": type };
      const answer = await at.call("POST", "/api/token", '{"name":"theirs"}', headers);
      expect([type, answer.code]).toEqual([type, "cross_site_request"]);
    }
    expect(await at.ask("GET", "/api/token")).toMatchObject({ total: 0 });
    const fine: Record<string, string>[] = [
      own,
      { ...own, origin: "" },
      { ...own, "sec-fetch-site": "" },
      { ...own, "sec-fetch-site": "none" },
    ];
    for (const headers of fine) {
      expect((await at.call("POST", "/api/token", { name: "mine" }, headers)).success).toBe(true);
    }
  });

  test("hazard F14 what has no body needs a header that no form can send", async () => {
    const { at } = await newPerson();
    const bare = { "content-type": "" };
    const refused = await at.call("POST", "/api/user/logout", undefined, bare);
    expect(refused.code).toBe("cross_site_request");
    expect(await at.isSignedIn()).toBe(true);
    const asked = { ...bare, "x-requested-with": "console" };
    expect((await at.call("POST", "/api/user/logout", undefined, asked)).success).toBe(true);
  });

  test("hazard F2 nobody is signed in or registered by another's page", async () => {
    const { username } = await newPerson();
    const pages: Record<string, string>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example", "sec-fetch-site": "" },
      { origin: "null", "sec-fetch-site": "" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
    ];
    for (const headers of pages) {
      for (const path of ["/api/user/login", "/api/user/register"]) {
        const body = { username, password };
        const response = await newBrowser().send("POST", path, body, headers);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect(((await response.json()) as Answered).code).toBe("cross_site_request");
      }
    }
    const script = { origin: "", "sec-fetch-site": "" };
    const body = { username, password };
    expect((await newBrowser().call("POST", "/api/user/login", body, script)).success).toBe(true);
  });

  test("hazard F15 no page of another origin may read or ask to send", async () => {
    const { at } = await newPerson();
    for (const from of ["https://evil.example", "null", origin]) {
      const asked = await fetch(`${gateway.url}/api/user/self`, {
        method: "OPTIONS",
        headers: {
          origin: from,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
      expect(asked.status).toBe(405);
      const answers = [asked, await at.send("GET", "/api/user/self", undefined, { origin: from })];
      for (const { headers } of answers) {
        const names = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
        expect(names).toEqual([]);
      }
    }
  });
});

describe("guessing", () => {
  /** Some tries were judged, and hardly one more even where they took seconds to arrive. */
  function expectSlowed(codes: readonly (string | undefined)[], free: number): void {
    const judged = codes.filter((code) => code === "invalid_credentials").length;
    const slowed = codes.filter((code) => code === "rate_limit_exceeded").length;
    expect(judged + slowed).toBe(codes.length);
    expect(judged).toBeGreaterThanOrEqual(free);
    expect(judged).toBeLessThanOrEqual(free + 3);
  }

  test("hazard F17 who is there is told neither by words nor by status or headers", async () => {
    const { username } = await newPerson();
    const disabled = await newPerson();
    await gateway.control("PATCH", `/api/user/${disabled.id}`, { status: "disabled" });
    const attempts: [string, string][] = [
      [username, "wrong password"],
      ["nobody-of-this-name", password],
      [disabled.username, password],
      [disabled.username, "wrong password"],
      [`${username}'--`, password],
    ];
    const answers = new Set<string>();
    for (const [name, secret] of attempts) {
      const body = { username: name, password: secret };
      answers.add(await visible(await newBrowser().send("POST", "/api/user/login", body)));
    }
    expect(answers.size).toBe(1);
    expect([...answers].join()).toContain('"code":"invalid_credentials"');
  });

  test("hazard F17 guessing at a name is slowed, there or not, all at once or in a row", async () => {
    const { username } = await newPerson();
    for (const name of [username, "nobody-of-this-name-either"]) {
      const at = newBrowser();
      const tries = Array.from({ length: 20 }, () => login(at, name, "wrong password"));
      await untilSlowed(tries, gateway.nodeUrls.length);
      const response = await at.send("POST", "/api/user/login", { username: name, password });
      expect(response.status).toBe(200);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.headers.getSetCookie()).toEqual([]);
      const codes = (await Promise.all(tries)).map(({ code }) => code);
      expectSlowed(codes, 6);
    }
  });

  test("hazard F17 the owner gets in from elsewhere while someone guesses", async () => {
    const { username, at } = await newPerson();
    const guesser = newBrowser();
    const tries = Array.from({ length: 30 }, () => login(guesser, username, "wrong password"));
    await Promise.all(tries);
    expect(await at.isSignedIn()).toBe(true);
    await newBrowser().signIn(username);
  });

  test("hazard F17 trying many names from one address is slowed too", async () => {
    const ip = newAddress();
    const names = Array.from({ length: 60 }, (_, at) => `nobody-${at}`);
    const tries = names.map((name) => login(newBrowser(ip), name));
    const codes = (await Promise.all(tries)).map(({ code }) => code);
    expectSlowed(codes, 31);
    const { username } = await newPerson();
    await newBrowser().signIn(username);
  });

  test("hazard F17 the current password is not to be guessed in a stolen session either", async () => {
    const { at } = await newPerson();
    const body = { current_password: "wrong password", new_password: "mine from now on" };
    const tries = Array.from({ length: 20 }, () => at.call("POST", "/api/user/password", body));
    const codes = (await Promise.all(tries)).map(({ code }) => code);
    expectSlowed(codes, 6);
  });
});

describe("authority", () => {
  test("A9 hazard G1 sessions and tokens of another are like those that are not there", async () => {
    const [alice, bob, admin] = [await newPerson(), await newPerson(), await newPerson("admin")];
    const { items } = await alice.at.ask<{ items: { id: string }[] }>("GET", "/api/session");
    const token = await alice.at.ask<{ id: string }>("POST", "/api/access-token");
    const targets = [
      ["/api/session", items[0]?.id ?? "", "ses_00000000000000000000000000"],
      ["/api/access-token", token.id, "tok_00000000000000000000000000"],
    ] as const;
    for (const { at } of [bob, admin]) {
      for (const [path, theirs, unknown] of targets) {
        const answer = await at.call("DELETE", `${path}/${theirs}`);
        expect(answer).toMatchObject({ success: false, code: "not_found" });
        expect(await at.call("DELETE", `${path}/${unknown}`)).toEqual(answer);
        expect(await at.call("DELETE", `${path}/not-an-id-at-all`)).toEqual(answer);
        expect(JSON.stringify(await at.ask("GET", path))).not.toContain(theirs);
      }
    }
    expect(await alice.at.isSignedIn()).toBe(true);
    expect(await alice.at.ask("GET", "/api/access-token")).toMatchObject({ total: 1 });
  });

  test("hazard G3 nobody registers as more than an ordinary account", async () => {
    const extras = {
      role: "root",
      quota_micros: 1_000_000,
      group: "vip",
      id: "acc_00000000000000000000000000",
      status: "enabled",
      unlimited: true,
      password_hash: "x",
      created_at: 1,
      __proto__x: { role: "root" },
    };
    const username = `new-${crypto.randomUUID().slice(0, 8)}`;
    for (const [name, value] of Object.entries(extras)) {
      const body = { username, password, [name]: value };
      const answer = await newBrowser().call("POST", "/api/user/register", body);
      expect(answer).toMatchObject({ success: false, code: "invalid_request", param: name });
    }
    const polluted = `{"username":"${username}","password":"${password}","__proto__":{"role":"root"}}`;
    const answer = await newBrowser().call("POST", "/api/user/register", polluted);
    expect(answer).toMatchObject({ success: false, code: "invalid_request", param: "__proto__" });
    const body = { username, password, role: "root" };
    const login = await newBrowser().call("POST", "/api/user/login", body);
    expect(login).toMatchObject({ success: false, code: "invalid_request", param: "role" });
  });

  test("hazard G4 a session of a user is a user's, whatever else it sends", async () => {
    const { id, at } = await newPerson();
    const claims = { "x-role": "root", "x-user-id": "root", "x-forwarded-user": "root" };
    const answer = await at.call("GET", "/api/user", undefined, claims);
    expect(answer).toMatchObject({ success: false, code: "permission_denied" });
    const raised = await at.call("PATCH", `/api/user/${id}`, { role: "root" });
    expect(raised).toMatchObject({ success: false, code: "permission_denied" });
    expect(await at.ask("GET", "/api/user/self")).toMatchObject({ role: "user" });
  });
});
