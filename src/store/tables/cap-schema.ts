// Holds and the caps that they are taken under, as the query builder sees them.
import type { AccountId, KeyId } from "../../core/ids.ts";

export interface HoldTable {
  id: string;
  kind: "request" | "task";
  account_id: AccountId;
  key_id: KeyId;
  group_name: string;
  model: string;
  micros: number;
  price: string;
  created_at_ms: number;
  /** Ids of the caps that it was taken under, blanks between; null: none. */
  caps: string | null;
}

/** Window of a budget, as far as money counts in it. */
export interface CapTable {
  id: string;
  budget_id: string;
  account_id: AccountId;
  subject_id: string | null;
  mode: "hard" | "stop" | "watch";
  opened_at_ms: number;
  closes_at_ms: number | null;
  limit_micros: number;
  /** Limit of the budget that is part of it; null: an earlier version made it and kept no parts. */
  budget_micros: number | null;
  carried_micros: number | null;
  /** Added for this window alone; negative where its limit was lowered. */
  raised_micros: number | null;
  /** The highest limit that it was lowered from; 0 where it never was. */
  lowered_from_micros: number;
  held_micros: number;
  spent_micros: number;
}
