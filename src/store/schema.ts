// The tables as the query builder sees them. Times are epoch milliseconds, money is micros, lists
// and objects are JSON text: the same in every engine.
import type { ChannelAuthor } from "../core/pass/credential-rules.ts";
import type { AccountId, AssetId, ChannelId, KeyId, RedemptionId, TaskId } from "../core/ids.ts";
import type { AccessTokenTable, InvitationTable, SessionTable } from "./people/access-schema.ts";
import type { ApiKeyTable } from "./api-key-table.ts";
import type { BudgetOpeningTable, BudgetTable } from "./tables/budget-table.ts";
import type { CapTable, HoldTable } from "./tables/cap-schema.ts";
import type { MailTables } from "./tables/mail-schema.ts";
import type { NoticeDeliveryTable, NoticeTable } from "./notice-schema.ts";
import type { ListedPriceTable, PriceTable } from "./price-tables.ts";
import type { OAuthFlowTable, OAuthIdentityTable } from "./people/oauth-schema.ts";
import type { OrganisationTables } from "./people/organisation-schema.ts";
import type { RoleTable } from "./people/role-schema.ts";
import type {
  PasskeyTable,
  ProfileTable,
  RecoveryCodeTable,
  SignInLinkTable,
  SpentTicketTable,
  TotpTable,
} from "./people/people-schema.ts";

export interface AccountTable {
  id: AccountId;
  /** An organisation is paid from like any account, and nobody signs in to it. */
  kind: "person" | "organisation";
  username: string;
  password_hash: string;
  role: "user" | "admin" | "root";
  /** Its role where that is none of these three. */
  staff_role: string | null;
  group_name: string;
  status: "enabled" | "disabled";
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  created_at_ms: number;
  /** Deleted for good: the row stays for the ledger, without a name and out of every list. */
  deleted_at_ms: number | null;
  /** It used more than it could pay, again and again, and an operator has to look at it. */
  waits_since_ms: number | null;
}

export interface GroupTable {
  name: string;
  multiplier_ppm: number;
  /** Criterion among channels of one priority. */
  prefer: "weight" | "cost" | "speed";
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
  /** Treatment of surcharges, by kind. */
  surcharges: string;
  drop_store: 0 | 1;
  allow_private: 0 | 1;
  allow_objects: 0 | 1;
  hidden_prompt_tokens: number;
  /** JSON: what its cloud has to know besides. */
  vendor: string | null;
  /** JSON: what its vendor takes. */
  cost: string;
  allow_routing: 0 | 1;
  affinity: 0 | 1;
  /** Sealed. */
  proxy: string | null;
  http2: 0 | 1;
  concurrency: number | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  key_requests_per_minute: number | null;
  key_tokens_per_minute: number | null;
  spend_per_day_micros: number | null;
  /** Null: the gateway's own. */
  first_byte_ms: number | null;
  stall_ms: number | null;
  total_ms: number | null;
  status: "enabled" | "disabled";
  declared: 0 | 1;
  /** The last one to set its address or its keys. */
  author: ChannelAuthor;
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
  /** The hold's. */
  caps: string | null;
}

export interface OriginTable {
  account_id: AccountId;
  digest: string;
  channel_id: ChannelId;
  key_digest: string;
  created_at_ms: number;
  model: string | null;
  /** Null of what an earlier version has written. */
  asker_id: AccountId | null;
}

export interface TaskTable {
  id: TaskId;
  kind: "video" | "image";
  account_id: AccountId;
  key_id: KeyId;
  group_name: string;
  family: string;
  model: string;
  job: string;
  price: string;
  held_micros: number;
  webhook_url: string | null;
  created_at_ms: number;
  deadline_at_ms: number;
  state: "submitting" | "unknown" | "queued" | "in_progress" | "completed" | "failed";
  progress: number;
  channel_id: ChannelId;
  key_digest: string;
  upstream_model: string;
  operation: string | null;
  result: string | null;
  delivered: string | null;
  error: string | null;
  next_poll_at_ms: number | null;
  completed_at_ms: number | null;
  deleted_at_ms: number | null;
  /** The node that looks after it; null when it has ended, or none does. */
  owner: string | null;
  lease_until_ms: number;
  /** Its request while it has not begun; '' where that lies in the media store. */
  request: string | null;
  /** The W3C context of the request that made it; null where that was not traced. */
  trace: string | null;
  /** The own word of the request that made it. */
  label: string | null;
}

export interface IdempotentCreateTable {
  account_id: AccountId;
  idempotency_key: string;
  body_digest: string;
  task_id: TaskId;
  created_at_ms: number;
}

/** An answer that is given again to who asks again under its key. */
export interface KeptAnswerTable {
  /** Digest of the account and of the client's key. */
  id: string;
  account_id: AccountId;
  body_digest: string;
  /** The request that made it, or makes it. */
  request_id: string;
  /** The node that makes it; null once it is made. */
  claimed_by: string | null;
  bytes: number;
  created_at_ms: number;
  /** Null while it is made, and where it was too large or had to go. */
  sealed: string | null;
}

export interface WebhookDeliveryTable {
  id: string;
  task_id: TaskId;
  event: string;
  url: string;
  body: string;
  attempts: number;
  next_attempt_at_ms: number | null;
  status: number | null;
  error: string | null;
  created_at_ms: number;
  delivered_at_ms: number | null;
  /** The latest of them, as JSON. */
  tries: string;
}

export interface AssetTable {
  id: AssetId;
  account_id: AccountId;
  name: string;
  kind: "image" | "video" | "audio";
  url: string;
  status: "processing" | "active" | "failed";
  /** JSON. */
  error: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  group_name: string;
  /** This and the next two: all null where no upstream has it. */
  channel_id: ChannelId | null;
  key_digest: string | null;
  upstream_reference: string | null;
}

export interface AuditEntryTable {
  id: string;
  at_ms: number;
  /** This and the next two: null where the configuration file is the actor. */
  actor_id: AccountId | null;
  actor_name: string | null;
  actor_role: string | null;
  carrier: "session" | "token" | "visitor" | "cli" | "config";
  ip: string | null;
  action: string;
  target_kind: string;
  target_id: string;
  /** JSON. */
  changes: string;
}

export interface RedemptionTable {
  id: RedemptionId;
  hash: string;
  shown: string;
  name: string;
  micros: number;
  expires_at_ms: number | null;
  created_by: AccountId;
  created_at_ms: number;
  redeemed_by: AccountId | null;
  redeemed_at_ms: number | null;
}

export interface AnnouncementTable {
  id: string;
  title: string;
  text: string;
  level: "info" | "warning";
  for_visitors: 0 | 1;
  starts_at_ms: number | null;
  ends_at_ms: number | null;
  created_by: AccountId;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface WebhookSecretTable {
  account_id: AccountId;
  version: number;
  rotated_at_ms: number;
}

/** Progress of a move of all rows: as a whole, and of each table. */
interface RelocationTable {
  /** The table; '' is the move as a whole. */
  part: string;
  move_id: string;
  state: "departing" | "departed" | "arriving" | "arrived" | "copying";
  /**
   * Place of the other end for the whole move; for a table, the last key that was copied, as JSON.
   */
  detail: string;
  row_count: number;
  at_ms: number;
}

export type { ApiKeyTable };

export interface Tables extends MailTables, OrganisationTables {
  /** An event that has happened once and stays so. */
  milestone: { name: string };
  /** Text that only the secret opens that the database was begun with. */
  canary: { name: string; sealed: string };
  /** A chore that one node at a time does for all, and when it was last begun. */
  chore: { name: string; done_at_ms: number };
  relocation: RelocationTable;
  oauth_identity: OAuthIdentityTable;
  oauth_flow: OAuthFlowTable;
  audit_entry: AuditEntryTable;
  redemption: RedemptionTable;
  announcement: AnnouncementTable;
  profile: ProfileTable;
  notice: NoticeTable;
  notice_delivery: NoticeDeliveryTable;
  webhook_secret: WebhookSecretTable;
  totp: TotpTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  spent_ticket: SpentTicketTable;
  sign_in_link: SignInLinkTable;
  asset: AssetTable;
  task: TaskTable;
  idempotent_create: IdempotentCreateTable;
  kept_answer: KeptAnswerTable;
  webhook_delivery: WebhookDeliveryTable;
  origin: OriginTable;
  account: AccountTable;
  access_token: AccessTokenTable;
  session: SessionTable;
  invitation: InvitationTable;
  role: RoleTable;
  api_key: ApiKeyTable;
  account_group: GroupTable;
  channel: ChannelTable;
  channel_key: ChannelKeyTable;
  price: PriceTable;
  virtual_model: { name: string; document: string; declared: 0 | 1 };
  list_row: ListedPriceTable;
  budget: BudgetTable;
  budget_opening: BudgetOpeningTable;
  ledger_account: LedgerAccountTable;
  ledger_key: LedgerKeyTable;
  account_balance: LedgerAccountTable;
  key_balance: LedgerKeyTable & { lent_micros: number; sliced_micros: number };
  cap: CapTable;
  cap_balance: CapTable & { lent_micros: number; sliced_micros: number };
  hold: HoldTable;
  entry: EntryTable;
}
