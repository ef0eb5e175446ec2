// A task's label, which the record of its end has too.
import type { Migration } from "../migrate.ts";

export const labels: Migration = () => ["alter table task add column label text"];
