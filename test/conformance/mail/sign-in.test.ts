// Sign-in by the link of a letter: in the browser that asked, or with the digits beside it.
import { describe, expect, test } from "bun:test";
import { enrolApp } from "../../harness/factors/sign-in.ts";
import { startGateway } from "../../harness/gateway.ts";
import { browserAt, mailConfig, provenPerson, publicOrigin } from "../../harness/mail/people.ts";
import { linkIn, tokenIn, type ReadMail } from "../../harness/mail/read-mail.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() =>
  startGateway({ config: mailConfig(mailbox, { sign_in: { link: "on" } }) }),
);
const ask = "/api/user/login/mail";
const finish = "/api/user/login/mail/finish";

function digitsIn({ text }: ReadMail): string {
  return /^\d{6}$/m.exec(text)?.[0] ?? "";
}

/** A browser that asked, and the letter that it got. */
async function asking() {
  const person = await provenPerson(gateway, mailbox);
  const here = browserAt(gateway);
  await here.ask("POST", ask, { who: person.email });
  return { person, here, letter: await mailbox.to(person.email, 2) };
}

describe("a sign-in by e-mail", () => {
  test("works once, in the browser that asked", async () => {
    const { person, here, letter } = await asking();
    expect(linkIn(letter)).toStartWith(`${publicOrigin}/#mail=`);
    const token = tokenIn(letter);
    expect(await here.ask("POST", finish, { token })).toMatchObject({ username: person.username });
    expect(await here.isSignedIn()).toBe(true);
    expect(await here.call("POST", finish, { token })).toMatchObject({ code: "invalid_state" });
  });

  test("asks any other browser for the digits, and wrong ones open nothing", async () => {
    const { letter } = await asking();
    const token = tokenIn(letter);
    const other = browserAt(gateway);
    const bare = await other.call("POST", finish, { token });
    expect(bare).toMatchObject({ code: "invalid_request", param: "code" });
    const right = digitsIn(letter);
    const code = right === "000000" ? "000001" : "000000";
    const wrong = await other.call("POST", finish, { token, code });
    expect(wrong).toMatchObject({ code: "invalid_credentials", param: "code" });
    await other.ask("POST", finish, { token, code: ` ${right.slice(0, 3)} ${right.slice(3)}` });
    expect(await other.isSignedIn()).toBe(true);
  });

  test("is slowed after ten wrong digits, from wherever they come", async () => {
    const { letter } = await asking();
    const token = tokenIn(letter);
    const code = digitsIn(letter) === "000000" ? "000001" : "000000";
    const answers: (string | undefined)[] = [];
    for (let times = 0; times < 13; times++) {
      answers.push((await browserAt(gateway).call("POST", finish, { token, code })).code);
    }
    expect(answers).toContain("rate_limit_exceeded");
    expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "invalid_credentials"));
  });

  test("asks for the second factor all the same", async () => {
    const person = await provenPerson(gateway, mailbox);
    const { app } = await enrolApp(person.at);
    const here = browserAt(gateway);
    await here.ask("POST", ask, { who: person.username });
    const token = tokenIn(await mailbox.to(person.email, 2));
    const { ticket } = await here.ask<{ ticket: string }>("POST", finish, { token });
    expect(await here.isSignedIn()).toBe(false);
    await here.ask("POST", "/api/user/login/second", { ticket, code: app.next() });
    expect(await here.isSignedIn()).toBe(true);
  });

  test("is asked for in the same words for names that are not there, and bound alike", async () => {
    const { here } = await asking();
    const stranger = browserAt(gateway);
    await stranger.ask("POST", ask, { who: "nobody" });
    expect([...stranger.cookies.keys()]).toEqual([...here.cookies.keys()]);
  });
});
