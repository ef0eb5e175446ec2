// Tables of e-mail: addresses of people, letters on their way, and the tokens in them.
import type { AccountId } from "../../core/ids.ts";

export interface AccountEmailTable {
  account_id: AccountId;
  /** Proven by a letter that came; null until then. */
  address: string | null;
  /** Its comparable form, unique among all accounts. */
  proven_key: string | null;
  proven_at_ms: number | null;
  /** Address that waits for its proof. */
  pending: string | null;
}

export interface MailTable {
  id: string;
  kind: string;
  /** Account that it is about; null where there is none yet. */
  account_id: AccountId | null;
  /** This and the data are null once the letter is sent or given up. */
  recipient: string | null;
  /** Digest of its comparable form, by which letters are counted. */
  recipient_key: string;
  language: string;
  /** Sealed, since there are tokens in it. */
  data: string | null;
  /** Header of the letter, the same for each try. */
  message_id: string;
  state: "waiting" | "sending" | "sent" | "failed";
  tries: number;
  /** Null when it is sent or given up. */
  next_at_ms: number | null;
  at_ms: number;
  /** After it nobody has any use for the letter. */
  expires_at_ms: number | null;
  sent_at_ms: number | null;
  error: string | null;
}

/** Token that went out in a letter, for one use. */
export interface MailTokenTable {
  /** The digest of its text. */
  hash: string;
  kind: "verify" | "reset" | "sign_in";
  account_id: AccountId;
  /** The digest of the password hash at that time, so that another password ends it. */
  proof: string;
  /** Address that it proves. */
  address: string | null;
  /** The digest of what only the browser has that asked. */
  browser: string | null;
  /** The digest of the digits by which another browser may use it. */
  code: string | null;
  expires_at_ms: number;
}

interface CreditedAddressTable {
  /** Keyed digest of the comparable form. */
  mark: string;
  account_id: AccountId;
}

export interface MailTables {
  account_email: AccountEmailTable;
  mail: MailTable;
  mail_token: MailTokenTable;
  /** Addresses that were given a starting credit. */
  credited_address: CreditedAddressTable;
}
