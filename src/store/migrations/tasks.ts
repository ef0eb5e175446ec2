// Tasks that vendors work on while nobody waits, what is sent to callbacks about them, and the
// answers that a repeated create gets again.
import type { Migration } from "../migrate.ts";

export const taskTables: Migration = ({ integer, table }) => [
  table("task", [
    "id text primary key",
    "kind text not null check (kind in ('video', 'image'))",
    "account_id text not null references account (id)",
    "key_id text not null",
    "group_name text not null",
    "family text not null",
    "model text not null",
    "job text not null",
    "price text not null",
    `held_micros ${integer} not null`,
    "webhook_url text",
    `created_at_ms ${integer} not null`,
    `deadline_at_ms ${integer} not null`,
    "state text not null check (state in " +
      "('submitting', 'unknown', 'queued', 'in_progress', 'completed', 'failed'))",
    `progress ${integer} not null`,
    "channel_id text not null",
    "key_digest text not null",
    "upstream_model text not null",
    "operation text",
    "result text",
    "delivered text",
    "error text",
    `next_poll_at_ms ${integer}`,
    `completed_at_ms ${integer}`,
    `deleted_at_ms ${integer}`,
  ]),
  "create index task_open on task (next_poll_at_ms) where state not in ('completed', 'failed')",
  "create index task_account on task (account_id, id)",
  table("idempotent_create", [
    "account_id text not null references account (id)",
    "idempotency_key text not null",
    "body_digest text not null",
    "task_id text not null",
    `created_at_ms ${integer} not null`,
    "primary key (account_id, idempotency_key)",
  ]),
  "create index idempotent_create_age on idempotent_create (created_at_ms)",
  table("webhook_delivery", [
    "id text primary key",
    "task_id text not null references task (id)",
    "event text not null",
    "url text not null",
    "body text not null",
    `attempts ${integer} not null`,
    `next_attempt_at_ms ${integer}`,
    `status ${integer}`,
    "error text",
    `created_at_ms ${integer} not null`,
    `delivered_at_ms ${integer}`,
  ]),
  "create index webhook_due on webhook_delivery (next_attempt_at_ms) " +
    "where next_attempt_at_ms is not null",
  "create index webhook_over on webhook_delivery (created_at_ms) " +
    "where next_attempt_at_ms is null",
];
