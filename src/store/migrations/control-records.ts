// Acts of operators, in a table that cannot be changed; codes for credit; news for everyone; and
// how often an account has changed what its callbacks are signed with.
import type { Migration } from "../migrate.ts";

export const controlRecords: Migration = ({ integer, table, keyedTable, frozen }) => [
  keyedTable("audit_entry", [
    "id text primary key",
    `at_ms ${integer} not null`,
    "actor_id text",
    "actor_name text",
    "actor_role text",
    "carrier text not null check (carrier in ('session', 'token', 'visitor', 'cli', 'config'))",
    "ip text",
    "action text not null",
    "target_kind text not null",
    "target_id text not null",
    "changes text not null",
  ]),
  "create index audit_entry_actor on audit_entry (actor_id, id)",
  "create index audit_entry_target on audit_entry (target_id, id)",
  "create index audit_entry_action on audit_entry (action, id)",
  ...frozen("audit_entry"),
  table("redemption", [
    "id text primary key",
    "hash text not null unique",
    "shown text not null",
    "name text not null",
    `micros ${integer} not null check (micros > 0)`,
    `expires_at_ms ${integer}`,
    "created_by text not null references account (id)",
    `created_at_ms ${integer} not null`,
    "redeemed_by text references account (id)",
    `redeemed_at_ms ${integer}`,
  ]),
  table("announcement", [
    "id text primary key",
    "title text not null",
    "text text not null",
    `starts_at_ms ${integer}`,
    `ends_at_ms ${integer}`,
    "created_by text not null references account (id)",
    `created_at_ms ${integer} not null`,
    `updated_at_ms ${integer} not null`,
  ]),
  table("webhook_secret", [
    "account_id text primary key references account (id)",
    `version ${integer} not null check (version > 0)`,
    `rotated_at_ms ${integer} not null`,
  ]),
];
