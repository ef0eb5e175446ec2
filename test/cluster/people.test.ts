// Organisations and letters of two gateways on one database: who left is out on both, the last
// owner stays whichever is asked, a letter is sent once, and whoever asks for one learns nothing of
// who has an account, since nothing is read before the answer.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { invite, newCompany } from "../harness/accounts/organisation.ts";
import { eventually } from "../harness/books.ts";
import { Browser, password } from "../harness/browser.ts";
import type { Gateway } from "../harness/gateway.ts";
import { browserAt, mailConfig, provenPerson, publicOrigin } from "../harness/mail/people.ts";
import { Pair } from "../harness/nodes/pair.ts";
import { Mailbox } from "../harness/notices/mailbox.ts";

setDefaultTimeout(60_000);

let mailbox: Mailbox;
let pair: Pair;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  const { mail, server } = JSON.parse(mailConfig(mailbox));
  const parts = {
    mail,
    server,
    accounts: { organisations: "everyone" },
    sign_in: { link: "on" },
  };
  const lines = Object.entries(parts).map(([name, part]) => `${name}: ${JSON.stringify(part)}`);
  pair = await Pair.start({ config: `${lines.join("\n")}\n` });
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

/** The same person at the other node, as behind a balancer. */
function move(browser: Browser, { url }: Gateway): Browser {
  const next = new Browser(url, { origin: publicOrigin });
  for (const [name, value] of browser.cookies) next.cookies.set(name, value);
  return next;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  await eventually(what, async () => ((await isSo()) ? true : undefined));
}

test("O3 a key of a member that was removed on one node ends on the other, with and without word of it", async () => {
  const { one, other } = pair;
  const status = async (key: string) => (await other.get("/v1/models", key)).status;
  for (const isDeaf of [false, true]) {
    pair.wire.isDeaf = isDeaf;
    const acme = await newCompany(one, `acme-${isDeaf}`);
    const { owner, member } = acme.people;
    const body = { name: "k", unlimited: true };
    const { key } = await member.ask<{ key: string }>("POST", `/api/token?${acme.as}`, body);
    await until("the key", async () => (await status(key)) === 200);
    await owner.ask("DELETE", `/api/organisation/${acme.id}/member/${acme.ids.member}`);
    await until("its end", async () => (await status(key)) === 401);
  }
  pair.wire.isDeaf = false;
});

test("O3 of two owners who leave on two nodes at once one stays", async () => {
  const { one, other } = pair;
  for (let times = 0; times < 5; times++) {
    const firm = await newCompany(one, `firm-${times}`);
    const { owner, admin, viewer } = firm.people;
    await invite(owner, firm, { browser: admin, role: "owner" });
    const leave = `/api/organisation/${firm.id}/leave`;
    const second = await browserAt(other).signIn(`${firm.name}-admin`);
    const ends = await Promise.all([owner.call("POST", leave), second.call("POST", leave)]);
    expect(ends.filter(({ success }) => success)).toHaveLength(1);
    type Members = { items: { role: string }[] };
    const { items } = await viewer.ask<Members>("GET", `/api/organisation/${firm.id}/member`);
    expect(items.filter(({ role }) => role === "owner")).toHaveLength(1);
  }
});

test("a letter is sent once, by whichever node", async () => {
  const { one, other } = pair;
  const people = [];
  for (let count = 0; count < 6; count++) people.push(await provenPerson(one, mailbox));
  for (const { username } of people) {
    await browserAt(other).ask("POST", "/api/user/reset", { who: username });
  }
  for (const { email } of people) await mailbox.about(email, "A new password");
  for (const { email } of people) expect(mailbox.countTo(email)).toBe(2);
});

/** Status, words and cookies that someone new is answered with; a cookie's text is random. */
async function askAnew(gateway: Gateway, path: string, who: string): Promise<string> {
  const browser = browserAt(gateway);
  const response = await browser.send("POST", path, { who });
  const cookies = [...browser.cookies].map(([name, { length }]) => `${name} ${length}`);
  return `${response.status} ${await response.text()} ${cookies}`;
}

test("asking for a letter is answered before anything is read, of whomever it is", async () => {
  const { one, other } = pair;
  const person = await provenPerson(one, mailbox);
  const second = await provenPerson(one, mailbox);
  const { email, username, at } = person;
  const asks = [
    [one, "/api/user/reset", person],
    [other, "/api/user/login/mail", second],
  ] as const;
  await using sql = new SQL(pair.url, { max: 1 });
  await sql.begin(async (held) => {
    await held.unsafe("lock table account, account_email, mail, mail_token, audit_entry");
    for (const [gateway, path, known] of asks) {
      const names = [known.username, known.email, "nobody", "nobody@box.example"];
      const answers = await Promise.all(names.map((who) => askAnew(gateway, path, who)));
      expect([path, [...new Set(answers)]]).toEqual([path, [answers[0] ?? ""]]);
      expect(answers[0]).toStartWith('200 {"success":true,"message":"","data":null}');
    }
  });
  await mailbox.about(email, "A new password", 2);
  await mailbox.to(second.email, 3);
  expect(await move(at, pair.other).isSignedIn()).toBe(true);
  const login = await browserAt(pair.other).call("POST", "/api/user/login", { username, password });
  expect(login.success).toBe(true);
});
