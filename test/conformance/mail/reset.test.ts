// A new password by e-mail: asks for the second factor, ends all sessions, and tells nobody who has
// an account.
import { describe, expect, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { enrolApp } from "../../harness/factors/sign-in.ts";
import { startGateway } from "../../harness/gateway.ts";
import {
  browserAt,
  mailConfig,
  newPerson,
  provenPerson,
  publicOrigin,
  type Person,
} from "../../harness/mail/people.ts";
import { linkIn, tokenIn } from "../../harness/mail/read-mail.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() => startGateway({ config: mailConfig(mailbox) }));
const ask = "/api/user/reset";
const finish = "/api/user/reset/finish";
const fresh = "another long password";

/** The token of the next letter to someone who asked. */
async function tokenFor({ email, username }: Person, who: string = username): Promise<string> {
  const times = mailbox.countTo(email) + 1;
  await browserAt(gateway).ask("POST", ask, { who });
  return tokenIn(await mailbox.to(email, times));
}

describe("a new password by e-mail", () => {
  test("is set once, ends every session, signs in, and is told of", async () => {
    const person = await provenPerson(gateway, mailbox);
    const { at, email, username } = person;
    const other = await browserAt(gateway).signIn(username);
    await browserAt(gateway).ask("POST", ask, { who: email.toUpperCase() });
    const letter = await mailbox.about(email, "A new password");
    expect(linkIn(letter)).toStartWith(`${publicOrigin}/#reset=`);
    const body = { token: tokenIn(letter), new_password: fresh };
    const here = browserAt(gateway);
    await here.ask("POST", finish, body);
    expect(await here.isSignedIn()).toBe(true);
    expect([await at.isSignedIn(), await other.isSignedIn()]).toEqual([false, false]);
    await browserAt(gateway).signIn(username, fresh);
    await mailbox.about(email, "was changed");
    const again = await browserAt(gateway).call("POST", finish, body);
    expect(again).toMatchObject({ success: false, code: "invalid_state" });
  });

  test("asks for the second factor where there is one, and spends nothing before", async () => {
    const person = await provenPerson(gateway, mailbox);
    const { app } = await enrolApp(person.at);
    const body = { token: await tokenFor(person), new_password: fresh };
    const here = browserAt(gateway);
    const asked = await here.ask<{ second_factor: string[]; ticket: string }>("POST", finish, body);
    expect(asked.second_factor).toEqual(["totp"]);
    expect(await here.isSignedIn()).toBe(false);
    const { ticket } = asked;
    const wrong = await here.call("POST", finish, { ...body, ticket, code: app.wrong() });
    expect(wrong).toMatchObject({ code: "invalid_credentials", param: "code" });
    const elsewhere = await browserAt(gateway).call("POST", finish, { ...body, ticket, code: "1" });
    expect(elsewhere).toMatchObject({ code: "invalid_state" });
    await browserAt(gateway).call("POST", "/api/user/login", {
      username: person.username,
      password,
    });
    await here.ask("POST", finish, { ...body, ticket, code: app.next() });
    expect(await here.isSignedIn()).toBe(true);
  });

  test("is over after half an hour, with another password, and by a newer letter", async () => {
    const person = await provenPerson(gateway, mailbox);
    const first = await tokenFor(person);
    const second = await tokenFor(person);
    const finished = (token: string) =>
      browserAt(gateway).call("POST", finish, { token, new_password: fresh });
    expect(await finished(first)).toMatchObject({ code: "invalid_state" });
    await person.at.ask("POST", "/api/user/password", {
      current_password: password,
      new_password: "yet another password",
    });
    expect(await finished(second)).toMatchObject({ code: "invalid_state" });
    await mailbox.to(person.email, 4);
    await gateway.pass(3601);
    const third = await tokenFor(person);
    await gateway.pass(30 * 60 + 1);
    expect(await finished(third)).toMatchObject({ code: "invalid_state" });
  });

  test("is not set by who has the box that was the account's before", async () => {
    const person = await provenPerson(gateway, mailbox);
    const token = await tokenFor(person);
    const next = `next-${person.email}`;
    await person.at.ask("POST", "/api/user/self/email", { email: next, password });
    const proof = { token: tokenIn(await mailbox.to(next)) };
    await person.at.ask("POST", "/api/user/email/verify", proof);
    const late = await browserAt(gateway).call("POST", finish, { token, new_password: fresh });
    expect(late).toMatchObject({ success: false, code: "invalid_state" });
    await browserAt(gateway).signIn(person.username, password);
  });

  test("of many at once with one token, one is set", async () => {
    const person = await provenPerson(gateway, mailbox);
    const token = await tokenFor(person);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        browserAt(gateway).call("POST", finish, { token, new_password: `${fresh} ${at}` }),
      ),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
  });
});

describe("whoever asks for a new password", () => {
  test("hears the same of names that are there, not there, disabled, and without an address", async () => {
    const known = await provenPerson(gateway, mailbox);
    const bare = await newPerson(gateway);
    const off = await provenPerson(gateway, mailbox);
    await gateway.control("DELETE", `/api/user/${off.id}`);
    const answers = new Set<string>();
    const letters = mailbox.mails.length;
    for (const who of ["nobody", "nobody@box.example", bare.username, off.email, off.username]) {
      const response = await browserAt(gateway).send("POST", ask, { who });
      answers.add(`${response.status} ${await response.text()}`);
    }
    const response = await browserAt(gateway).send("POST", ask, { who: known.username });
    answers.add(`${response.status} ${await response.text()}`);
    expect([...answers]).toEqual(['200 {"success":true,"message":"","data":null}']);
    // Letters are written behind the answers, one by one, so those before would be there.
    await mailbox.to(known.email, 2);
    expect(mailbox.mails.length).toBe(letters + 1);
  });

  test("does so three times an hour for a name, and ten times from an address", async () => {
    const { email, username } = await provenPerson(gateway, mailbox);
    const names = [username, username, username.toUpperCase()];
    for (const who of names) await browserAt(gateway).ask("POST", ask, { who });
    const refused = await browserAt(gateway).send("POST", ask, { who: username });
    expect(await refused.json()).toMatchObject({ code: "rate_limit_exceeded" });
    // The box had one to be proven and two of these: a third is not sent, by whatever name.
    await browserAt(gateway).ask("POST", ask, { who: email });
    const here = browserAt(gateway);
    for (let times = 0; times < 10; times++) await here.ask("POST", ask, { who: `no-${times}` });
    const eleventh = await here.call("POST", ask, { who: "no-11" });
    expect(eleventh).toMatchObject({ success: false, code: "rate_limit_exceeded" });
    const last = await provenPerson(gateway, mailbox);
    await tokenFor(last);
    expect(mailbox.countTo(email)).toBe(3);
    await gateway.pass(3601);
    await tokenFor({ ...last, email, username });
    expect(mailbox.countTo(email)).toBe(4);
    await here.ask("POST", ask, { who: "no-12" });
  });
});
