// Filter of the sums over time: from when to when, in what steps, by what, of what.
import { invalid } from "../../core/errors.ts";
import { dayMs } from "../../core/day.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import type { SlotDimension } from "../../observe/slots/slots.ts";
import { firstQuarter, hourDays, slotMs } from "../../observe/slots/slots.ts";
import type { SlotFilter } from "../../observe/slots/reading/queries.ts";
import type { InputOf } from "../call.ts";
import type { Whose } from "../named.ts";
import type { SeriesCalls } from "./contract.ts";

type Query = InputOf<SeriesCalls["readOwn"]>["query"];

export interface SeriesSpan {
  fromMs: number;
  toMs: number;
  stepMs: number;
  /** Lead of the zone's days over those of UTC. */
  offsetMs: number;
  /** False: only days are kept of it. */
  isInSlots: boolean;
  /** Hours that are kept whole do not cross the midnight of the zone. */
  isExact: boolean;
}

const pointsMax = 3000;

export function toSpan(
  { from, to, step, tz = 0 }: Pick<Query, "from" | "to" | "step" | "tz">,
  nowMs: number,
): SeriesSpan {
  const offsetMs = tz * 60_000;
  const endMs = to ? inZone(to, offsetMs) : nowMs;
  const startMs = from ? inZone(from, offsetMs) : endMs - dayMs;
  if (endMs <= startMs) throw invalid("to", "must be after from");
  const stepMs = step === undefined ? usualStepMs(endMs - startMs) : step * 1000;
  const isInSlots = startMs >= nowMs - hourDays * dayMs;
  const isFine = startMs >= firstQuarter(nowMs) * slotMs;
  if (!isInSlots && stepMs < dayMs) {
    throw invalid("from", `hours are kept for ${hourDays} days: ask for days, or from later on`);
  }
  if (isInSlots && !isFine && stepMs < 3_600_000) {
    throw invalid("step", "must be 3600 or more: quarters of an hour are kept for 8 days");
  }
  const unitMs = isInSlots ? stepMs : dayMs;
  const zoneMs = isInSlots ? offsetMs : 0;
  const fromMs = Math.floor((startMs + zoneMs) / unitMs) * unitMs - zoneMs;
  const toMs = Math.ceil((endMs + zoneMs) / unitMs) * unitMs - zoneMs;
  if ((toMs - fromMs) / stepMs > pointsMax) {
    throw invalid("step", `makes more than ${pointsMax} points of that time`);
  }
  const isExact = isInSlots ? isFine || offsetMs % 3_600_000 === 0 : offsetMs === 0;
  return { fromMs, toMs, stepMs, offsetMs: zoneMs, isInSlots, isExact };
}

function usualStepMs(spanMs: number): number {
  return spanMs <= 1.5 * dayMs ? 900_000 : spanMs <= 8 * dayMs ? 3_600_000 : dayMs;
}

function inZone({ atMs, isDay }: NonNullable<Query["from"]>, offsetMs: number): number {
  return isDay ? atMs - offsetMs : atMs;
}

const dimensions = {
  model: "model",
  channel: "channel_id",
  key: "key_id",
  account: "account_id",
  group: "group_name",
  outcome: "outcome",
  format: "route",
} as const satisfies Record<string, SlotDimension>;

export function toGrouping(
  by: InputOf<SeriesCalls["read"]>["query"]["by"] = "none",
): SlotDimension | null {
  return by === "none" ? null : dimensions[by];
}

/** The owner, where that is not a matter of the query's own words. */
interface Named extends Whose {
  channelId?: string | null;
}

export function toOnly(
  { model, group, outcome, format }: Pick<Query, "model" | "group" | "outcome" | "format">,
  named: Named,
): SlotFilter["only"] {
  return {
    ...(named.accountId && { account_id: [named.accountId] }),
    ...(named.channelId && { channel_id: [named.channelId] }),
    ...(named.keyId && { key_id: [named.keyId] }),
    ...(model && { model: [model] }),
    ...(group && { group_name: [group] }),
    ...(outcome && { outcome: [outcome] }),
    ...(format && { route: routesOfFormat(format) }),
  };
}
