// Signed-in browsers, and the codes that let people make an account of their own.
import type { Migration } from "../../migrate.ts";

export const sessionTables: Migration = ({ integer, table }) => [
  table("session", [
    "id text primary key",
    "hash text not null unique",
    "account_id text not null references account (id)",
    "ip text not null",
    "agent text not null",
    `created_at_ms ${integer} not null`,
    `seen_at_ms ${integer} not null`,
  ]),
  "create index session_account on session (account_id)",
  "create index session_seen on session (seen_at_ms)",
  "create index session_age on session (created_at_ms)",
  table("invitation", [
    "id text primary key",
    "hash text not null unique",
    "note text not null",
    `uses_max ${integer} not null check (uses_max > 0)`,
    `uses ${integer} not null default 0 check (uses >= 0 and uses <= uses_max)`,
    `expires_at_ms ${integer}`,
    "created_by text not null references account (id)",
    `created_at_ms ${integer} not null`,
  ]),
  "create index account_name on account (lower(username))",
  "create index access_token_account on access_token (account_id)",
];
