// Settings that were stated on a page, each with what it was before its last change. A value is
// JSON, or sealed where it holds a secret; null is one that is not stated any more.
import type { Migration } from "../migrate.ts";

export const pageSettings: Migration = ({ keyedTable, integer }) => [
  keyedTable("setting", [
    "name text primary key",
    "value text",
    "previous text",
    "account_id text",
    `changed_at_ms ${integer} not null`,
  ]),
];
