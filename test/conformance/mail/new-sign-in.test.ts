// A browser that has not signed in to an account before is told of by a letter, and one that has is
// not.
import { describe, expect, test } from "bun:test";
import { password, type Browser } from "../../harness/browser.ts";
import { enrolApp, firstHalf, secondHalf } from "../../harness/factors/sign-in.ts";
import { startGateway } from "../../harness/gateway.ts";
import { browserAt, mailConfig, newPerson, provenPerson } from "../../harness/mail/people.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() => startGateway({ config: mailConfig(mailbox) }));
const words = "A new browser signed in";
const known = "__Host-sluice-known";

const login = (at: Browser, username: string, secret = password) =>
  at.ask("POST", "/api/user/login", { username, password: secret });

describe("a sign-in", () => {
  test("by another browser is told of once, with where it came from", async () => {
    const { email, username } = await provenPerson(gateway, mailbox);
    const other = browserAt(gateway);
    await login(other, username);
    const { text } = await mailbox.about(email, words);
    expect(text).toContain("Browser: Firefox 140");
    expect(text).toMatch(/^Address: 10\.\d+\.\d+\.\d+$/m);
    await other.ask("POST", "/api/user/logout");
    await login(other, username);
    // Letters go in turn: one of the second sign-in would be there before that of the third.
    await login(browserAt(gateway), username);
    await mailbox.about(email, words, 2);
    expect(mailbox.countTo(email)).toBe(3);
  });

  test("is news again after another password, and by a mark that somebody made up", async () => {
    const { at, email, username } = await provenPerson(gateway, mailbox);
    const fresh = "another long password";
    const other = browserAt(gateway);
    await login(other, username);
    await mailbox.about(email, words);
    await at.ask("POST", "/api/user/password", {
      current_password: password,
      new_password: fresh,
    });
    await login(other, username, fresh);
    await mailbox.about(email, words, 2);
    const liar = browserAt(gateway);
    liar.cookies.set(known, `${"0".repeat(32)}.${"a".repeat(32)}`);
    await login(liar, username, fresh);
    await mailbox.about(email, words, 3);
  });

  test("of one account leaves the browser known to the other, and with no address nobody is told", async () => {
    const one = await provenPerson(gateway, mailbox);
    const bare = await newPerson(gateway);
    const here = browserAt(gateway);
    await login(here, one.username);
    await mailbox.about(one.email, words);
    await login(here, bare.username);
    expect((here.cookies.get(known) ?? "").split(".")).toHaveLength(2);
    await login(here, one.username);
    await login(browserAt(gateway), one.username);
    await mailbox.about(one.email, words, 2);
    expect([mailbox.countTo(one.email), mailbox.countTo(bare.email)]).toEqual([3, 0]);
  });

  test("with a second factor is told of when that was shown, and not before", async () => {
    const { at, email, username } = await provenPerson(gateway, mailbox);
    const { app } = await enrolApp(at);
    const here = browserAt(gateway);
    const { ticket } = await firstHalf(here, username);
    expect(here.cookies.has(known)).toBe(false);
    const { success } = await secondHalf(here, { ticket, code: app.next() });
    expect(success).toBe(true);
    await mailbox.about(email, words);
    expect(mailbox.countTo(email)).toBe(2);
  });
});
