// The tables of signing in through providers, as the query builder sees them.
import type { AccountId, IdentityId } from "../../core/ids.ts";

export interface OAuthIdentityTable {
  id: IdentityId;
  /** Provider by its name in the configuration. */
  provider: string;
  /** Issuer of the subject, so that a name given to another provider opens nobody's account. */
  issuer: string;
  subject: string;
  account_id: AccountId;
  /** This and the next as they were when it was last used, for its owner to recognise it by. */
  username: string;
  display_name: string;
  created_at_ms: number;
  used_at_ms: number;
  /** Role that the account has by the groups of this identity; null: none. */
  given_role: string | null;
}

/** A sign-in through a provider that is under way. */
export interface OAuthFlowTable {
  state_hash: string;
  browser_hash: string;
  /** Null until it is said. */
  provider: string | null;
  account_id: AccountId | null;
  /** Values that the provider is to be shown, and a code that lets make an account. */
  sealed: string;
  ends_at_ms: number;
}
