// Letters that a visitor may ask for: a new password, or a link that signs in. Whoever asks is
// answered at once and alike; whether there is such an account is looked up behind the answer.
import { findAccountByEmail } from "../../identity/email/queries.ts";
import { comparableAddress } from "../../identity/email/address.ts";
import { findAccountByName, type AccountRow } from "../../identity/queries.ts";
import { createDigits, digest } from "../../identity/secrets.ts";
import type { Recipient } from "../../mail/letter.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import { noting, strangerActor } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { GatewayError } from "../../core/errors.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { Visitor } from "../session/visitor.ts";
import type { MailAskCalls } from "./contract.ts";
import { mailOf, type PeopleMail } from "./people-mail.ts";
import { makeToken } from "./tokens.ts";

export async function askReset(
  needs: SignInNeeds,
  { ip }: Visitor,
  { body: { who } }: InputOf<MailAskCalls["askReset"]>,
): Promise<null> {
  const mail = mailOf(needs);
  mail.asks.count(who, ip);
  mail.behind(async () => {
    const person = await find(needs, mail, who);
    if (person) await sendReset(needs, mail, { ...person, ip });
  });
  return null;
}

/** Returns the mark that the asking browser is to keep. */
export async function askLink(
  needs: SignInNeeds,
  { ip }: Visitor,
  { body: { who } }: InputOf<MailAskCalls["askLink"]>,
): Promise<{ mark: string }> {
  const mail = mailOf(needs);
  if (!mail.rules.signsInByLink) {
    const message = "Nobody signs in by e-mail here: sign_in.link is off.";
    throw new GatewayError("conflict", { message });
  }
  mail.asks.count(who, ip);
  const mark = needs.secondFactors.tickets.secret();
  mail.behind(async () => {
    const person = await find(needs, mail, who);
    if (person) await sendLink(needs, mail, { ...person, ip, mark });
  });
  return { mark };
}

interface Person {
  account: AccountRow;
  recipient: Recipient;
}

/** An address comes before a name, which may look like another's address. */
async function find(needs: SignInNeeds, mail: PeopleMail, who: string): Promise<Person | null> {
  const account = await findPerson(needs.database, who);
  if (account?.status !== "enabled") return null;
  const recipient = await mail.recipientOf(account.id);
  if (recipient === null || (await mail.outbox.isFull(recipient.to))) return null;
  return { account, recipient };
}

async function findPerson(database: Database, who: string): Promise<AccountRow | null> {
  const key = comparableAddress(who);
  const byAddress = key === null ? null : await findAccountByEmail(database, key);
  return byAddress ?? (await findAccountByName(database, who.trim()));
}

async function sendReset(
  needs: SignInNeeds,
  mail: PeopleMail,
  { account, recipient, ip }: Person & { ip: string },
): Promise<void> {
  const { text, expiresAtMs, steps } = makeToken({ ...needs, mail }, "reset", { account });
  const facts = { name: account.username, url: mail.linkOf("reset", text) };
  const posting = { ...recipient, letter: { kind: "reset", facts } as const, expiresAtMs };
  const note = { action: "user.reset_asked", target: account.id } as const;
  const { store } = mail.outbox.carrying(noting(needs, strangerActor(ip), note), [posting]);
  await commitTogether(store, steps);
}

async function sendLink(
  needs: SignInNeeds,
  mail: PeopleMail,
  { account, recipient, ip, mark }: Person & { ip: string; mark: string },
): Promise<void> {
  const code = createDigits(mail.random);
  const bound = { account, browser: digest(mark), code };
  const { text, expiresAtMs, steps } = makeToken({ ...needs, mail }, "sign_in", bound);
  const facts = { name: account.username, url: mail.linkOf("mail", text), code };
  const posting = { ...recipient, letter: { kind: "sign_in", facts } as const, expiresAtMs };
  const note = { action: "user.link_asked", target: account.id } as const;
  const { store } = mail.outbox.carrying(noting(needs, strangerActor(ip), note), [posting]);
  await commitTogether(store, steps);
}
