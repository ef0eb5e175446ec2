// Budgets, and the windows of them that were not opened by the clock.
import type { Migration } from "../migrate.ts";

export const budgets: Migration = ({ keyedTable, integer }) => [
  keyedTable("budget", [
    "id text primary key",
    "account_id text not null references account (id)",
    "name text not null",
    "scope text not null",
    "subject_id text",
    "models text",
    `limit_micros ${integer} not null`,
    "period text not null",
    `hours ${integer}`,
    "hours_from text not null",
    "zone text not null",
    `start_hour ${integer} not null`,
    `start_weekday ${integer} not null`,
    `start_day ${integer} not null`,
    `start_month ${integer} not null`,
    "mode text not null",
    `carry_micros_max ${integer} not null`,
    "marks text not null",
    "status text not null",
    `declared ${integer} not null`,
    `is_operators ${integer} not null`,
    `since_ms ${integer} not null`,
    `created_at_ms ${integer} not null`,
    "unique (account_id, name)",
  ]),
  keyedTable("budget_opening", [
    "budget_id text not null",
    "subject_id text not null",
    `opened_at_ms ${integer} not null`,
    "primary key (budget_id, subject_id)",
  ]),
];
