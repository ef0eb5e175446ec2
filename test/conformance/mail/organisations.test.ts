// Letters of organisations: those who lead one are written of its money, and people are invited by
// a link that opens no account.
import { beforeAll, describe, expect, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
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
import { completion, Vendor } from "../../harness/vendor.ts";

const callMicros = 100_000;
const vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() =>
  startGateway({
    config: mailConfig(mailbox, {
      notices: { check_seconds: 1 },
      accounts: { registration: "open", organisations: "everyone" },
      prices: [{ model: "m", call_micros: callMicros }],
      channels: [vendor.channel({ name: "main", models: ["m"] })],
    }),
  }),
);

interface Firm {
  id: string;
  as: string;
  owner: Person;
}

let firms = 0;

async function newFirm(): Promise<Firm> {
  const owner = await provenPerson(gateway, mailbox);
  const body = { name: `firm-${++firms}` };
  const { id } = await owner.at.ask<{ id: string }>("POST", "/api/organisation", body);
  return { id, as: `as=${id}`, owner };
}

async function joined({ as, owner }: Firm, role: string): Promise<Person> {
  const person = await provenPerson(gateway, mailbox);
  const { code } = await owner.at.ask<{ code: string }>("POST", `/api/invitation?${as}`, { role });
  await person.at.ask("POST", "/api/organisation/join", { code });
  return person;
}

describe("money of an organisation", () => {
  test("that runs low, and marks of its budgets, are written to its owners and admins", async () => {
    const firm = await newFirm();
    const { owner, as } = firm;
    const [admin, member, viewer] = [
      await joined(firm, "admin"),
      await joined(firm, "member"),
      await joined(firm, "viewer"),
    ];
    await admin.at.ask("PATCH", "/api/user/self", { language: "zh" });
    await gateway.control("POST", `/api/user/${firm.id}/credit`, {
      micros: 10 * callMicros,
      reason: "invoice",
    });
    await owner.at.ask("PATCH", `/api/user/self?${as}`, { low_balance_micros: 9.5 * callMicros });
    const budget = { name: "week", limit_micros: 2 * callMicros, marks: [50] };
    await owner.at.ask("POST", `/api/budget?${as}`, budget);
    const { key } = await owner.at.ask<{ key: string }>("POST", `/api/token?${as}`, {
      name: "k",
      unlimited: true,
    });
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), key)).status).toBe(200);
    const { text } = await mailbox.about(owner.email, "50 % of the budget week");
    expect(text).toContain("$0.10 of $0.20 is spent");
    await mailbox.about(owner.email, "$0.90 left");
    await mailbox.about(admin.email, "已用 50%");
    await mailbox.about(admin.email, "$0.90");
    expect([member, viewer].map(({ email }) => mailbox.countTo(email))).toEqual([1, 1]);
    expect([owner, admin].map(({ email }) => mailbox.countTo(email))).toEqual([3, 3]);
  });

  test("a mark of a member's budget is written to that member as well, and says whose it is", async () => {
    const firm = await newFirm();
    const { owner, as } = firm;
    const [spender, other] = [await joined(firm, "member"), await joined(firm, "member")];
    const credit = { micros: 10 * callMicros, reason: "invoice" };
    await gateway.control("POST", `/api/user/${firm.id}/credit`, credit);
    for (const scope of ["member", "key"]) {
      const budget = { name: `each ${scope}`, scope, limit_micros: 2 * callMicros, marks: [50] };
      await owner.at.ask("POST", `/api/budget?${as}`, budget);
    }
    const made = { name: "laptop", unlimited: true };
    const { key } = await spender.at.ask<{ key: string }>("POST", `/api/token?${as}`, made);
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), key)).status).toBe(200);
    const names = [spender.username, "laptop"];
    for (const { email } of [spender, owner]) {
      for (const [at, scope] of ["member", "key"].entries()) {
        const { text } = await mailbox.about(email, `50 % of the budget each ${scope}`);
        expect(text).toContain(`has reached 50 % for ${names[at]}: $0.10 of $0.20`);
      }
      expect(mailbox.countTo(email)).toBe(3);
    }
    expect(mailbox.countTo(other.email)).toBe(1);
  });

  test("a mark of one's own budget is written to one's own address, once a window", async () => {
    const person = await provenPerson(gateway, mailbox);
    await gateway.control("POST", `/api/user/${person.id}/credit`, {
      micros: 10 * callMicros,
      reason: "invoice",
    });
    const budget = { name: "mine", limit_micros: 2 * callMicros, marks: [50, 100] };
    await person.at.ask("POST", "/api/budget", budget);
    const made = { name: "k", unlimited: true };
    const { key } = await person.at.ask<{ key: string }>("POST", "/api/token", made);
    for (const percent of [50, 100]) {
      const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
      expect([percent, response.status]).toEqual([percent, 200]);
      await mailbox.about(person.email, `${percent} % of the budget mine`);
    }
    expect(mailbox.countTo(person.email)).toBe(3);
  });
});

describe("an invitation into an organisation", () => {
  let firm: Firm;
  beforeAll(async () => {
    firm = await newFirm();
  });

  test("goes to an address as a link that somebody takes who is signed in", async () => {
    const guest = await newPerson(gateway);
    const body = { role: "admin", email: guest.email };
    await firm.owner.at.ask("POST", `/api/invitation?${firm.as}`, body);
    const letter = await mailbox.to(guest.email);
    expect(letter.headers.get("subject")).toBe(`An invitation into firm-${firms} at Acme AI`);
    expect(letter.text).toContain(`${firm.owner.username} invites you`);
    expect(letter.text).toContain("as an admin");
    expect(linkIn(letter)).toStartWith(`${publicOrigin}/#join=`);
    const code = tokenIn(letter);
    const registering = { username: "by-code", password: "long password", invitation: code };
    const stranger = browserAt(gateway);
    await stranger.call("POST", "/api/user/register", registering);
    expect((await stranger.call("GET", "/api/organisation")).data ?? { items: [] }).toEqual({
      items: [],
    });
    const taken = await guest.at.ask("POST", "/api/organisation/join", { code });
    expect(taken).toMatchObject({ id: firm.id, role: "admin" });
  });

  test("is one of so many to a box, and of a sender, and a refusal makes no code", async () => {
    const { owner, as, id } = await newFirm();
    // From a network that has asked for nothing yet.
    const sender = await browserAt(gateway).signIn(owner.username);
    const box = `${crypto.randomUUID().slice(0, 8)}@box.example`;
    const send = (email: string) => sender.call("POST", `/api/invitation?${as}`, { email });
    for (let times = 0; times < 3; times++) expect((await send(box)).success).toBe(true);
    expect(await send(box)).toMatchObject({ code: "rate_limit_exceeded" });
    for (let times = 0; times < 7; times++) {
      expect((await send(`other-${times}-${box}`)).success).toBe(true);
    }
    expect(await send(`last-${box}`)).toMatchObject({ code: "rate_limit_exceeded" });
    const { total } = await owner.at.ask<{ total: number }>("GET", `/api/invitation?${as}`);
    expect([id, total]).toEqual([id, 10]);
    await mailbox.to(box, 3);
    expect(await send("a\r\nBcc: b@c.example")).toMatchObject({ param: "email" });
  });

  test("is not sent to a box that had its letters, whoever has it, in the same words", async () => {
    const known = await provenPerson(gateway, mailbox);
    for (let times = 0; times < 2; times++) {
      await browserAt(gateway).ask("POST", "/api/user/reset", { who: known.username });
    }
    await mailbox.to(known.email, 3);
    const { success } = await firm.owner.at.call("POST", `/api/invitation?${firm.as}`, {
      email: known.email,
    });
    expect(success).toBe(true);
    const free = `${crypto.randomUUID().slice(0, 8)}@box.example`;
    await firm.owner.at.ask("POST", `/api/invitation?${firm.as}`, { email: free });
    await mailbox.to(free);
    expect(mailbox.countTo(known.email)).toBe(3);
  });
});
