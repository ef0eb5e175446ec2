// Tables of notices, and of what was sent of them to whom.
import type { AccountId } from "../core/ids.ts";

/** A cause that needed a person. Of one cause at most one is open. */
export interface NoticeTable {
  id: string;
  cause: string;
  kind: string;
  /** Account that it is about; null where no account is. */
  account_id: AccountId | null;
  text: string;
  /** JSON. */
  details: string;
  at_ms: number;
  ended_at_ms: number | null;
}

export interface NoticeDeliveryTable {
  notice_id: string;
  /** Destination by its name in the configuration; "" is the account's own address. */
  destination: string;
  attempts: number;
  /** Null when it is delivered or given up. */
  next_attempt_at_ms: number | null;
  delivered_at_ms: number | null;
  error: string | null;
}
