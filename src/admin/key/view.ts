// An API key as it is shown, with its balance.
import type { ListedKey } from "../../identity/queries.ts";
import { roleOf } from "../../identity/roles/rights.ts";
import type { KeyView } from "./contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { disablerOf } from "./enabling.ts";
import type { KeyNeeds } from "./needs.ts";
import { toShown } from "./row.ts";

export type KeyViewNeeds = Pick<KeyNeeds, "balances" | "keyUse" | "limits">;

/** The balance is the one that admission works with: the database's is a moment behind. */
export function viewRow({ balances, keyUse, limits }: KeyViewNeeds, row: ListedKey): KeyView {
  const balance = balances.shownKey({ ...row, key_id: row.id });
  return {
    id: row.id,
    name: row.name,
    shown: row.shown,
    account: row.username,
    account_role: roleOf(row),
    member_id: row.maker_id,
    member: row.maker_name,
    project_id: row.project_id,
    project: row.project_name,
    group: row.group_name,
    group_is_own: row.follows_group === 0,
    unlimited: row.limit_micros === null,
    quota_micros: row.limit_micros,
    used_micros: balance.spentMicros,
    held_micros: balance.heldMicros,
    ...toShown(row),
    status: row.status,
    disabled_by: disablerOf(row),
    declared: row.declared === 1,
    created_at: toSeconds(row.created_at_ms),
    last_used_at: toSecondsOrNull(keyUse.lastMs(row.id) ?? row.used_at_ms),
    previous_until: toSecondsOrNull(row.previous_until_ms),
    rates_now: limits.look("key", row.id),
  };
}
