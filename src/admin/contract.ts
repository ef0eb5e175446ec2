// What goes over the wire of the control plane, in its words. Types only: the console imports them.
import type { ApiKeyInput, ChannelInput, GroupInput, PriceInput } from "../config/entities.ts";
import type { Listed } from "./contract/reply.ts";

export type { ApiKeyInput, ChannelInput, GroupInput, Listed, PriceInput };
export type { IdentityView, ProviderView, StateReply } from "./contract/oauth.ts";
export type { Failure, Reply, Success } from "./contract/reply.ts";
export type {
  EnrolledFactor,
  EnrolledPasskey,
  PasskeyAsk,
  RecoveryCodes,
  SecondFactorAsk,
  SecondFactorView,
  TotpBegun,
} from "./contract/second-factor.ts";
export type {
  AnnouncementView,
  AuditView,
  CreatedRedemption,
  RedeemedView,
  RedemptionView,
} from "./contract/records.ts";

export type Status = "enabled" | "disabled";
export type Role = "user" | "admin" | "root";

/** Null: no limit. */
export interface Rates {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
}

/** Keys of an upstream are write-only: this is all that is ever shown of one. */
export interface ChannelKeyView {
  last4: string;
  status: Status;
  /** Why it was disabled. */
  reason: string | null;
}

export interface ChannelView extends Required<
  Omit<ChannelInput, "key" | "keys" | "format" | "concurrency" | "type" | "proxy">
> {
  id: string;
  type: string;
  /** Null: by type. */
  format: string | null;
  concurrency: number | null;
  /** Without its credentials. */
  proxy: string | null;
  keys: ChannelKeyView[];
  /** True when the configuration file declares it. */
  declared: boolean;
  health: { ejected: boolean };
  in_flight: number;
  /** Unix seconds, as every time here. */
  created_at: number;
  updated_at: number;
}

export interface ChannelTest {
  ok: boolean;
  /** The upstream's status; null when it did not answer. */
  status: number | null;
  latency_ms: number;
  message: string;
  model: string;
  /** Which of the channel's keys was used, counted from 0. */
  key: number;
  /** What was tried: a tiny answer, or without any work the key, or only the address. */
  checked: "answer" | "key" | "address";
}

export interface KeyView extends Rates {
  id: string;
  name: string;
  /** Enough to recognise the key by. */
  shown: string;
  /** The user name of the account that pays. */
  account: string;
  group: string;
  unlimited: boolean;
  /** What it may spend in all; null when unlimited. */
  quota_micros: number | null;
  used_micros: number;
  held_micros: number;
  models: string[] | null;
  expires_at: number | null;
  allow_ips: string[] | null;
  status: Status;
  declared: boolean;
  created_at: number;
}

export interface CreatedKey extends KeyView {
  /** The full text, shown this once. */
  key: string;
}

export interface GroupView extends Rates {
  name: string;
  multiplier: number;
  declared: boolean;
}

export interface PriceView extends PriceInput {
  /** An operator's own price replaces the catalogue's. */
  source: "own" | "catalogue";
  declared: boolean;
}

export interface UserView extends Rates {
  id: string;
  username: string;
  role: Role;
  group: string;
  status: Status;
  /** What is available; null when unlimited. */
  quota_micros: number | null;
  held_micros: number;
  used_micros: number;
  created_at: number;
}

export type SelfView = Pick<
  UserView,
  "id" | "username" | "role" | "group" | "quota_micros" | "held_micros" | "used_micros"
>;

export interface CreditCreate {
  /** Negative takes back at most what is left. */
  micros: number;
  reason: string;
  /** The same id is credited once, however often it is sent. */
  id?: string;
}

export interface CreditView {
  id: string;
  /** What was given, or taken. */
  micros: number;
  quota_micros: number | null;
}

export interface AccessTokenView {
  id: string;
  name: string;
  /** The full text, shown this once. */
  token: string;
  expires_at: number | null;
}

/** A token as it is listed: its text was shown once. */
export type ListedAccessToken = Omit<AccessTokenView, "token"> & { created_at: number };

export interface SessionView {
  id: string;
  /** The one that this list was asked for in. */
  current: boolean;
  /** From where and with which browser it was opened. */
  ip: string;
  agent: string;
  created_at: number;
  last_used_at: number;
  /** If it is not used again until then. */
  expires_at: number;
}

export interface InvitationView {
  id: string;
  note: string;
  uses: number;
  uses_max: number;
  expires_at: number | null;
  created_at: number;
}

export interface CreatedInvitation extends InvitationView {
  /** The full text, shown this once. */
  code: string;
}

export interface LogView {
  /** Unix seconds with milliseconds behind the point. */
  time: number;
  /** Of a task, the task's id. */
  request_id: string;
  /** A request, or the end of a task that a request before it made. */
  kind: "request" | "task";
  /** The task that the request made, or that ended. */
  task_id: string | null;
  key_id: string;
  key_name: string;
  group: string;
  route: string;
  model: string;
  status: number;
  outcome: string;
  stream: boolean;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  images: number;
  /** The length of what was made, of videos and sounds. */
  seconds: number;
  estimated: boolean;
  micros: number;
  latency_ms: number;
  first_byte_ms: number | null;
  ip: string;
  error_code: string | null;
  /** For admins only, as are the rest. */
  account?: string;
  channel?: string | null;
  channel_id?: string | null;
  attempts?: number;
}

export interface ListedLog extends Listed<LogView> {
  /** False when `total` is only what was counted, and there may be more. */
  total_is_exact: boolean;
  /** The `cursor` of the next page; null at the end of the log. */
  next: string | null;
}

export interface UsageSums {
  requests: number;
  /** Those that were refused or failed; a client that left has had no failure. */
  failures: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  images: number;
  seconds: number;
  micros: number;
}

/** Has of the first fields those that were asked for by `by`. */
export interface UsageView extends UsageSums {
  /** A day of UTC, such as 2026-11-30. */
  day?: string;
  /** Empty for requests that reached no channel. */
  model?: string;
  key_id?: string;
  key_name?: string;
  /** For admins only, as are the rest. */
  account?: string;
  /** Empty where no channel served it. */
  channel_id?: string;
  channel?: string | null;
}

export interface ListedUsage extends Listed<UsageView> {
  /** The first day, and the first after the last. */
  from: string;
  to: string;
  /** Of all that was found, on whatever page. */
  sum: UsageSums;
}

/** Work that a vendor does while nobody waits. */
export interface TaskView {
  id: string;
  kind: "video" | "image";
  account: string;
  key_id: string;
  group: string;
  family: string;
  model: string;
  state: "submitting" | "unknown" | "queued" | "in_progress" | "completed" | "failed";
  /** Percent. */
  progress: number;
  channel_id: string;
  /** Null when the channel is gone. */
  channel: string | null;
  upstream_model: string;
  /** What is held for it until it has ended. */
  held_micros: number;
  /** What it was charged; null until it has ended. */
  micros: number | null;
  /** What the vendor may charge all the same. */
  loss_micros: number | null;
  error: { code: string; message: string } | null;
  webhook_url: string | null;
  created_at: number;
  /** When it has failed unless it has ended before. */
  deadline_at: number;
  completed_at: number | null;
  deleted_at: number | null;
}

/** A task as its owner sees it: nothing of where it runs. */
export type OwnTaskView = Omit<
  TaskView,
  "account" | "channel" | "channel_id" | "upstream_model" | "loss_micros"
>;

export interface WebhookDeliveryView {
  id: string;
  task_id: string;
  account: string;
  event: string;
  url: string;
  attempts: number;
  /** Of the last answer; null when none came. */
  status: number | null;
  error: string | null;
  created_at: number;
  /** Null when it is delivered or given up. */
  next_attempt_at: number | null;
  delivered_at: number | null;
}

/** A delivery as its owner sees it. */
export type OwnDeliveryView = Omit<WebhookDeliveryView, "account">;

export interface WebhookSecret {
  secret: string;
  /** True while calls also have the signature of the secret before. */
  overlaps: boolean;
}

export interface StatusView {
  version: string;
  uptime_seconds: number;
  channels: { enabled: number; ejected: number };
  journal: { queue: number; oldest_ms: number };
  accepts_paid_work: boolean;
  /** What stands in the way of paid work. */
  obstacles: string[];
}
