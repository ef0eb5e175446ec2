// E-mail: the addresses of people, the letters that are on their way, and the tokens in them.
import type { Migration } from "../migrate.ts";

export const mail: Migration = ({ keyedTable, integer }) => [
  keyedTable("account_email", [
    "account_id text primary key references account (id)",
    "address text",
    "proven_key text",
    `proven_at_ms ${integer}`,
    "pending text",
  ]),
  // Nobody blocks an address that they cannot prove.
  "create unique index account_email_proven on account_email (proven_key) " +
    "where proven_key is not null",
  keyedTable("mail", [
    "id text primary key",
    "kind text not null",
    "account_id text references account (id)",
    "recipient text",
    "recipient_key text not null",
    "language text not null",
    "data text",
    "message_id text not null",
    "state text not null",
    `tries ${integer} not null`,
    `next_at_ms ${integer}`,
    `at_ms ${integer} not null`,
    `expires_at_ms ${integer}`,
    `sent_at_ms ${integer}`,
    "error text",
  ]),
  "create index mail_due on mail (next_at_ms) where next_at_ms is not null",
  "create index mail_recipient on mail (recipient_key, at_ms)",
  "create index mail_account on mail (account_id) where account_id is not null",
  "create index mail_sent on mail (sent_at_ms) where sent_at_ms is not null",
  "create index mail_age on mail (at_ms)",
  keyedTable("mail_token", [
    "hash text primary key",
    "kind text not null",
    "account_id text not null references account (id)",
    "proof text not null",
    "address text",
    "browser text",
    "code text",
    `expires_at_ms ${integer} not null`,
  ]),
  "create index mail_token_account on mail_token (account_id)",
  "create index mail_token_age on mail_token (expires_at_ms)",
  // Addresses that were given a starting credit, so that each is given one.
  keyedTable("credited_address", ["mark text primary key", "account_id text not null"]),
];
