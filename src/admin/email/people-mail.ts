// E-mail between the gateway and its people: the rules of the operator, who is written to in which
// language, and work that is done behind the answer, so that its time tells nothing.
import type { AccountId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";
import { findEmail } from "../../identity/email/queries.ts";
import { readLeaders } from "../../identity/organisations/queries.ts";
import type { AccountRow } from "../../identity/queries.ts";
import type { Posting, Recipient } from "../../mail/letter.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { readProfile } from "../user/queries.ts";
import type { MailAsks } from "./mail-asks.ts";

interface MailRules {
  /** An address is part of registering, and there are no keys before it is proven. */
  isRequired: boolean;
  /** Domains that addresses may be of; none: any. */
  domains: readonly string[];
  signsInByLink: boolean;
  /** The starting credit is for an address that is proven. */
  creditsProof: boolean;
}

interface PeopleMailNeeds {
  database: Database;
  log: Log;
  random: Random;
  outbox: Outbox;
  asks: MailAsks;
  rules: MailRules;
  site: { readonly defaultLanguage: string };
  /** Address at which people open the gateway: never the one that a request names. */
  baseUrl(): string;
  /** Keyed digest, by which an address that was credited is known again. */
  markOf(text: string): string;
}

/** 128 bits. */
const browserMarkLetters = 32;
/** Work that waits behind answers; more is a flood. */
const behindMax = 500;

export class PeopleMail {
  readonly #needs: PeopleMailNeeds;
  #behind: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(needs: PeopleMailNeeds) {
    this.#needs = needs;
  }

  get rules(): MailRules {
    return this.#needs.rules;
  }

  get asks(): MailAsks {
    return this.#needs.asks;
  }

  get outbox(): Outbox {
    return this.#needs.outbox;
  }

  get random(): Random {
    return this.#needs.random;
  }

  markOf(text: string): string {
    return this.#needs.markOf(text);
  }

  /** The fragment behind `#` is sent to no server, and so to no log. */
  linkOf(part: "email" | "reset" | "mail", token: string): string {
    return `${this.#needs.baseUrl()}/#${part}=${token}`;
  }

  invitationLinkOf(code: string): string {
    return `${this.#needs.baseUrl()}/?invitation=${encodeURIComponent(code)}`;
  }

  /** Into an organisation, which somebody takes who is signed in. */
  joinLinkOf(code: string): string {
    return `${this.#needs.baseUrl()}/#join=${encodeURIComponent(code)}`;
  }

  get defaultLanguage(): string {
    return this.#needs.site.defaultLanguage;
  }

  async languageOf(accountId: AccountId): Promise<string> {
    const { language } = await readProfile(this.#needs.database, accountId);
    return language ?? this.#needs.site.defaultLanguage;
  }

  /** The account's proven address; null where it has none. */
  async recipientOf(accountId: AccountId): Promise<Recipient | null> {
    const row = await findEmail(this.#needs.database, accountId);
    const language = await this.languageOf(accountId);
    const to = row?.address ?? null;
    return to === null ? null : { to, accountId, language };
  }

  /**
   * Carries a letter in the next commit to the account's own address, or to those of the owners and
   * admins of an organisation, as far as there are any, and to one more of its members.
   */
  async telling(
    written: { store: Store; database: Database },
    accountId: AccountId,
    letter: Posting["letter"],
    alsoTo: AccountId | null = null,
  ): Promise<{ store: Store; database: Database }> {
    const leading = await readLeaders(this.#needs.database, accountId);
    const ids = new Set([accountId, ...leading, ...(alsoTo === null ? [] : [alsoTo])]);
    const recipients = await Promise.all([...ids].map((id) => this.recipientOf(id)));
    const postings = recipients.flatMap((to) => (to ? [{ ...to, accountId, letter }] : []));
    return postings.length === 0 ? written : this.outbox.carrying(written, postings);
  }

  /** Mark of a browser that signed in to the account by this password; a new one starts afresh. */
  browserMark({ id, password_hash }: Pick<AccountRow, "id" | "password_hash">): string {
    return this.markOf(`browser ${id} ${password_hash}`).slice(0, browserMarkLetters);
  }

  /** One after the other, when whoever asked has long been answered. */
  behind(work: () => Promise<void>): void {
    if (this.#waiting >= behindMax) throw new GatewayError("overloaded");
    this.#waiting++;
    this.#behind = this.#behind
      .then(work)
      .catch((error: unknown) =>
        this.#needs.log.error("a letter could not be written", { error: describe(error) }),
      )
      .finally(() => {
        this.#waiting--;
      });
  }

  /** Resolves once all that was begun is written. */
  async close(): Promise<void> {
    await this.#behind;
  }
}

/** Throws where people have no e-mail here. */
export function mailOf({ mail }: { mail: PeopleMail | null }): PeopleMail {
  if (mail) return mail;
  const message = "This gateway sends no e-mail to people: mail.smtp or accounts.email is off.";
  throw new GatewayError("conflict", { message });
}
