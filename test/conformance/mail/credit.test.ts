// Starting credit for a proven address: one for an account, one for an address.
import { expect, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { browserAt, mailConfig, prove, type Person } from "../../harness/mail/people.ts";
import { tokenIn } from "../../harness/mail/read-mail.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() =>
  startGateway({
    config: mailConfig(mailbox, {
      accounts: {
        registration: "open",
        email: "required",
        email_domains: ["box.example"],
        starting_credit_micros: 700_000,
        starting_credit_after: "email",
      },
    }),
  }),
);

const left = async ({ at }: Person) =>
  (await at.ask<{ quota_micros: number }>("GET", "/api/user/self")).quota_micros;

async function register(email = `${crypto.randomUUID().slice(0, 8)}@box.example`): Promise<Person> {
  const username = `new-${crypto.randomUUID().slice(0, 8)}`;
  const at = browserAt(gateway);
  const body = { username, password, email };
  const { id } = await at.ask<{ id: string }>("POST", "/api/user/register", body);
  return { id, username, email, at };
}

/** Proof by the letter that came with the registration. */
async function proveFirst({ at, email }: Person): Promise<void> {
  const token = tokenIn(await mailbox.to(email));
  await at.ask("POST", "/api/user/email/verify", { token });
}

test("a starting credit comes with the proof, once for the account whatever it proves later", async () => {
  const person = await register();
  expect(await left(person)).toBe(0);
  await proveFirst(person);
  expect(await left(person)).toBe(700_000);
  await prove(person, mailbox, `other-${person.email}`);
  expect(await left(person)).toBe(700_000);
});

test("an address is credited once, also when its account is deleted since", async () => {
  const first = await register();
  await proveFirst(first);
  await first.at.ask("POST", "/api/user/self/erase", { password });
  const second = await register(first.email.replace("@", "+again@"));
  await proveFirst(second);
  expect(await left(second)).toBe(0);
  await prove(second, mailbox, `third-${second.email}`);
  expect(await left(second)).toBe(700_000);
});

test("where an address is required, registration names it, its domain counts, and it is not removed", async () => {
  const at = browserAt(gateway);
  const named = { username: "who", password };
  expect(await at.call("POST", "/api/user/register", named)).toMatchObject({ param: "email" });
  const foreign = await at.call("POST", "/api/user/register", {
    ...named,
    email: "a@else.example",
  });
  expect(foreign).toMatchObject({ code: "invalid_request", param: "email" });
  expect(foreign.message).toContain("box.example");
  const person = await register();
  await proveFirst(person);
  const removal = await person.at.call("POST", "/api/user/self/email/remove", { password });
  expect(removal).toMatchObject({ success: false, code: "conflict" });
});
