import type { ListedKey } from "../../identity/queries.ts";
import type { KeyView } from "../contract.ts";
import { toSeconds } from "../input.ts";

export function toView(row: ListedKey): KeyView {
  return {
    id: row.id,
    name: row.name,
    shown: row.shown,
    account: row.username,
    group: row.group_name,
    unlimited: row.limit_micros === null,
    quota_micros: row.limit_micros,
    used_micros: row.spent_micros,
    held_micros: row.held_micros,
    models: row.models === null ? null : JSON.parse(row.models),
    expires_at: row.expires_at_ms === null ? null : toSeconds(row.expires_at_ms),
    allow_ips: row.allow_ips === null ? null : JSON.parse(row.allow_ips),
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    concurrency: row.concurrency,
    status: row.status,
    declared: row.declared === 1,
    created_at: toSeconds(row.created_at_ms),
  };
}
