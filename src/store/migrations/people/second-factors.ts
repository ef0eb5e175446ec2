// Second factors of an account. Secrets are sealed or only digests.
import type { Migration } from "../../migrate.ts";

export const secondFactorTables: Migration = ({ integer, table }) => [
  table("totp", [
    "account_id text primary key references account (id)",
    "sealed text not null",
    `last_step ${integer} not null`,
    `created_at_ms ${integer} not null`,
    `confirmed_at_ms ${integer}`,
  ]),
  table("recovery_code", [
    "hash text primary key",
    "account_id text not null references account (id)",
  ]),
  "create index recovery_code_account on recovery_code (account_id)",
  table("passkey", [
    "id text primary key",
    "account_id text not null references account (id)",
    "credential_id text not null unique",
    "public_key text not null",
    `counter ${integer} not null`,
    "transports text not null",
    "name text not null",
    `created_at_ms ${integer} not null`,
    `used_at_ms ${integer}`,
  ]),
  "create index passkey_account on passkey (account_id)",
  table("spent_ticket", ["id text primary key", `expires_at_ms ${integer} not null`]),
  "create index spent_ticket_age on spent_ticket (expires_at_ms)",
];
