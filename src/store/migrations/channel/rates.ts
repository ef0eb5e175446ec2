// Requests and tokens a minute that a channel's vendor takes, and money a day that may be spent on
// it; null for no limit.
import type { Migration } from "../../migrate.ts";

export const channelRates: Migration = ({ integer }) => [
  `alter table channel add column requests_per_minute ${integer}`,
  `alter table channel add column tokens_per_minute ${integer}`,
  `alter table channel add column spend_per_day_micros ${integer}`,
];
