// Tokens that go out in letters: random text of which the digest is kept, for one use.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import {
  deletesOfTokens,
  findMailToken,
  insertOfToken,
  type MailTokenRow,
} from "../../identity/email/queries.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { createMailToken, digest, readSpelt } from "../../identity/secrets.ts";
import { isEmailAddress, isOfDomains } from "../../identity/email/address.ts";
import type { CommitStep } from "../../store/database.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { PeopleMail } from "./people-mail.ts";

const minuteMs = 60_000;
const lifetimesMs: Readonly<Record<MailTokenRow["kind"], number>> = {
  verify: 24 * 60 * minuteMs,
  reset: 30 * minuteMs,
  sign_in: 30 * minuteMs,
};

interface MadeToken {
  text: string;
  expiresAtMs: number;
  /** The token takes the place of those of its kind. */
  steps: CommitStep[];
}

export function makeToken(
  { database, clock, mail }: Pick<NotingNeeds, "database" | "clock"> & { mail: PeopleMail },
  kind: MailTokenRow["kind"],
  facts: { account: Pick<AccountRow, "id" | "password_hash"> } & Partial<
    Pick<MailTokenRow, "address" | "browser" | "code">
  >,
): MadeToken {
  const { account, address = null, browser = null, code = null } = facts;
  const text = createMailToken(mail.random);
  const expiresAtMs = clock.nowMs() + lifetimesMs[kind];
  const hash = hashOf(text);
  const row: MailTokenRow = {
    hash,
    kind,
    account_id: account.id,
    proof: digest(account.password_hash),
    address,
    browser,
    code: code === null ? null : codeHash(hash, code),
    expires_at_ms: expiresAtMs,
  };
  const steps = [deletesOfTokens(database, account.id, kind), insertOfToken(database, row)];
  return { text, expiresAtMs, steps };
}

/** The same for whatever case and dashes it was copied in. */
function hashOf(text: string): string {
  return digest(readSpelt(text) ?? "");
}

function codeHash(tokenHash: string, code: string): string {
  return digest(`${tokenHash} ${code}`);
}

export function isCodeOf({ hash, code }: MailTokenRow, typed: string): boolean {
  return code === codeHash(hash, typed.replace(/\s/g, ""));
}

/** Throws for one that is over, of another kind, or of an account that nobody gets in to. */
export async function openToken(
  { database, clock }: Pick<NotingNeeds, "database" | "clock">,
  text: string,
  kind: MailTokenRow["kind"],
): Promise<{ token: MailTokenRow; account: AccountRow }> {
  const token = await findMailToken(database, hashOf(text));
  const account = token && (await findAccount(database, token.account_id));
  if (token?.kind !== kind || token.expires_at_ms <= clock.nowMs()) throw over();
  if (account?.status !== "enabled") throw over();
  return { token, account };
}

export function over(): GatewayError {
  return new GatewayError("invalid_state");
}

/** The address as it was typed, without blanks around it; throws the 400 that names it. */
export function readEmailInput({ rules }: PeopleMail, typed: string): string {
  const address = typed.trim();
  if (!isEmailAddress(address)) throw invalid("email", "must be an e-mail address");
  const { domains } = rules;
  if (isOfDomains(address, domains)) return address;
  throw invalid("email", `must be an address of ${domains.slice(0, 5).join(", ")}`);
}

/** An address to be proven: its row, its token and its letter. */
export async function stepsOfProof(
  needs: Pick<NotingNeeds, "database" | "clock"> & { mail: PeopleMail },
  account: Pick<AccountRow, "id" | "username" | "password_hash">,
  address: string,
) {
  const { mail } = needs;
  const { text, expiresAtMs, steps } = makeToken(needs, "verify", { account, address });
  const facts = { name: account.username, url: mail.linkOf("email", text) };
  const posting = {
    to: address,
    accountId: account.id as AccountId,
    language: await mail.languageOf(account.id),
    letter: { kind: "verify", facts } as const,
    expiresAtMs,
  };
  return { steps, postings: (await mail.outbox.isFull(address)) ? [] : [posting] };
}
