// The tables as the query builder sees them. Times are epoch milliseconds, money is micros, lists
// and objects are JSON text: the same in every engine.
import type { AccountId, ChannelId, KeyId, TokenId } from "../core/ids.ts";

export interface AccountTable {
  id: AccountId;
  username: string;
  password_hash: string;
  role: "user" | "admin" | "root";
  group_name: string;
  status: "enabled" | "disabled";
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  created_at_ms: number;
}

export interface AccessTokenTable {
  id: TokenId;
  hash: string;
  account_id: AccountId;
  name: string;
  created_at_ms: number;
  expires_at_ms: number | null;
}

export interface ApiKeyTable {
  id: KeyId;
  hash: string;
  shown: string;
  account_id: AccountId;
  name: string;
  group_name: string;
  models: string | null;
  allow_ips: string | null;
  expires_at_ms: number | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  status: "enabled" | "disabled";
  declared: 0 | 1;
  created_at_ms: number;
  /** A revoked key stays for the ledger, out of every list. */
  deleted_at_ms: number | null;
}

export interface GroupTable {
  name: string;
  multiplier_ppm: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  declared: 0 | 1;
}

export interface ChannelTable {
  id: ChannelId;
  name: string;
  type: string;
  format: string | null;
  base_url: string;
  models: string;
  groups: string;
  priority: number;
  weight: number;
  model_mapping: string;
  parameters: string;
  headers: string;
  drop_store: 0 | 1;
  allow_private: 0 | 1;
  concurrency: number | null;
  status: "enabled" | "disabled";
  declared: 0 | 1;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface ChannelKeyTable {
  channel_id: ChannelId;
  position: number;
  sealed: string;
  last4: string;
  status: "enabled" | "disabled";
  reason: string | null;
}

export interface PriceTable {
  model: string;
  document: string;
  declared: 0 | 1;
}

export interface LedgerAccountTable {
  account_id: AccountId;
  unlimited: 0 | 1;
  granted_micros: number;
  available_micros: number;
  held_micros: number;
  spent_micros: number;
}

export interface LedgerKeyTable {
  key_id: KeyId;
  account_id: AccountId;
  limit_micros: number | null;
  held_micros: number;
  spent_micros: number;
}

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
}

export interface EntryTable {
  id: string;
  kind: "grant" | "post" | "void";
  account_id: AccountId;
  key_id: KeyId | null;
  group_name: string | null;
  model: string | null;
  held_micros: number;
  micros: number;
  loss_micros: number;
  price: string | null;
  usage: string | null;
  reason: string | null;
  actor: string | null;
  at_ms: number;
}

export interface OriginTable {
  account_id: AccountId;
  digest: string;
  channel_id: ChannelId;
  key_digest: string;
  created_at_ms: number;
}

export interface Tables {
  origin: OriginTable;
  account: AccountTable;
  access_token: AccessTokenTable;
  api_key: ApiKeyTable;
  account_group: GroupTable;
  channel: ChannelTable;
  channel_key: ChannelKeyTable;
  price: PriceTable;
  ledger_account: LedgerAccountTable;
  ledger_key: LedgerKeyTable;
  hold: HoldTable;
  entry: EntryTable;
}
