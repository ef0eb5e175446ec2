// Codes for credit, announcements and the audit log as they go over the wire.
/** A code that is worth credit, once. */
export interface RedemptionView {
  id: string;
  /** Enough to recognise the code by. */
  shown: string;
  name: string;
  micros: number;
  status: "open" | "expired" | "redeemed";
  expires_at: number | null;
  created_at: number;
  /** The user name of who redeemed it. */
  redeemed_by: string | null;
  redeemed_at: number | null;
}

export interface CreatedRedemption extends RedemptionView {
  /** The full text, shown this once. */
  code: string;
}

export interface RedeemedView {
  /** What it was worth. */
  micros: number;
  quota_micros: number | null;
}

/** Plain text. */
export interface AnnouncementView {
  id: string;
  title: string;
  text: string;
  /** Null: from the start, or for good. */
  starts_at: number | null;
  ends_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Who did what to which thing. Entries never change. */
export interface AuditView {
  id: string;
  at: number;
  /** The account's name; null where the configuration file did it. */
  actor: string | null;
  actor_id: string | null;
  actor_role: "user" | "admin" | "root" | null;
  carrier: "session" | "token" | "visitor" | "cli" | "config";
  ip: string | null;
  action: string;
  target_kind: string;
  target_id: string;
  /** The fields of a new thing, or of each that differs `{from, to}`. Never a secret. */
  changes: Record<string, unknown>;
}
