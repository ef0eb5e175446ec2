// People with e-mail at a gateway of a test, each from an address of their own.
import { Browser, password } from "../browser.ts";
import type { Gateway } from "../gateway.ts";
import { mailPassword, mailUser, type Mailbox } from "../notices/mailbox.ts";
import { tokenIn } from "./read-mail.ts";

export const publicOrigin = "https://gate.example";

/** Settings of a gateway that sends by this server. */
export function mailConfig({ port }: Mailbox, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    sandbox: "off",
    server: { public_url: publicOrigin, trust_proxy: true },
    site: { name: "Acme AI" },
    mail: {
      smtp: {
        host: "127.0.0.1",
        port,
        tls: "none",
        user: mailUser,
        password: mailPassword,
        from: "sluice@gateway.example",
      },
    },
    ...more,
  });
}

let addresses = 0;

/** A browser in a network that nobody else is in. */
export function browserAt({ url }: Gateway): Browser {
  const count = ++addresses;
  const ip = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
  const headers = { "x-forwarded-for": ip, "user-agent": "Firefox/140" };
  return new Browser(url, { origin: publicOrigin, headers });
}

export interface Person {
  id: string;
  username: string;
  email: string;
  at: Browser;
}

/** Someone who is signed in and has no address yet. */
export async function newPerson(gateway: Gateway, role = "user"): Promise<Person> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, role };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  const at = await browserAt(gateway).signIn(username);
  return { id, username, email: `${username}@box.example`, at };
}

export async function prove(
  { at, email }: Person,
  mailbox: Mailbox,
  address: string = email,
): Promise<void> {
  const times = mailbox.countTo(address) + 1;
  await at.ask("POST", "/api/user/self/email", { email: address, password });
  const token = tokenIn(await mailbox.to(address, times));
  await at.ask("POST", "/api/user/email/verify", { token });
}

/** Someone whose address is proven. */
export async function provenPerson(
  gateway: Gateway,
  mailbox: Mailbox,
  role = "user",
): Promise<Person> {
  const person = await newPerson(gateway, role);
  await prove(person, mailbox);
  return person;
}

export async function shownEmail({ at }: Person): Promise<(string | null)[]> {
  type Shown = { email: string | null; email_pending: string | null };
  const { email, email_pending } = await at.ask<Shown>("GET", "/api/user/self");
  return [email, email_pending];
}
