// Accounts that are deleted for good, with what must go from records that never change otherwise;
// access tokens that only read; and indexes by which names and credits are found.
import type { Migration } from "../migrate.ts";

/** Name, address and description of people may go from an entry of the audit log. */
const auditKept = [
  ["id", "at_ms", "actor_id", "actor_role", "carrier", "action", "target_kind", "target_id"],
].flat();

/** An entry of the ledger loses only the name of whoever booked it. */
const entryKept = [
  ["id", "kind", "account_id", "key_id", "group_name", "model", "held_micros", "micros"],
  ["loss_micros", "price", "usage", "reason", "at_ms"],
].flat();

export const departures: Migration = ({ integer, thawed }) => [
  `alter table account add column deleted_at_ms ${integer}`,
  `alter table access_token add column read_only ${integer} not null default 0`,
  "create index api_key_name on api_key (lower(name))",
  // Requests are booked all the time, and must not pay for an index of credits.
  "create index entry_grant on entry (account_id, at_ms) where kind = 'grant'",
  ...thawed("audit_entry", auditKept, {
    actor_name: "new.actor_name is null",
    ip: "new.ip is null",
    changes: "new.changes = '{}'",
  }),
  ...thawed("entry", entryKept, { actor: "new.actor is null" }),
];
