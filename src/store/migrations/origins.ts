// Channel and key that made what clients send back: response ids and signatures, by digest.
import type { Migration } from "../migrate.ts";

export const origins: Migration = ({ integer, table }) => [
  table("origin", [
    "account_id text not null references account (id)",
    "digest text not null",
    "channel_id text not null",
    "key_digest text not null",
    `created_at_ms ${integer} not null`,
    "primary key (account_id, digest)",
  ]),
  "create index origin_age on origin (created_at_ms)",
];
