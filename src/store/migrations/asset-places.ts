// Channel and key that an asset is registered with, its name there, and whose channels those are.
import type { Migration } from "../migrate.ts";

export const assetPlaces: Migration = () => [
  "alter table asset add column group_name text not null default 'default'",
  "alter table asset add column channel_id text",
  "alter table asset add column key_digest text",
  "alter table asset add column upstream_reference text",
];
