// Spending day by day, in the words that clients of OpenAI's old dashboard know. Amounts are in
// cents.
import { invalid } from "../../core/errors.ts";
import { dayMs, dayOf } from "../../core/day.ts";
import type { Caller } from "../../identity/caller.ts";
import { listSums } from "../../observe/rollup/queries.ts";
import { readLog } from "../../store/log.ts";
import type { QueryOf } from "../call.ts";
import { awaitLog } from "../record-needs.ts";
import type { billingUsageQuery, BillingUsageView, DailyCost } from "./contract.ts";
import { findScope, type BillingNeeds, type BillingScope } from "./scope.ts";

const microsPerCent = 10_000;
const daysUsual = 100;
const daysMost = 366;
const itemsMax = 100_000;

type UsageQuery = QueryOf<typeof billingUsageQuery>;

interface Days {
  fromDay: number;
  toDay: number;
}

/** Between two days, or, where none are named, all that was ever spent and the last days of it. */
export async function readBillingUsage(
  needs: BillingNeeds,
  caller: Caller,
  query: UsageQuery,
): Promise<BillingUsageView> {
  const tomorrow = dayOf(needs.clock.nowMs()) + 1;
  const span = toDays(query, tomorrow);
  const { fromDay, toDay } = span ?? { fromDay: tomorrow - daysUsual, toDay: tomorrow };
  const scope = await findScope(needs, caller);
  const days = { fromDay, toDay: Math.min(toDay, tomorrow) };
  const items = await readItems(needs, scope, days);
  const summed = items.reduce((sum, { micros }) => sum + micros, 0);
  return {
    object: "list",
    total_usage: (span === null ? scope.spentMicros : summed) / microsPerCent,
    daily_costs: toDailyCosts(days, items),
  };
}

/** The last day is the first that does not count. */
function toDays(
  { start_date: fromDay, end_date: toDay }: UsageQuery,
  tomorrow: number,
): Days | null {
  if (fromDay === undefined) {
    if (toDay !== undefined) throw invalid("start_date", "is required where end_date is given");
    return null;
  }
  const days = { fromDay, toDay: toDay ?? Math.max(tomorrow, fromDay + 1) };
  if (days.toDay <= fromDay) throw invalid("end_date", "must be after start_date");
  if (days.toDay - fromDay > daysMost) {
    const param = toDay === undefined ? "start_date" : "end_date";
    throw invalid(param, `must leave at most ${daysMost} days`);
  }
  return days;
}

async function readItems(needs: BillingNeeds, { sums }: BillingScope, days: Days) {
  const ask = { filter: { ...days, ...sums }, by: ["day", "model"] } as const;
  await awaitLog(needs);
  const rows = await readLog(
    needs.store,
    listSums("usage_day", ask, { limit: itemsMax, offset: 0 }),
  );
  return rows
    .filter(({ micros }) => micros > 0)
    .map(({ day = 0, model = "", micros }) => ({ day, model, micros }));
}

function toDailyCosts(
  { fromDay, toDay }: Days,
  items: readonly { day: number; model: string; micros: number }[],
): DailyCost[] {
  const byDay = Map.groupBy(items, ({ day }) => day);
  return Array.from({ length: Math.max(toDay - fromDay, 0) }, (_, at) => ({
    timestamp: ((fromDay + at) * dayMs) / 1000,
    line_items: (byDay.get(fromDay + at) ?? []).map(({ model, micros }) => ({
      name: model,
      cost: micros / microsPerCent,
    })),
  }));
}
