// Gateways without a server for mail, or with addresses switched off: nobody has one, and all the
// rest is as ever.
import { expect, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { browserAt, mailConfig, newPerson, publicOrigin } from "../../harness/mail/people.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

const bodies: Readonly<Record<string, object>> = {
  "/api/user/self/email": { email: "ann@box.example", password },
  "/api/user/self/email/remove": { password },
  "/api/user/reset": { who: "root" },
  "/api/user/login/mail": { who: "root" },
};

test("where there is no server, or addresses are off, letters are refused and said to be off", async () => {
  await using mailbox = await Mailbox.open();
  const accounts = { registration: "open", starting_credit_micros: 5 };
  const server = { public_url: publicOrigin, trust_proxy: true };
  const configs = [
    JSON.stringify({ sandbox: "off", server, accounts }),
    mailConfig(mailbox, { accounts: { ...accounts, email: "off" } }),
  ];
  for (const config of configs) {
    await using gateway = await startGateway({ config });
    const { at } = await newPerson(gateway);
    for (const [path, body] of Object.entries(bodies)) {
      expect([path, (await at.call("POST", path, body)).code]).toEqual([path, "conflict"]);
    }
    const site = await at.ask("GET", "/api/site");
    expect(site).toMatchObject({ email: "off", mail_link: false });
    const named = { username: "bob", password, email: "bob@box.example" };
    const guest = browserAt(gateway);
    expect(await guest.call("POST", "/api/user/register", named)).toMatchObject({ param: "email" });
    await guest.ask("POST", "/api/user/register", { username: "bob", password });
    expect(await guest.ask("GET", "/api/user/self")).toMatchObject({ quota_micros: 5 });
  }
  expect(mailbox.begun).toBe(0);
});
