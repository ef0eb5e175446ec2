// Second factors: setting them up, signing in with them, losing them.
import { describe, expect, test } from "bun:test";
import { Browser, password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import {
  askPasskey,
  enrolApp,
  enrolPasskey,
  firstHalf,
  ownPath,
  secondHalf,
} from "../../harness/factors/sign-in.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const origin = "https://gate.example";
const config = `
sandbox: "off"
server: { public_url: "${origin}", trust_proxy: true }
`;
let addresses = 0;

const gateway = useStand(() => startGateway({ config }));

function newBrowser(on: Gateway = gateway): Browser {
  const headers = { "x-forwarded-for": `203.0.113.${++addresses}` };
  return new Browser(on.url, { origin, headers });
}

interface Person {
  id: string;
  username: string;
  at: Browser;
}

async function newPerson(role = "user", on: Gateway = gateway): Promise<Person> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, role };
  const { id } = await on.control<{ id: string }>("POST", "/api/user", body);
  return { id, username, at: await newBrowser(on).signIn(username) };
}

interface View {
  second_factor: string[];
  required: boolean;
  totp: { enabled: boolean };
  passkeys: { id: string; name: string; last_used_at: number | null }[];
  recovery_codes_left: number;
}

const view = (at: Browser) => at.ask<View>("GET", ownPath);

async function actionsOn(id: string): Promise<string[]> {
  const { items } = await gateway.control<{ items: { action: string }[] }>(
    "GET",
    `/api/audit?target_id=${id}&page_size=100`,
  );
  return items.map(({ action }) => action).toReversed();
}

describe("an authenticator app", () => {
  test("U3 once it is set up, the password alone opens no session, and a code does", async () => {
    const { id, username, at } = await newPerson();
    expect(await view(at)).toMatchObject({ second_factor: [], required: false });
    const { app, recovery } = await enrolApp(at);
    expect(recovery).toHaveLength(10);
    expect(await view(at)).toMatchObject({
      second_factor: ["totp"],
      totp: { enabled: true },
      recovery_codes_left: 10,
    });
    const other = newBrowser();
    const half = await firstHalf(other, username);
    expect(half).toEqual({ second_factor: ["totp"], ticket: expect.any(String) });
    expect(await other.isSignedIn()).toBe(false);
    const answer = await secondHalf(other, { ticket: half.ticket, code: app.next() });
    expect(answer).toMatchObject({ success: true, data: { id, username } });
    expect(await other.isSignedIn()).toBe(true);
    expect(await actionsOn(id)).toEqual([
      "user.create",
      "user.sign_in",
      "user.second_factor_on",
      "user.sign_in",
    ]);
  });

  test("U3 counts from the first code on, not from when it is begun", async () => {
    const { username, at } = await newPerson();
    const begun = await at.ask<{ secret: string; uri: string }>("POST", `${ownPath}/totp`, {
      password,
    });
    expect(begun.uri).toBe(
      `otpauth://totp/Sluice:${username}?secret=${begun.secret}&issuer=Sluice` +
        "&algorithm=SHA1&digits=6&period=30",
    );
    await newBrowser().signIn(username);
    const wrong = await at.call("POST", `${ownPath}/totp/confirm`, { code: "000000" });
    expect(wrong).toMatchObject({ success: false, code: "invalid_credentials", param: "code" });
    expect(await view(at)).toMatchObject({ second_factor: [] });
    const { app } = await enrolApp(at);
    const again = await at.call("POST", `${ownPath}/totp`, { code: app.next() });
    expect(again).toMatchObject({ success: false, code: "conflict" });
  });

  test("U3 the first factor ends the account's other sessions, and this one goes on", async () => {
    const { username, at } = await newPerson();
    const other = await newBrowser().signIn(username);
    await enrolApp(at);
    expect([await at.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
  });

  test("U3 is removed with a code, and then the password is enough again", async () => {
    const { id, username, at } = await newPerson();
    const { app } = await enrolApp(at);
    const remove = (proof: object) => at.call("POST", `${ownPath}/totp/remove`, proof);
    expect(await remove({})).toMatchObject({ code: "invalid_request", param: "code" });
    expect(await remove({ password })).toMatchObject({ code: "invalid_request", param: "code" });
    expect(await remove({ code: app.wrong() })).toMatchObject({ code: "invalid_credentials" });
    expect(await remove({ code: app.next() })).toMatchObject({ success: true });
    expect(await view(at)).toMatchObject({ second_factor: [], recovery_codes_left: 0 });
    await newBrowser().signIn(username);
    expect((await actionsOn(id)).slice(1)).toEqual([
      "user.sign_in",
      "user.second_factor_on",
      "user.second_factor_failed",
      "user.second_factor_off",
      "user.sign_in",
    ]);
  });
});

describe("codes for paper", () => {
  test("U3 stand in for a lost app, each once, however they are typed", async () => {
    const { id, username, at } = await newPerson();
    const { recovery } = await enrolApp(at);
    const [first = "", second = ""] = recovery;
    const other = newBrowser();
    const { ticket } = await firstHalf(other, username);
    const typed = first.toLowerCase().replaceAll("-", " ");
    expect(await secondHalf(other, { ticket, code: typed })).toMatchObject({ success: true });
    expect(await view(other)).toMatchObject({ recovery_codes_left: 9 });
    const third = newBrowser();
    const half = await firstHalf(third, username);
    const again = await secondHalf(third, { ticket: half.ticket, code: first });
    expect(again).toMatchObject({ success: false, code: "invalid_credentials" });
    expect(await secondHalf(third, { ticket: half.ticket, code: second })).toMatchObject({
      success: true,
    });
    expect(await actionsOn(id)).toContain("user.recovery_code_used");
  });

  test("U3 are made anew with a proof, and the old ones are gone", async () => {
    const { username, at } = await newPerson();
    const { app, recovery } = await enrolApp(at);
    const none = await at.call("POST", `${ownPath}/recovery`, {});
    expect(none).toMatchObject({ success: false, param: "code" });
    const body = { code: app.next() };
    const { recovery_codes: next } = await at.ask<{ recovery_codes: string[] }>(
      "POST",
      `${ownPath}/recovery`,
      body,
    );
    expect(next).toHaveLength(10);
    const other = newBrowser();
    const { ticket } = await firstHalf(other, username);
    const [old = ""] = recovery;
    expect(await secondHalf(other, { ticket, code: old })).toMatchObject({ success: false });
    expect(await secondHalf(other, { ticket, code: next[0] })).toMatchObject({ success: true });
    const bare = await newPerson();
    const early = await bare.at.call("POST", `${ownPath}/recovery`, { password });
    expect(early).toMatchObject({ success: false, code: "conflict" });
  });
});

describe("passkeys", () => {
  test("U3 one is set up and then asked for as the second factor", async () => {
    const { username, at } = await newPerson();
    const { device, id, recovery } = await enrolPasskey(at, origin);
    expect(recovery).toHaveLength(10);
    expect(await view(at)).toMatchObject({
      second_factor: ["passkey"],
      passkeys: [{ id, name: "laptop", last_used_at: null }],
    });
    const other = newBrowser();
    const half = await firstHalf(other, username);
    expect(half.second_factor).toEqual(["passkey"]);
    const { ticket, passkey } = await askPasskey(other, half.ticket);
    expect(passkey).toMatchObject({ allowCredentials: [{ id: device.credentialId }] });
    const answer = await secondHalf(other, { ticket, passkey: device.get(passkey) });
    expect(answer).toMatchObject({ success: true, data: { username } });
    expect(await other.isSignedIn()).toBe(true);
    expect((await view(other)).passkeys[0]?.last_used_at).toBeNumber();
  });

  test("U3 one signs in by itself, without name and password", async () => {
    const { username, at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const other = newBrowser();
    const { ticket, passkey } = await askPasskey(other);
    expect(passkey).toMatchObject({ rpId: "gate.example", userVerification: "required" });
    expect(passkey.allowCredentials ?? []).toEqual([]);
    const answer = await secondHalf(other, { ticket, passkey: device.get(passkey) });
    expect(answer).toMatchObject({ success: true, data: { username } });
    expect(await other.isSignedIn()).toBe(true);
  });

  test("U3 beside an app either will do, and one is removed with the proof of any", async () => {
    const { username, at } = await newPerson();
    const { app, recovery } = await enrolApp(at);
    const made = await enrolPasskey(at, origin, { code: recovery[0] });
    expect(made.recovery).toBeNull();
    const other = newBrowser();
    const half = await firstHalf(other, username);
    expect(half.second_factor).toEqual(["totp", "passkey"]);
    const code = app.next();
    expect(await secondHalf(other, { ticket: half.ticket, code })).toMatchObject({ success: true });
    const asked = await at.ask<{ ticket: string; passkey: { challenge: string; rpId: string } }>(
      "POST",
      `${ownPath}/challenge`,
      {},
    );
    const proof = { ticket: asked.ticket, passkey: made.device.get(asked.passkey) };
    const path = `${ownPath}/passkey/${made.id}/remove`;
    expect(await at.call("POST", path, proof)).toMatchObject({ success: true });
    const left = await view(at);
    expect(left).toMatchObject({ second_factor: ["totp"], passkeys: [], recovery_codes_left: 9 });
  });

  test("U3 need a host name to belong to", async () => {
    await using bare = await startGateway({ config: 'sandbox: "off"\n' });
    const at = await new Browser(bare.url).signIn("root", "root password for tests");
    const body = { password: "root password for tests" };
    const answer = await at.call("POST", `${ownPath}/passkey/options`, body);
    expect(answer).toMatchObject({ success: false, code: "invalid_host" });
    const local = bare.url.replace("127.0.0.1", "localhost");
    const own = await new Browser(local).signIn("root", "root password for tests");
    const { device } = await enrolPasskey(own, local, body);
    const other = new Browser(local);
    const { ticket, passkey } = await askPasskey(other);
    const entered = await secondHalf(other, { ticket, passkey: device.get(passkey) });
    expect(entered).toMatchObject({ success: true });
  });
});

describe("where admins need one", () => {
  test("U3 an admin without one can only set one up, and a user needs none", async () => {
    const required = `${config}sign_in: { admin_second_factor: required }\n`;
    await using strict = await startGateway({ config: required });
    const admin = await newPerson("admin", strict);
    const refused = { success: false, code: "second_factor_required" };
    for (const path of ["/api/channel", "/api/user", "/api/token", "/api/status", "/api/session"]) {
      expect(await admin.at.call("GET", path)).toMatchObject(refused);
    }
    const token = await admin.at.call("POST", "/api/access-token", {});
    expect(token).toMatchObject(refused);
    expect(await admin.at.ask("GET", "/api/user/self")).toMatchObject({ role: "admin" });
    expect(await view(admin.at)).toMatchObject({ required: true, second_factor: [] });
    const { app } = await enrolApp(admin.at);
    expect(await admin.at.call("GET", "/api/channel")).toMatchObject({ success: true });
    await admin.at.ask("POST", `${ownPath}/totp/remove`, { code: app.next() });
    expect(await admin.at.call("GET", "/api/channel")).toMatchObject(refused);
    expect(await admin.at.call("POST", "/api/user/logout", {})).toMatchObject({ success: true });
    const user = await newPerson("user", strict);
    expect(await user.at.call("GET", "/api/token")).toMatchObject({ success: true });
    expect(await view(user.at)).toMatchObject({ required: false });
  });
});

describe("one who has lost everything", () => {
  test("U3 is let in again by an admin, who may not do it for equals or for itself", async () => {
    const [user, admin, peer] = [
      await newPerson(),
      await newPerson("admin"),
      await newPerson("admin"),
    ];
    await enrolApp(user.at);
    await enrolApp(peer.at);
    const reset = (id: string) => admin.at.call("DELETE", `/api/user/${id}/second-factor`);
    expect(await reset(peer.id)).toMatchObject({ success: false, code: "permission_denied" });
    expect(await reset(admin.id)).toMatchObject({ success: false, code: "permission_denied" });
    expect(await reset(user.id)).toMatchObject({ success: true });
    expect(await user.at.isSignedIn()).toBe(false);
    await newBrowser().signIn(user.username);
    expect(await actionsOn(user.id)).toContain("user.second_factor_reset");
  });

  test("U3 is let in as root too, by the command line on the machine itself and by nothing else", async () => {
    const secret = "root password for tests";
    const root = await newBrowser().signIn("root", secret);
    const { id } = await root.ask<{ id: string }>("GET", "/api/user/self");
    await enrolApp(root, secret);
    await firstHalf(newBrowser(), "root", secret);
    for (const answer of [
      await root.call("DELETE", `/api/user/${id}/second-factor`),
      await gateway.controlEnvelope("DELETE", `/api/user/${id}/second-factor`),
    ]) {
      expect(answer).toMatchObject({ success: false, code: "permission_denied" });
    }
    const command = ["user", "reset-second-factor", "root"];
    const done = await runCommand({ folder: gateway.folder }, ...command);
    expect([done.code, done.error]).toEqual([0, ""]);
    await newBrowser().signIn("root", secret);
    expect(await root.isSignedIn()).toBe(false);
  });
});
