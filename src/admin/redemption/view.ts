// A code for credit as it is shown: never the code itself.
import type { RedemptionView } from "./contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { ListedRedemption, RedemptionRow } from "./queries.ts";

export function toView(row: ListedRedemption, nowMs: number): RedemptionView {
  return {
    id: row.id,
    shown: row.shown,
    name: row.name,
    micros: row.micros,
    status: redemptionStatus(row, nowMs),
    expires_at: toSecondsOrNull(row.expires_at_ms),
    created_at: toSeconds(row.created_at_ms),
    redeemed_by: row.username,
    redeemed_at: toSecondsOrNull(row.redeemed_at_ms),
  };
}

export function redemptionStatus(row: RedemptionRow, nowMs: number): RedemptionView["status"] {
  if (row.redeemed_at_ms !== null) return "redeemed";
  return (row.expires_at_ms ?? Number.POSITIVE_INFINITY) <= nowMs ? "expired" : "open";
}
