// The author of a channel's address and keys. Of channels that are there already only those of the
// configuration file are known; the others count as an operator's, who may do the least.
import type { Migration } from "../../migrate.ts";

export const channelAuthor: Migration = () => [
  "alter table channel add column author text not null default 'operator'",
  "update channel set author = 'config' where declared = 1",
];
