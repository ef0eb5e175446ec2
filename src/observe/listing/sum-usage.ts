// Sums of all rows that a filter finds: from the sums of slots where these are kept that way, with
// the rows of the ends that are no whole slots, and from the rows alone where they are few.
import { readLog, type LogReader } from "../../store/log.ts";
import { SlotReader } from "../facets/read.ts";
import { measures, type Measure } from "../rollup/rollup.ts";
import { chooseSlots, type SlotFilter } from "../slots/reading/queries.ts";
import { firstQuarter, slotMs, slotsInHour } from "../slots/slots.ts";
import { findOldest, sumRows, type RowSums, type UsageFilter } from "./queries.ts";

interface UsageSum {
  sums: Record<Measure, number>;
  /** False: what reached no channel is not counted under its model. */
  isExact: boolean;
}

/** So many rows are summed one by one. */
const rowsMax = 5000;
const failed = ["rejected", "upstream_error", "gateway_error"];
const rest = ["ok", "client_abort"];

/** Null where it would take a look at too many rows. */
export async function sumListed(
  log: LogReader,
  filter: UsageFilter,
  { nowMs, isFew }: { nowMs: number; isFew: boolean },
): Promise<UsageSum | null> {
  const only = isFew ? null : toSlotFilter(filter);
  if (only === null) return isFew ? await sumFew(log, filter) : null;
  const [oldest] = await readLog(log, findOldest);
  const fromMs = Math.max(filter.fromMs ?? 0, oldest?.atMs ?? 0);
  const toMs = Math.min(filter.toMs ?? Infinity, Math.ceil(nowMs / slotMs) * slotMs);
  const { fromSlot, toSlot } = wholeSlots(fromMs, toMs, nowMs);
  if (toSlot <= fromSlot) return await sumFew(log, filter);
  const slots = { fromSlot, toSlot, only };
  const view = chooseSlots(slots, null);
  if (view === null) return null;
  const inside = await new SlotReader(log, slots).sum(view);
  const before = await sumFew(log, { ...filter, fromMs, toMs: fromSlot * slotMs });
  const after = await sumFew(log, { ...filter, fromMs: toSlot * slotMs, toMs });
  if (!before || !after) return null;
  const add = (measure: Measure) =>
    (inside.counts[measure] ?? 0) + before.sums[measure] + after.sums[measure];
  const sums = Object.fromEntries(measures.map((measure) => [measure, add(measure)]));
  const isExact = filter.model === undefined || filter.outcome === "ok";
  return { sums: sums as Record<Measure, number>, isExact };
}

async function sumFew(log: LogReader, filter: UsageFilter): Promise<UsageSum | null> {
  if ((filter.toMs ?? Infinity) <= (filter.fromMs ?? 0)) return { sums: zeros, isExact: true };
  const [sums] = await readLog(log, sumRows(filter, rowsMax + 1));
  return sums && sums.rows <= rowsMax ? { sums, isExact: true } : null;
}

const zeros = Object.fromEntries(measures.map((measure) => [measure, 0])) as RowSums;

/** Old slots are whole hours. */
function wholeSlots(fromMs: number, toMs: number, nowMs: number) {
  const unit = (atMs: number) => (atMs < firstQuarter(nowMs) * slotMs ? slotsInHour : 1);
  const up = Math.ceil(fromMs / (slotMs * unit(fromMs))) * unit(fromMs);
  const down = Math.floor(toMs / (slotMs * unit(toMs))) * unit(toMs);
  return { fromSlot: up, toSlot: down };
}

/** Null where slots do not know what is asked for. */
function toSlotFilter(filter: UsageFilter): SlotFilter["only"] | null {
  const { accountId, keyIds, model, channelId, group, routes, outcome, isFailed, ...others } =
    filter;
  const { fromMs: _from, toMs: _to, ...unknown } = others;
  if (Object.keys(unknown).length > 0) return null;
  const byFailure = isFailed === true ? failed : isFailed === false ? rest : null;
  const outcomes = outcome === undefined ? byFailure : [outcome];
  if (outcome !== undefined && byFailure && !byFailure.includes(outcome)) return null;
  return {
    ...(accountId !== undefined && { account_id: [accountId] }),
    ...(keyIds !== undefined && { key_id: keyIds }),
    ...(model !== undefined && { model: [model] }),
    ...(channelId !== undefined && { channel_id: [channelId] }),
    ...(group !== undefined && { group_name: [group] }),
    ...(routes !== undefined && { route: routes }),
    ...(outcomes && { outcome: outcomes }),
  };
}
