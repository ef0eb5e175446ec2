// What the vendor of a channel takes, as JSON; nothing said is the list price.
import type { Migration } from "../migrate.ts";

export const costPrices: Migration = () => [
  "alter table channel add column cost text not null default '{}'",
];
