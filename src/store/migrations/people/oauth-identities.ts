// Identities of accounts at providers that people sign in through.
import type { Migration } from "../../migrate.ts";

export const oauthIdentities: Migration = ({ integer, table }) => [
  table("oauth_identity", [
    "id text primary key",
    "provider text not null",
    "issuer text not null",
    "subject text not null",
    "account_id text not null references account (id)",
    "username text not null",
    "display_name text not null",
    `created_at_ms ${integer} not null`,
    `used_at_ms ${integer} not null`,
    "unique (provider, issuer, subject)",
  ]),
  "create index oauth_identity_account on oauth_identity (account_id)",
];
