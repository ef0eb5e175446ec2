// Signing in: accounts of one's own, sessions of browsers, tokens for scripts.
import { describe, expect, test } from "bun:test";
import { expire } from "../harness/accounts/expiry.ts";
import { eventually } from "../harness/books.ts";
import { Browser, password } from "../harness/browser.ts";
import { Folder } from "../harness/folder.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";

interface Session {
  id: string;
  current: boolean;
  agent: string;
  ip: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

interface Listed<Item> {
  items: Item[];
  total: number;
}

const gateway = useStand(() =>
  startGateway({ config: 'sandbox: "off"\naccounts: { registration: open }\n' }),
);

function newBrowser(): Browser {
  return new Browser(gateway.url);
}

/** Someone with an account, signed in. */
async function newPerson(role = "user"): Promise<{ username: string; id: string; at: Browser }> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, role };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  return { username, id, at: await newBrowser().signIn(username) };
}

describe("sessions", () => {
  test("U3 N10 name and password sign a browser in, and signing out ends that", async () => {
    const { username, id, at } = await newPerson();
    const self = await at.ask("GET", "/api/user/self");
    expect(self).toMatchObject({ id, username, role: "user", quota_micros: 0 });
    expect(await at.call("POST", "/api/user/logout")).toEqual({
      success: true,
      message: "",
      data: null,
    });
    expect(at.cookies.size).toBe(0);
    expect(await at.isSignedIn()).toBe(false);
  });

  test("U3 signing in answers with the account, as self does", async () => {
    const { username, at } = await newPerson();
    const answer = await newBrowser().call("POST", "/api/user/login", { username, password });
    expect(answer.data).toEqual(await at.ask("GET", "/api/user/self"));
  });

  test("A5 a wrong, an ended and no session are answered alike, with status 200", async () => {
    const { at } = await newPerson();
    const [[name = "", ended = ""] = []] = at.cookies;
    await at.ask("POST", "/api/user/logout");
    const answers = new Set<string>();
    for (const value of [ended, "sst-never-was", "", rootKey]) {
      const stranger = newBrowser();
      if (value !== "") stranger.cookies.set(name, value);
      const response = await stranger.send("GET", "/api/user/self");
      expect(response.status).toBe(200);
      answers.add(await response.text());
    }
    expect(answers.size).toBe(1);
    expect(JSON.parse([...answers].join())).toMatchObject({
      success: false,
      message: "The access token is invalid.",
    });
  });

  test("N10 a session does what its account may, and a page of lists works as with a token", async () => {
    const { at } = await newPerson("admin");
    const { id, key } = await at.ask<{ id: string; key: string }>("POST", "/api/token", {
      name: "mine",
    });
    expect(key).toStartWith("sk-");
    await at.ask("PATCH", `/api/token/${id}`, { name: "renamed" });
    await at.ask("DELETE", `/api/token/${id}`);
    const users = await at.ask<Listed<object>>("GET", "/api/user?page_size=1");
    expect(users).toMatchObject({ page: 1, page_size: 1 });
  });

  test("N10 sessions are listed with where they are, and one can be ended from another", async () => {
    const { username, at } = await newPerson();
    const phone = newBrowser();
    const login = { username, password };
    await phone.send("POST", "/api/user/login", login, { "user-agent": "Phone/1.0" });
    const { items, total } = await at.ask<Listed<Session>>("GET", "/api/session");
    expect(total).toBe(2);
    expect(items.map(({ current, ip }) => ({ current, ip }))).toEqual([
      { current: false, ip: "127.0.0.1" },
      { current: true, ip: "127.0.0.1" },
    ]);
    const [other] = items;
    expect(other).toMatchObject({ agent: "Phone/1.0" });
    expect((other?.expires_at ?? 0) - (other?.last_used_at ?? 0)).toBe(86_400);
    expect(await at.ask("DELETE", `/api/session/${other?.id}`)).toEqual({ id: other?.id });
    expect(await phone.isSignedIn()).toBe(false);
    expect(await at.isSignedIn()).toBe(true);
    const left = await at.ask<Listed<Session>>("GET", "/api/session");
    await at.ask("DELETE", `/api/session/${left.items[0]?.id}`);
    expect(at.cookies.size).toBe(0);
    expect(await at.isSignedIn()).toBe(false);
  });

  test("N10 another password ends the other sessions and keeps this one", async () => {
    const { username, at } = await newPerson();
    const other = await newBrowser().signIn(username);
    const [before = ""] = at.cookies.values();
    const next = "a wholly other password";
    const change = { current_password: password, new_password: next };
    await at.ask("POST", "/api/user/password", change);
    expect([...at.cookies.values()]).not.toEqual([before]);
    expect([await at.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
    const old = await newBrowser().call("POST", "/api/user/login", { username, password });
    expect(old).toMatchObject({ success: false, code: "invalid_credentials" });
    await newBrowser().signIn(username, next);
  });

  test("N10 a password is not changed without the current one, or to a bad one", async () => {
    const { username, at } = await newPerson();
    const refused: [object, string][] = [
      [{ current_password: "wrong", new_password: "long enough now" }, "current_password"],
      [{ new_password: "long enough now" }, "current_password"],
      [{ current_password: password, new_password: "short" }, "new_password"],
      [{ current_password: password, new_password: "long enough now", role: "root" }, "role"],
    ];
    for (const [body, param] of refused) {
      const answer = await at.call("POST", "/api/user/password", body);
      expect(answer).toMatchObject({ success: false, param });
    }
    await newBrowser().signIn(username);
  });

  test("N10 a session outlives a restart of the gateway, and its end does too", async () => {
    using folder = new Folder();
    const jars: Map<string, string>[] = [];
    const secret = "root password for tests";
    {
      await using first = await startGateway({ folder: folder.path });
      const [kept, ended] = [new Browser(first.url), new Browser(first.url)];
      for (const at of [kept, ended]) {
        await at.signIn("root", secret);
        jars.push(new Map(at.cookies));
      }
      await ended.ask("POST", "/api/user/logout");
    }
    await using second = await startGateway({ folder: folder.path });
    const states: boolean[] = [];
    for (const jar of jars) {
      const at = new Browser(second.url);
      for (const [name, value] of jar) at.cookies.set(name, value);
      states.push(await at.isSignedIn());
    }
    expect(states).toEqual([true, false]);
  });
});

describe("access tokens", () => {
  test("N10 a token of one's own is made, shown once, used by a script, and revoked", async () => {
    const { id: accountId, at } = await newPerson();
    const made = await at.ask<{ id: string; token: string }>("POST", "/api/access-token", {
      name: "nightly",
    });
    const self = await gateway.controlEnvelope("GET", "/api/user/self", undefined, made.token);
    expect(self).toMatchObject({ success: true, data: { id: accountId } });
    const listed = await at.ask<Listed<object>>("GET", "/api/access-token");
    expect(listed.items).toMatchObject([{ id: made.id, name: "nightly", expires_at: null }]);
    expect(JSON.stringify(listed)).not.toContain(made.token);
    await at.ask("DELETE", `/api/access-token/${made.id}`);
    const after = await gateway.controlEnvelope("GET", "/api/user/self", undefined, made.token);
    expect(after).toMatchObject({ success: false, code: "invalid_api_key" });
  });

  test("N10 a token stops working when its time is over", async () => {
    const { at } = await newPerson();
    const made = await at.ask<{ id: string; token: string }>("POST", "/api/access-token", {
      expires_at: "2096-01-01T00:00:00Z",
    });
    const { token } = made;
    await expire(gateway, "access_token", made.id);
    const answer = await gateway.controlEnvelope("GET", "/api/user/self", undefined, token);
    expect(answer).toMatchObject({ success: false, code: "invalid_api_key" });
  });

  test("N10 a token changes things without an origin, but it cannot sign out", async () => {
    const { at } = await newPerson();
    const { token } = await at.ask<{ token: string }>("POST", "/api/access-token");
    const call = (path: string, body: object) => gateway.controlEnvelope("POST", path, body, token);
    expect(await call("/api/token", { name: "by token" })).toMatchObject({ success: true });
    expect(await call("/api/user/logout", {})).toMatchObject({ code: "permission_denied" });
    expect(await at.isSignedIn()).toBe(true);
  });
});

describe("registration", () => {
  test("U3 where it is open anyone gets an account of their own and is signed in", async () => {
    const at = newBrowser();
    const username = `new-${crypto.randomUUID().slice(0, 8)}`;
    const self = await at.ask("POST", "/api/user/register", { username, password });
    const wanted = { username, role: "user", group: "default", quota_micros: 0, used_micros: 0 };
    expect(self).toMatchObject(wanted);
    expect(await at.ask("GET", "/api/user/self")).toEqual(self);
    await newBrowser().signIn(username);
    const again = await newBrowser().call("POST", "/api/user/register", { username, password });
    expect(again).toMatchObject({ success: false, code: "conflict", param: "username" });
  });

  test("U3 it is off by default, also for one who is signed in", async () => {
    await using closed = await startGateway({ config: 'sandbox: "off"\n' });
    const at = new Browser(closed.url);
    const body = { username: "new", password };
    const answer = await at.call("POST", "/api/user/register", body);
    expect(answer).toMatchObject({ success: false, code: "permission_denied" });
    await at.signIn("root", "root password for tests");
    expect(await at.call("POST", "/api/user/register", body)).toEqual(answer);
  });

  test("U3 with invitations a code of an admin lets in as many as it says", async () => {
    const config = 'sandbox: "off"\naccounts: { registration: invitation }\n';
    await using invited = await startGateway({ config });
    const admin = await new Browser(invited.url).signIn("root", "root password for tests");
    const made = await admin.ask<{ id: string; code: string }>("POST", "/api/invitation", {
      note: "for the team",
      uses_max: 2,
      expires_at: 4_000_000_000,
    });
    const register = (username: string, invitation?: string) =>
      new Browser(invited.url).call("POST", "/api/user/register", {
        username,
        password,
        invitation,
      });
    const refused = { success: false, code: "invalid_request", param: "invitation" };
    expect(await register("a")).toMatchObject(refused);
    expect(await register("a", "guess")).toMatchObject(refused);
    expect(await register("a", made.code)).toMatchObject({ success: true });
    expect(await register("b", made.code)).toMatchObject({ success: true });
    expect(await register("c", made.code)).toMatchObject(refused);
    const listed = await admin.ask<Listed<object>>("GET", "/api/invitation");
    expect(listed.items).toMatchObject([{ id: made.id, uses: 2, uses_max: 2 }]);
    expect(JSON.stringify(listed)).not.toContain(made.code);
    const other = await admin.ask<{ id: string; code: string }>("POST", "/api/invitation");
    await admin.ask("DELETE", `/api/invitation/${other.id}`);
    expect(await register("c", other.code)).toMatchObject(refused);
    const again = await admin.call("DELETE", `/api/invitation/${other.id}`);
    expect(again).toMatchObject({ success: false, code: "not_found" });
  });
});

test("N17 the root password that the first start prints signs in", async () => {
  await using fresh = await startGateway({ environment: { SLUICE_ROOT_PASSWORD: "" } });
  const printed = await eventually("the root password", async () => {
    return /Root password: (\S+)/.exec(fresh.output)?.[1];
  });
  const at = await new Browser(fresh.url).signIn("root", printed);
  expect(await at.ask("GET", "/api/user/self")).toMatchObject({ role: "root" });
});

test("N17 another root password in the environment ends root's sessions", async () => {
  using folder = new Folder();
  const jar = new Map<string, string>();
  {
    await using first = await startGateway({ folder: folder.path });
    const at = await new Browser(first.url).signIn("root", "root password for tests");
    for (const [name, value] of at.cookies) jar.set(name, value);
  }
  const environment = { SLUICE_ROOT_PASSWORD: "another root password" };
  await using second = await startGateway({ folder: folder.path, environment });
  const at = new Browser(second.url);
  for (const [name, value] of jar) at.cookies.set(name, value);
  expect(await at.isSignedIn()).toBe(false);
  await at.signIn("root", "another root password");
});
