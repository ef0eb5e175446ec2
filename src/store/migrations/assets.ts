// Media that accounts registered, to be named in video requests by its id.
import type { Migration } from "../migrate.ts";

export const assets: Migration = ({ integer, table }) => [
  table("asset", [
    "id text primary key",
    "account_id text not null references account (id)",
    "name text not null",
    "kind text not null check (kind in ('image', 'video', 'audio'))",
    "url text not null",
    "status text not null check (status in ('processing', 'active', 'failed'))",
    "error text",
    `created_at_ms ${integer} not null`,
    `updated_at_ms ${integer} not null`,
  ]),
  "create index asset_processing on asset (id) where status = 'processing'",
];
