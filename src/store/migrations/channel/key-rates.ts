// Requests and tokens a minute that a channel's vendor takes from each of its keys; null for no
// limit.
import type { Migration } from "../../migrate.ts";

export const channelKeyRates: Migration = ({ integer }) => [
  `alter table channel add column key_requests_per_minute ${integer}`,
  `alter table channel add column key_tokens_per_minute ${integer}`,
];
