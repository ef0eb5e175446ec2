// Account that disabled a key which is not its own to enable again.
import type { Migration } from "../migrate.ts";

export const keyDisabler: Migration = () => ["alter table api_key add column disabled_by text"];
