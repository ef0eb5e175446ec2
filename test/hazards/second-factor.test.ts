// Attacks on second factors: going around them, guessing them, using one twice or in place of
// another.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tally } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import type { CreationOptions, Deviation } from "../harness/factors/authenticator.ts";
import { Browser, password } from "../harness/browser.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import {
  askPasskey,
  enrolApp,
  enrolPasskey,
  firstHalf,
  ownPath,
  secondHalf,
  type Asked,
} from "../harness/factors/sign-in.ts";
import { assertUp, filesWith } from "./observe.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
const config = `
sandbox: "off"
server: { public_url: "${origin}", trust_proxy: true }
log: { requests: true, level: debug }
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

/** From an address that nobody has tried from yet. */
function newBrowser(): Browser {
  addresses++;
  const ip = `203.0.${113 + (addresses >> 8)}.${addresses & 255}`;
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

const refused = { success: false, code: "invalid_credentials" };
const noTicket = { success: false, code: "invalid_state" };

describe("a ticket", () => {
  test("hazard F3 opens one session however often it is shown at once", async () => {
    const { username, at } = await newPerson();
    const { app, recovery } = await enrolApp(at);
    const other = newBrowser();
    const { ticket } = await firstHalf(other, username);
    // Four tries: with more of them the last one below could be too soon instead of wrong.
    const codes = [app.next(), recovery[0]];
    const tries = codes.flatMap((code) => [code, code]).map((code) => ({ ticket, code }));
    const answers = await Promise.all(tries.map((body) => secondHalf(other, body)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const { items } = await other.ask<{ items: unknown[] }>("GET", "/api/session");
    // The one that set the app up, and the new one.
    expect(items).toHaveLength(2);
    const late = await secondHalf(other, { ticket, code: recovery[5] });
    expect(late).toMatchObject(refused);
  });

  test("hazard F1 is good in the browser that it was given to and in no other", async () => {
    const { username, at } = await newPerson();
    const { app } = await enrolApp(at);
    const mine = newBrowser();
    const { ticket } = await firstHalf(mine, username);
    const code = app.next();
    const bare = newBrowser();
    expect(await secondHalf(bare, { ticket, code })).toMatchObject(noTicket);
    const half = newBrowser();
    await firstHalf(half, username);
    expect(await secondHalf(half, { ticket, code })).toMatchObject(noTicket);
    expect([await bare.isSignedIn(), await half.isSignedIn()]).toEqual([false, false]);
    // Others' use of the ticket has not spoilt it.
    expect(await secondHalf(mine, { ticket, code })).toMatchObject({ success: true });
  });

  test("hazard F12 ends with the password that it stands for, and with the account", async () => {
    const [changed, disabled] = [await newPerson(), await newPerson()];
    for (const { id, username, at } of [changed, disabled]) {
      const { app } = await enrolApp(at);
      const other = newBrowser();
      const { ticket } = await firstHalf(other, username);
      const body = id === changed.id ? { password: "a wholly other one" } : { status: "disabled" };
      await gateway.control("PATCH", `/api/user/${id}`, body);
      const answer = await secondHalf(other, { ticket, code: app.next() });
      expect(answer.success).toBe(false);
      expect(await other.isSignedIn()).toBe(false);
    }
  });

  test("hazard F1 of one kind is no ticket of another, and none can be made up", async () => {
    const { username, at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const other = newBrowser();
    const { ticket: login } = await firstHalf(other, username);
    const stepUp = await at.ask<Asked<{ challenge: string }>>("POST", `${ownPath}/challenge`, {});
    const add = async (ticket: string) => {
      const options = { rp: { id: "gate.example" }, user: { id: "x" }, challenge: "AAAA" };
      const passkey = device.create(options);
      return await at.call("POST", `${ownPath}/passkey`, { ticket, passkey });
    };
    for (const ticket of [login, stepUp.ticket, "v1.AAAA", "x".repeat(3000)]) {
      expect(await add(ticket)).toMatchObject(noTicket);
    }
    const passkey = device.get({ rpId: "gate.example", challenge: stepUp.passkey.challenge });
    for (const ticket of [stepUp.ticket, "v1.AAAA", ""]) {
      expect(await secondHalf(other, { ticket, passkey })).toMatchObject(noTicket);
    }
    const proof = { ticket: login, passkey };
    expect(await at.call("POST", `${ownPath}/recovery`, proof)).toMatchObject(noTicket);
    expect(await other.isSignedIn()).toBe(false);
  });
});

describe("a code", () => {
  test("hazard F3 of the app works once, also when it was only just used elsewhere", async () => {
    const { username, at } = await newPerson();
    const { app, recovery } = await enrolApp(at);
    const code = app.next();
    const halves = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const other = newBrowser();
        return { other, ...(await firstHalf(other, username)) };
      }),
    );
    const answers = await Promise.all(
      halves.map(({ other, ticket }) => secondHalf(other, { ticket, code })),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const paper = await Promise.all(
      halves.map(({ other, ticket }) => secondHalf(other, { ticket, code: recovery[0] })),
    );
    expect(paper.filter(({ success }) => success).length).toBeLessThanOrEqual(1);
  });

  test("hazard F17 cannot be guessed, from one address or from many", async () => {
    const { id, username, at } = await newPerson();
    const { app } = await enrolApp(at);
    const wrong = app.wrong();
    const halves = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const other = newBrowser();
        return { other, ...(await firstHalf(other, username)) };
      }),
    );
    const tries = halves.flatMap((half) => [half, half, half]);
    const answers = await Promise.all(
      tries.map(({ other, ticket }) => secondHalf(other, { ticket, code: wrong })),
    );
    const counts = tally(answers.map(({ code }) => code));
    expect(counts.get("invalid_credentials")).toBeLessThanOrEqual(13);
    expect(counts.get("rate_limit_exceeded")).toBeGreaterThanOrEqual(23);
    // A session that is in stays in, and each wrong code is written down.
    expect(await at.isSignedIn()).toBe(true);
    const audit = `/api/audit?target_id=${id}&action=user.second_factor_failed`;
    const { total } = await gateway.control<{ total: number }>("GET", audit);
    expect(total).toBe(counts.get("invalid_credentials") ?? 0);
  });

  test("hazard F17 a ticket of one account says nothing of another's codes", async () => {
    const [alice, mallory] = [await newPerson(), await newPerson()];
    const { recovery } = await enrolApp(alice.at);
    await enrolApp(mallory.at);
    const other = newBrowser();
    const { ticket } = await firstHalf(other, mallory.username);
    expect(await secondHalf(other, { ticket, code: recovery[0] })).toMatchObject(refused);
    const right = newBrowser();
    const half = await firstHalf(right, alice.username);
    const answer = await secondHalf(right, { ticket: half.ticket, code: recovery[0] });
    expect(answer).toMatchObject({ success: true });
  });
});

describe("a passkey", () => {
  const forgeries: [string, Deviation][] = [
    ["signed by another key", { forges: true }],
    ["made on another page", { origin: "https://evil.example" }],
    ["made for another host", { rpId: "evil.example" }],
    ["an answer to another question", { challenge: "AAAA" }],
    ["of the wrong type", { type: "webauthn.create" }],
  ];
  test.each(forgeries)("hazard F7 does not open when it is %s", async (_, deviation) => {
    const { username, at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const other = newBrowser();
    const half = await firstHalf(other, username);
    const { ticket, passkey } = await askPasskey(other, half.ticket);
    const forged = device.get(passkey, deviation);
    expect(await secondHalf(other, { ticket, passkey: forged })).toMatchObject(refused);
    const alone = await askPasskey(other);
    const again = { ticket: alone.ticket, passkey: device.get(alone.passkey, deviation) };
    expect(await secondHalf(other, again)).toMatchObject(refused);
    expect(await other.isSignedIn()).toBe(false);
  });

  test("hazard F3 an answer is not taken twice, nor to a second question", async () => {
    const { username, at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const other = newBrowser();
    const first = await askPasskey(other);
    const answer = device.get(first.passkey);
    const body = { ticket: first.ticket, passkey: answer };
    const answers = await Promise.all(Array.from({ length: 8 }, () => secondHalf(other, body)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const half = await firstHalf(other, username);
    const replay = { ticket: half.ticket, passkey: answer };
    // Those that came second count as guesses, after which the next one has to wait a little.
    const last = await eventually("a try that is judged", async () => {
      const judged = await secondHalf(other, replay);
      return judged.code === "rate_limit_exceeded" ? undefined : judged;
    });
    expect(last).toMatchObject(refused);
  });

  test("hazard F3 a copy of it is found out by its counter", async () => {
    const { username, at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const enter = async (counter: number) => {
      const other = newBrowser();
      const half = await firstHalf(other, username);
      const { ticket, passkey } = await askPasskey(other, half.ticket);
      return await secondHalf(other, { ticket, passkey: device.get(passkey, { counter }) });
    };
    expect(await enter(9)).toMatchObject({ success: true });
    expect(await enter(9)).toMatchObject(refused);
    expect(await enter(4)).toMatchObject(refused);
    expect(await enter(10)).toMatchObject({ success: true });
  });

  test("hazard G1 of one account opens no other, and to others it is not there", async () => {
    const [alice, mallory] = [await newPerson(), await newPerson()];
    await enrolPasskey(alice.at, origin);
    const { device, id } = await enrolPasskey(mallory.at, origin);
    const other = newBrowser();
    const half = await firstHalf(other, alice.username);
    const { ticket, passkey } = await askPasskey(other, half.ticket);
    const answer = await secondHalf(other, { ticket, passkey: device.get(passkey) });
    expect(answer).toMatchObject(refused);
    const alone = await askPasskey(other);
    const userHandle = Buffer.from(alice.id).toString("base64url");
    const claimed = device.get(alone.passkey, { userHandle });
    const claim = { ticket: alone.ticket, passkey: claimed };
    expect(await secondHalf(other, claim)).toMatchObject(refused);
    const own = await newPerson();
    const mine = await enrolApp(own.at);
    const remove = (passkeyId: string, code = "") =>
      own.at.call("POST", `${ownPath}/passkey/${passkeyId}/remove`, { code });
    const theirs = await remove(id, mine.recovery[0]);
    expect(theirs).toMatchObject({ success: false, code: "not_found" });
    const unknown = "pky_00000000000000000000000000";
    expect(await remove(unknown, mine.recovery[1])).toEqual(theirs);
  });

  test("hazard F6 is not registered a second time, nor for another account", async () => {
    const [alice, mallory] = [await newPerson(), await newPerson()];
    const { device, recovery } = await enrolPasskey(alice.at, origin);
    const options = `${ownPath}/passkey/options`;
    const attempts: [Browser, object][] = [
      [alice.at, { code: recovery?.[0] }],
      [mallory.at, { password }],
    ];
    for (const [at, proof] of attempts) {
      const { ticket, passkey } = await at.ask<Asked<CreationOptions>>("POST", options, proof);
      const body = { ticket, passkey: device.create(passkey) };
      const answer = await at.call("POST", `${ownPath}/passkey`, body);
      expect(answer).toMatchObject({ success: false, code: "conflict" });
    }
    const other = newBrowser();
    const { ticket, passkey } = await askPasskey(other);
    const userHandle = Buffer.from(alice.id).toString("base64url");
    const entered = await secondHalf(other, {
      ticket,
      passkey: device.get(passkey, { userHandle }),
    });
    expect(entered).toMatchObject({ success: true, data: { id: alice.id } });
  });

  test("hazard F17 by itself opens only where the device knew its owner", async () => {
    const { at } = await newPerson();
    const { device } = await enrolPasskey(at, origin);
    const other = newBrowser();
    const { ticket, passkey } = await askPasskey(other);
    const unverified = device.get(passkey, { isUnverified: true });
    expect(await secondHalf(other, { ticket, passkey: unverified })).toMatchObject(refused);
    const withCode = await secondHalf(other, { ticket, code: "123456" });
    expect(withCode).toMatchObject({ success: false, code: "invalid_request", param: "passkey" });
    expect(await secondHalf(other, { ticket, passkey: device.get(passkey) })).toMatchObject({
      success: true,
    });
  });
});

describe("who is in already", () => {
  test("hazard F18 sets up, changes and removes nothing without a proof", async () => {
    const { at } = await newPerson();
    const bare: [string, object][] = [
      ["/totp", {}],
      ["/totp", { password: "wrong password" }],
      ["/passkey/options", {}],
      ["/passkey/options", { password: "wrong password" }],
    ];
    for (const [path, body] of bare) {
      expect(await at.call("POST", ownPath + path, body)).toMatchObject({ param: "password" });
    }
    const { app } = await enrolApp(at);
    const paths = ["/totp/remove", "/passkey/options", "/recovery", "/totp"];
    for (const path of paths) {
      const answer = await at.call("POST", ownPath + path, { password });
      expect(answer).toMatchObject({ success: false, param: "code" });
    }
    const guess = await at.call("POST", `${ownPath}/recovery`, { code: app.wrong() });
    expect(guess).toMatchObject(refused);
    expect(await at.ask("GET", ownPath)).toMatchObject({ recovery_codes_left: 10 });
  });

  test("hazard F18 a token sees them and changes none", async () => {
    const { at } = await newPerson();
    const { token } = await at.ask<{ token: string }>("POST", "/api/access-token");
    const call = (method: string, path: string, body?: object) =>
      gateway.controlEnvelope(method, ownPath + path, body, token);
    expect(await call("GET", "")).toMatchObject({ success: true });
    for (const path of ["/totp", "/totp/confirm", "/passkey/options", "/recovery", "/challenge"]) {
      const answer = await call("POST", path, { password });
      expect(answer).toMatchObject({ success: false, code: "permission_denied" });
    }
  });
});

test("hazard G11 neither files nor lines of the log hold a secret, a code or a ticket", async () => {
  const { username, at } = await newPerson();
  const begun = await at.ask<{ secret: string }>("POST", `${ownPath}/totp`, { password });
  const { app, recovery } = await enrolApp(at);
  const other = newBrowser();
  const { ticket } = await firstHalf(other, username);
  const code = app.next();
  await secondHalf(other, { ticket, code });
  const [paper = ""] = recovery;
  const secrets = [begun.secret, paper, paper.replaceAll("-", ""), ticket];
  for (const secret of secrets) {
    expect(await filesWith(gateway.folder, secret)).toEqual([]);
    expect(gateway.output).not.toContain(secret);
  }
});
