// Causes that needed a person, and whom each was told; and where the owner of an account is told.
import type { Migration } from "../migrate.ts";

export const notices: Migration = ({ keyedTable, integer }) => [
  keyedTable("notice", [
    "id text primary key",
    "cause text not null",
    "kind text not null",
    "account_id text references account (id)",
    "text text not null",
    "details text not null",
    `at_ms ${integer} not null`,
    `ended_at_ms ${integer}`,
  ]),
  // One notice for each cause, until it has ended.
  "create unique index notice_open on notice (cause) where ended_at_ms is null",
  "create index notice_account on notice (account_id) where account_id is not null",
  keyedTable("notice_delivery", [
    "notice_id text not null references notice (id)",
    "destination text not null",
    `attempts ${integer} not null`,
    `next_attempt_at_ms ${integer}`,
    `delivered_at_ms ${integer}`,
    "error text",
    "primary key (notice_id, destination)",
  ]),
  "create index notice_due on notice_delivery (next_attempt_at_ms) " +
    "where next_attempt_at_ms is not null",
  // Not by address: one may be longer than PostgreSQL takes into an index.
  "create index webhook_failing on webhook_delivery (attempts) where delivered_at_ms is null",
  "alter table profile add column notice_url text",
];
