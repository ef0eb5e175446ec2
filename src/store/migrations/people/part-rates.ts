// Rates of members and projects of organisations; null for no limit.
import type { Migration } from "../../migrate.ts";

export const partRates: Migration = ({ integer }) =>
  ["member", "project"].flatMap((table) => [
    `alter table ${table} add column requests_per_minute ${integer}`,
    `alter table ${table} add column tokens_per_minute ${integer}`,
    `alter table ${table} add column concurrency ${integer}`,
  ]);
