// Share of a budget's limit that is used, and whether all of it is.
import type { BudgetState, BudgetView } from "../../../src/admin/contract.ts";

export type WindowSums = Pick<BudgetState, "spent_micros" | "held_micros" | "limit_micros"> &
  Partial<Pick<BudgetState, "used_share">>;

/** Money that is held counts, as it does for whoever asks next. */
export function usedShareOf(window: WindowSums): number {
  const { limit_micros: limit, spent_micros: spent, held_micros: held } = window;
  const isTold = limit !== null && spent !== null && held !== null;
  return isTold && limit > 0 ? (spent + held) / limit : (window.used_share ?? 1);
}

interface Budget {
  status: BudgetView["status"];
  now: WindowSums | null;
}

/** A budget with a window for each of many is not exhausted as a whole. */
export function isExhausted({ status, now }: Budget): boolean {
  return status === "enabled" && now !== null && usedShareOf(now) >= 1;
}
