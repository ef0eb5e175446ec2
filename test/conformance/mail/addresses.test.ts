// Addresses of people: proven by a letter, and nobody's alone before that.
import { describe, expect, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import {
  browserAt,
  mailConfig,
  newPerson,
  prove,
  provenPerson,
  publicOrigin,
  shownEmail,
} from "../../harness/mail/people.ts";
import { linkIn, tokenIn } from "../../harness/mail/read-mail.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { rowsOf } from "../../harness/rows.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() =>
  startGateway({ config: mailConfig(mailbox, { accounts: { registration: "open" } }) }),
);
const set = "/api/user/self/email";
const verify = "/api/user/email/verify";

describe("an e-mail address", () => {
  test("is proven by the link of its letter, once, and shown to its owner and to admins", async () => {
    const person = await newPerson(gateway);
    const { at, email, id, username } = person;
    await at.ask("POST", set, { email, password });
    expect(await shownEmail(person)).toEqual([null, email]);
    const letter = await mailbox.to(email);
    expect(letter.text).toContain(username);
    expect(letter.headers.get("subject")).toBe("Confirm your address for Acme AI");
    expect(linkIn(letter)).toStartWith(`${publicOrigin}/#email=`);
    expect(letter.html).toContain(`<a href="${linkIn(letter)}">`);
    expect(letter.html).not.toMatch(/<img|src=|<style|<script/);
    const token = tokenIn(letter);
    await browserAt(gateway).ask("POST", verify, { token });
    expect(await shownEmail(person)).toEqual([email, null]);
    expect(await gateway.control("GET", `/api/user/${id}`)).toMatchObject({ email });
    const again = await browserAt(gateway).call("POST", verify, { token });
    expect(again).toMatchObject({ success: false, code: "invalid_state" });
    const kept = await at.ask("GET", "/api/user/self/export");
    expect(kept).toMatchObject({ account: { email } });
  });

  test("stays until the new one is proven, and is told of the change", async () => {
    const person = await provenPerson(gateway, mailbox);
    const { at, email } = person;
    const next = `next-${email}`;
    await at.ask("POST", set, { email: next, password });
    expect(await shownEmail(person)).toEqual([email, next]);
    await at.ask("POST", verify, { token: tokenIn(await mailbox.to(next)) });
    expect(await shownEmail(person)).toEqual([next, null]);
    const told = await mailbox.to(email, 2);
    expect(told.text).toContain(next);
  });

  test("needs the password, and is nothing that an access token may set", async () => {
    const { at, email, id } = await newPerson(gateway);
    const wrong = await at.call("POST", set, { email, password: "wrong password" });
    expect(wrong).toMatchObject({ code: "invalid_credentials", param: "password" });
    const missing = await at.call("POST", set, { email });
    expect(missing).toMatchObject({ code: "invalid_request", param: "password" });
    const { token } = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`, {});
    const bearer = { authorization: `Bearer ${token}`, cookie: "" };
    const byToken = await at.call("POST", set, { email, password }, bearer);
    expect(byToken.success).toBe(false);
    expect(mailbox.countTo(email)).toBe(0);
  });

  test("is blocked by nobody who cannot prove it, and one box is one address", async () => {
    const [squatter, owner] = [await newPerson(gateway), await newPerson(gateway)];
    const box = `${owner.username.replaceAll("-", "")}`;
    await squatter.at.ask("POST", set, { email: `${box}@gmail.com`, password });
    const token = tokenIn(await mailbox.to(`${box}@gmail.com`));
    const dotted = `${box.slice(0, 3)}.${box.slice(3)}+ai@GoogleMail.com`;
    await prove(owner, mailbox, dotted);
    const late = await squatter.at.call("POST", verify, { token });
    expect(late).toMatchObject({ success: false, code: "conflict" });
    expect(await shownEmail(squatter)).toEqual([null, `${box}@gmail.com`]);
  });

  test("that is none is refused by its name, and nothing is sent", async () => {
    const { at } = await newPerson(gateway);
    const begun = mailbox.begun;
    for (const email of [
      "ann",
      "ann@box",
      "ann@box.example, b@c.example",
      "a\r\nBcc: b@c.example",
    ]) {
      const answer = await at.call("POST", set, { email, password });
      expect(answer).toMatchObject({ success: false, param: "email" });
    }
    expect(mailbox.begun).toBe(begun);
  });

  test("is removed with the links that were sent to it, and its owner is told", async () => {
    const person = await provenPerson(gateway, mailbox);
    const { at, email, username } = person;
    await browserAt(gateway).ask("POST", "/api/user/reset", { who: username });
    const token = tokenIn(await mailbox.to(email, 2));
    await at.ask("POST", `${set}/remove`, { password });
    expect(await shownEmail(person)).toEqual([null, null]);
    expect((await mailbox.to(email, 3)).text).toContain("no e-mail address any more");
    const reset = { token, new_password: "another password" };
    const late = await browserAt(gateway).call("POST", "/api/user/reset/finish", reset);
    expect(late).toMatchObject({ success: false, code: "invalid_state" });
    expect(await at.call("POST", `${set}/remove`, { password })).toMatchObject({
      code: "not_found",
    });
  });

  test("of a link that is a day old is not proven by it", async () => {
    const { at, email } = await newPerson(gateway);
    await at.ask("POST", set, { email, password });
    const token = tokenIn(await mailbox.to(email));
    await gateway.pass(24 * 3600 + 1);
    const late = await browserAt(gateway).call("POST", verify, { token });
    expect(late).toMatchObject({ success: false, code: "invalid_state" });
  });
});

test("an account that is deleted leaves no address behind", async () => {
  const { at, id, email } = await provenPerson(gateway, mailbox);
  await at.ask("POST", "/api/user/self/erase", { password });
  const tables = ["account_email", "mail", "mail_token"];
  const read = tables.map((table) =>
    rowsOf(gateway, `select * from ${table} where account_id = '${id}'`),
  );
  expect((await Promise.all(read)).flat()).toEqual([]);
  const entries = await rowsOf(gateway, "select * from audit_entry");
  expect(JSON.stringify(entries)).not.toContain(email);
});

test("registration takes an address along, and its letter goes with the account", async () => {
  const username = `new-${crypto.randomUUID().slice(0, 8)}`;
  const email = `${username}@box.example`;
  const at = browserAt(gateway);
  await at.ask("POST", "/api/user/register", { username, password, email });
  await at.ask("POST", verify, { token: tokenIn(await mailbox.to(email)) });
  expect(await at.ask("GET", "/api/user/self")).toMatchObject({ email });
});

test("an invitation goes to its address as a link that registers", async () => {
  const email = `${crypto.randomUUID().slice(0, 8)}@box.example`;
  const body = { note: "for Bo", email };
  const { code } = await gateway.control<{ code: string }>("POST", "/api/invitation", body);
  const link = new URL(linkIn(await mailbox.to(email)));
  expect(link.origin + link.pathname).toBe(`${publicOrigin}/`);
  expect(link.searchParams.get("invitation")).toBe(code);
  const wrong = await gateway.controlEnvelope("POST", "/api/invitation", { email: "nobody" });
  expect(wrong).toMatchObject({ success: false });
});

test("a test of e-mail says whether the server took it", async () => {
  const to = `${crypto.randomUUID().slice(0, 8)}@box.example`;
  expect(await gateway.control("POST", "/api/mail/test", { to })).toEqual({
    to,
    delivered: true,
    error: null,
  });
  expect((await mailbox.to(to)).headers.get("subject")).toBe("A test of e-mail from Acme AI");
  mailbox.fault = { recipient: 550 };
  const refused = await gateway.control("POST", "/api/mail/test", { to });
  mailbox.fault = {};
  expect(refused).toMatchObject({
    delivered: false,
    error: expect.stringContaining("no such box"),
  });
});
