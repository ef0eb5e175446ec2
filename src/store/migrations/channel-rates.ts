// Requests and tokens a minute that a channel's vendor takes; null for no limit.
import type { Migration } from "../migrate.ts";

export const channelRates: Migration = ({ integer }) => [
  `alter table channel add column requests_per_minute ${integer}`,
  `alter table channel add column tokens_per_minute ${integer}`,
];
