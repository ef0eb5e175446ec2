// API keys as the query builder sees them.
import type { AccountId, KeyId, ProjectId, SessionId } from "../core/ids.ts";

export interface ApiKeyTable {
  id: KeyId;
  hash: string;
  shown: string;
  account_id: AccountId;
  name: string;
  group_name: string;
  /** It has none of its own: its group is always that of its account. */
  follows_group: 0 | 1;
  models: string | null;
  allow_ips: string | null;
  /** JSON; null where the key has no names of its own. */
  model_mapping: string | null;
  expires_at_ms: number | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** JSON, by model; null where there are none. */
  model_requests_per_minute: string | null;
  model_tokens_per_minute: string | null;
  concurrency: number | null;
  log_content: 0 | 1;
  status: "enabled" | "disabled";
  declared: 0 | 1;
  created_at_ms: number;
  /** A revoked key stays for the ledger, out of every list. */
  deleted_at_ms: number | null;
  /** It is a page's, ends with this session and is in no list. */
  session_id: SessionId | null;
  /** The digest of the text before, which works on until then. */
  previous_hash: string | null;
  previous_until_ms: number | null;
  used_at_ms: number | null;
  /** Project of its organisation; null: none. */
  project_id: ProjectId | null;
  /** The member of its organisation that made it; null: the account's own, a service key. */
  maker_id: AccountId | null;
  /** Account that disabled it, where its maker may not enable it: the organisation, or a person. */
  disabled_by: AccountId | null;
}
