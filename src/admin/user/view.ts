import type { ListedAccount } from "../../identity/queries.ts";
import type { UserView } from "../contract.ts";
import { toSeconds } from "../input.ts";

export function toView(row: ListedAccount): UserView {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    group: row.group_name,
    status: row.status,
    quota_micros: row.unlimited === 1 ? null : row.available_micros,
    held_micros: row.held_micros,
    used_micros: row.spent_micros,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    concurrency: row.concurrency,
    created_at: toSeconds(row.created_at_ms),
  };
}
