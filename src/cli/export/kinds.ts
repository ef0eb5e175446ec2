// Contents of an export: which table each kind of line is of, and what of its columns is for those
// alone who ask for secrets. docs/export.md says what each of them means.
import { ApiKeyInput } from "../../config/entities.ts";
import type { ChannelId } from "../../core/ids.ts";
import type { Seal } from "../../core/seal.ts";
import { openHeaders } from "../../distribution/channel-headers.ts";

interface SealedColumn {
  column: string;
  as: string;
  /** Throws, or has null, where another secret sealed it. */
  open(seal: Seal, text: string, row: Readonly<Record<string, unknown>>): unknown;
}

export interface ExportKind {
  kind: string;
  table: string;
  /** Kept as JSON text. */
  json?: readonly string[];
  /** Left out unless secrets are asked for. */
  secret?: readonly string[];
  /** Opened where secrets are asked for. */
  sealed?: readonly SealedColumn[];
}

/** Fields that a text of JSON keeps, as no column of a row can. */
function listsAndObjectsOf(properties: Readonly<Record<string, object>>): string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    "type" in schema && (schema.type === "array" || schema.type === "object") ? [name] : [],
  );
}

export const mainKinds: readonly ExportKind[] = [
  { kind: "group", table: "account_group" },
  { kind: "role", table: "role", json: ["permissions"] },
  { kind: "account", table: "account", secret: ["password_hash"] },
  { kind: "balance", table: "ledger_account" },
  {
    kind: "key",
    table: "api_key",
    json: listsAndObjectsOf(ApiKeyInput.properties),
    secret: ["hash", "previous_hash"],
  },
  { kind: "key_balance", table: "ledger_key" },
  {
    kind: "channel",
    table: "channel",
    json: ["models", "groups", "model_mapping", "parameters", "surcharges"],
    secret: ["parameters"],
    sealed: [
      { column: "proxy", as: "proxy", open: (seal, text, { id }) => seal.open(text, String(id)) },
      {
        column: "headers",
        as: "headers",
        open: (seal, headers, { id }) => openHeaders(seal, { id: id as ChannelId, headers }),
      },
    ],
  },
  {
    kind: "channel_key",
    table: "channel_key",
    sealed: [
      {
        column: "sealed",
        as: "text",
        open: (seal, text, { channel_id: channel }) => seal.open(text, String(channel)),
      },
    ],
  },
  { kind: "price", table: "price", json: ["document"] },
  { kind: "list_price", table: "list_row", json: ["document"] },
  { kind: "virtual_model", table: "virtual_model", json: ["document"] },
  { kind: "budget", table: "budget", json: ["models", "marks"] },
  { kind: "budget_opening", table: "budget_opening" },
  { kind: "cap", table: "cap" },
  { kind: "entry", table: "entry" },
  { kind: "hold", table: "hold" },
  { kind: "task", table: "task", json: ["job", "result", "delivered", "error"] },
  { kind: "asset", table: "asset", json: ["error"] },
  { kind: "organisation", table: "organisation", json: ["key_rules"] },
  { kind: "member", table: "member" },
  { kind: "project", table: "project" },
  { kind: "invitation", table: "invitation", secret: ["hash"] },
  { kind: "redemption", table: "redemption", secret: ["hash"] },
  { kind: "announcement", table: "announcement" },
  { kind: "profile", table: "profile" },
  { kind: "model_note", table: "model_note" },
  { kind: "access_token", table: "access_token", secret: ["hash"] },
  { kind: "identity", table: "oauth_identity" },
  {
    kind: "totp",
    table: "totp",
    sealed: [
      {
        column: "sealed",
        as: "secret",
        open: (seal, text, { account_id: account }) =>
          seal.open(text, `authenticator app of ${String(account)}`),
      },
    ],
  },
  { kind: "passkey", table: "passkey", json: ["transports"] },
  { kind: "recovery_code", table: "recovery_code", secret: ["hash"] },
  { kind: "email", table: "account_email" },
  { kind: "credited_address", table: "credited_address" },
  { kind: "audit", table: "audit_entry", json: ["changes"] },
  { kind: "webhook_delivery", table: "webhook_delivery", json: ["tries"] },
  { kind: "notice", table: "notice", json: ["details"] },
  { kind: "notice_delivery", table: "notice_delivery" },
  { kind: "imported", table: "imported" },
  { kind: "milestone", table: "milestone" },
];

export const logKinds: readonly ExportKind[] = [
  { kind: "usage", table: "usage_log" },
  { kind: "attempt", table: "attempt_log" },
  { kind: "usage_day", table: "usage_day" },
  { kind: "usage_channel_day", table: "usage_channel_day" },
  { kind: "usage_label_day", table: "usage_label_day" },
  { kind: "usage_slot", table: "usage_slot" },
  { kind: "usage_channel_slot", table: "usage_channel_slot" },
];

/** Tables of no use anywhere else: what is signed in now, and what the gateway keeps for itself. */
export const leftOut: readonly string[] = [
  "session",
  "spent_ticket",
  "sign_in_link",
  "mail",
  "mail_token",
  "oauth_flow",
  "chore",
  "idempotent_create",
  "kept_answer",
  "origin",
  "webhook_secret",
  // Shown by `sluice settings list`.
  "setting",
  "version",
  "canary",
  "relocation",
  "log_relocation",
  "capture",
  "captured",
  // Made of the sums of slots again.
  "usage_facet_slot",
  "usage_facet_day",
  "usage_facet_state",
];
