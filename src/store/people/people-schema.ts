// The tables of what people prove themselves by and set for themselves.
import type { AccountId, PasskeyId } from "../../core/ids.ts";

/** Settings of people for themselves. */
export interface ProfileTable {
  account_id: AccountId;
  display_name: string | null;
  language: string | null;
  /** IANA name of the zone. */
  zone: string | null;
  low_balance_micros: number | null;
  /** Is told when the balance or a key is low. */
  notice_url: string | null;
}

export interface TotpTable {
  account_id: AccountId;
  sealed: string;
  /** The last one that a code was taken for. */
  last_step: number;
  created_at_ms: number;
  /** Null until a first code has shown that the secret arrived. */
  confirmed_at_ms: number | null;
}

export interface RecoveryCodeTable {
  hash: string;
  account_id: AccountId;
}

export interface PasskeyTable {
  id: PasskeyId;
  account_id: AccountId;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_at_ms: number;
  used_at_ms: number | null;
}

/** A link that signs someone in once. */
export interface SignInLinkTable {
  /** The digest of its text. */
  hash: string;
  account_id: AccountId;
  /** The digest of the password hash at that time, so that another password ends the link. */
  proof: string;
  expires_at_ms: number;
}

export interface SpentTicketTable {
  id: string;
  expires_at_ms: number;
}
