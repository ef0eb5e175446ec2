// Node that looks after a task, and the time until which no other may take it over.
import type { Migration } from "../migrate.ts";

export const taskLeases: Migration = ({ integer }) => [
  "alter table task add column owner text",
  `alter table task add column lease_until_ms ${integer} not null default 0`,
];
