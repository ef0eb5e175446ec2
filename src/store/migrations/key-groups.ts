// Mark of a key with a group of its own. Until now each had a copy of its account's: one that is
// still the same was most likely never chosen.
import type { Migration } from "../migrate.ts";

export const keyGroups: Migration = ({ integer }) => [
  `alter table api_key add column follows_group ${integer} not null default 0`,
  `update api_key set follows_group = 1
    where group_name = (select group_name from account where account.id = api_key.account_id)`,
];
