// The tables of how one gets in other than by API key.
import type { AccountId, InvitationId, SessionId, TokenId } from "../../core/ids.ts";
import type { SeatRole } from "./seat-role.ts";

export interface AccessTokenTable {
  id: TokenId;
  hash: string;
  account_id: AccountId;
  name: string;
  created_at_ms: number;
  expires_at_ms: number | null;
  /** It changes nothing. */
  read_only: 0 | 1;
  /** It acts in this organisation alone; null: as its account. */
  organisation_id: AccountId | null;
}

export interface SessionTable {
  id: SessionId;
  hash: string;
  account_id: AccountId;
  /** From where and with which browser it was opened, for its owner to recognise it by. */
  ip: string;
  agent: string;
  created_at_ms: number;
  seen_at_ms: number;
}

export interface InvitationTable {
  id: InvitationId;
  hash: string;
  note: string;
  uses_max: number;
  uses: number;
  expires_at_ms: number | null;
  created_by: AccountId;
  created_at_ms: number;
  /** It leads into this organisation, in that role; null: to an account of one's own. */
  organisation_id: AccountId | null;
  role: SeatRole | null;
  /** Role that accounts made by it have; null: a user's. */
  staff_role: string | null;
}
