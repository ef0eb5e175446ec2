// Letters to people: the kinds there are, and the facts that each of them tells.
import type { AccountId } from "../core/ids.ts";
import type { SeatRole } from "../identity/role.ts";

export interface LetterFacts {
  verify: { name: string; url: string };
  reset: { name: string; url: string };
  sign_in: { name: string; url: string; code: string };
  password_changed: { name: string };
  address_changed: { name: string; address: string };
  new_sign_in: { name: string; ip: string; browser: string | null };
  invitation: { url: string };
  organisation_invitation: { url: string; by: string; organisation: string; role: SeatRole };
  low_balance: { name: string; left: string };
  budget_mark: {
    account: string;
    budget: string;
    /** The one whose window it is; null: of the whole account. */
    whose: string | null;
    percent: number;
    spent: string;
    limit: string;
  };
  test: { by: string };
}
export type LetterKind = keyof LetterFacts;

export interface LetterOf<Kind extends LetterKind> {
  kind: Kind;
  facts: LetterFacts[Kind];
}
export type Letter = { [Kind in LetterKind]: LetterOf<Kind> }[LetterKind];

export interface Recipient {
  to: string;
  /** Account that the letter is about; null where there is none yet. */
  accountId: AccountId | null;
  /** A tag; where letters have no words of it, they are in English. */
  language: string;
}

/** A letter as it is put into the outbox. */
export interface Posting extends Recipient {
  letter: Letter;
  /** After it nobody has any use for the letter, such as when its link is over. */
  expiresAtMs?: number;
}
