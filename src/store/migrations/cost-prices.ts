// Prices of a channel's vendor, as JSON, where nothing said is the list price; and what a group
// chooses its channels by.
import type { Migration } from "../migrate.ts";

export const costPrices: Migration = () => [
  "alter table channel add column cost text not null default '{}'",
  "alter table account_group add column prefer text not null default 'weight'",
];
