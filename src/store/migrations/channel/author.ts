// The author of a channel's address and keys. The audit log says it of channels that are there: the
// ones that root alone has made and changed are root's. All others count as an operator's, who may
// do the least.
import type { Migration } from "../../migrate.ts";

const writes =
  "entry.target_id = channel.id and entry.action in ('channel.create', 'channel.change')";

export const channelAuthor: Migration = () => [
  "alter table channel add column author text not null default 'operator'",
  "update channel set author = 'config' where declared = 1",
  `update channel set author = 'root' where declared = 0
    and exists (
      select 1 from audit_entry entry
      where ${writes} and entry.action = 'channel.create' and entry.actor_role = 'root'
    )
    and not exists (
      select 1 from audit_entry entry
      where ${writes} and (entry.actor_role is null or entry.actor_role <> 'root')
    )`,
];
