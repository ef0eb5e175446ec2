// Filter of the sums over time: from when to when, in what steps, by what, of what.
import { invalid } from "../../core/errors.ts";
import { dayMs } from "../../core/day.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import { firstQuarter, hourDays, slotMs } from "../../observe/slots/slots.ts";
import type { InputOf } from "../call.ts";
import type { Whose } from "../named.ts";
import type { SeriesCalls } from "./contract.ts";
import type { SeriesDimension, Wanted } from "./wanted.ts";
import { fixedZone, leapsIn, zoneOf, type Leap, type Zone } from "./zone.ts";

type Query = InputOf<SeriesCalls["readOwn"]>["query"];

export interface SeriesSpan {
  fromMs: number;
  toMs: number;
  stepMs: number;
  /** Lead of the zone's days over those of UTC, at first. */
  offsetMs: number;
  /** Later leads, where steps are longer than what clocks leap by. */
  leaps: readonly Leap[];
  /** Moment at which a step begins, by the zone's clocks. */
  startOf(reading: number): number;
  /** False: only days are kept of it. */
  isInSlots: boolean;
  /** Hours that are kept whole do not cross the midnight of the zone. */
  isExact: boolean;
}

const pointsMax = 3000;
const hourMs = 3_600_000;
const utc = fixedZone(0);

export function toSpan(
  { from, to, step, tz: named = 0 }: Pick<Query, "from" | "to" | "step" | "tz">,
  { nowMs, isByDay }: { nowMs: number; isByDay: boolean },
): SeriesSpan {
  const tz = zoneOf(named);
  const endMs = to ? inZone(to, tz) : nowMs;
  const startMs = from ? inZone(from, tz) : endMs - dayMs;
  if (endMs <= startMs) throw invalid("to", "must be after from");
  const usualMs = isByDay ? dayMs : usualStepMs(endMs - startMs);
  const stepMs = step === undefined ? usualMs : step * 1000;
  if (isByDay && stepMs < dayMs) throw invalid("step", "must be 86400: labels are summed by day");
  const isInSlots = !isByDay && startMs >= nowMs - hourDays * dayMs;
  const isFine = startMs >= firstQuarter(nowMs) * slotMs;
  if (!isInSlots && stepMs < dayMs) {
    throw invalid("from", `hours are kept for ${hourDays} days: ask for days, or from later on`);
  }
  if (isInSlots && !isFine && stepMs < hourMs) {
    throw invalid("step", "must be 3600 or more: quarters of an hour are kept for 8 days");
  }
  if ((endMs - startMs) / stepMs > pointsMax) {
    throw invalid("step", `makes more than ${pointsMax} points of that time`);
  }
  const steps = inSteps({ startMs, endMs, stepMs }, isInSlots ? tz : utc);
  const isExact = isInSlots ? isFine || steps.offsetMs % hourMs === 0 : tz.offsetAt(startMs) === 0;
  return { ...steps, stepMs, isInSlots, isExact };
}

/** Whole steps of the zone; hours and quarters go on through a leap as they are. */
function inSteps(
  { startMs, endMs, stepMs }: { startMs: number; endMs: number; stepMs: number },
  zone: Zone,
): Pick<SeriesSpan, "fromMs" | "toMs" | "offsetMs" | "leaps" | "startOf"> {
  const leaping = stepMs > hourMs ? zone : fixedZone(zone.offsetAt(startMs));
  const aligned = (atMs: number, round: (steps: number) => number) =>
    leaping.firstAt(round((atMs + leaping.offsetAt(atMs)) / stepMs) * stepMs);
  const [fromMs, toMs] = [aligned(startMs, Math.floor), aligned(endMs, Math.ceil)];
  return {
    fromMs,
    toMs,
    offsetMs: leaping.offsetAt(fromMs),
    leaps: leapsIn(leaping, fromMs, toMs),
    startOf: leaping.firstAt,
  };
}

function usualStepMs(spanMs: number): number {
  return spanMs <= 1.5 * dayMs ? 900_000 : spanMs <= 8 * dayMs ? 3_600_000 : dayMs;
}

function inZone({ atMs, isDay }: NonNullable<Query["from"]>, { firstAt }: Zone): number {
  return isDay ? firstAt(atMs) : atMs;
}

const dimensions = {
  model: "model",
  channel: "channel_id",
  key: "key_id",
  account: "account_id",
  group: "group_name",
  outcome: "outcome",
  format: "route",
  label: "label",
} as const satisfies Record<string, SeriesDimension>;

export function toGrouping(
  by: InputOf<SeriesCalls["read"]>["query"]["by"] = "none",
): SeriesDimension | null {
  return by === "none" ? null : dimensions[by];
}

/** The owner, where that is not a matter of the query's own words. */
interface Named extends Whose {
  channelId?: string | null;
}

export function toOnly(
  query: Pick<Query, "model" | "group" | "outcome" | "failed" | "format" | "label">,
  named: Named,
): Wanted["only"] {
  const { model, group, format, label } = query;
  const outcomes = outcomesOf(query);
  return {
    ...(named.accountId && { account_id: [named.accountId] }),
    ...(named.channelId && { channel_id: [named.channelId] }),
    ...(named.keyIds && { key_id: named.keyIds }),
    ...(model && { model: [model] }),
    ...(group && { group_name: [group] }),
    ...(outcomes && { outcome: outcomes }),
    ...(format && { route: routesOfFormat(format) }),
    ...(label && { label: [label] }),
  };
}

/** Refused or failed; the rest was served, or left by its client. */
const failures = ["rejected", "upstream_error", "gateway_error"] as const;
const successes = ["ok", "client_abort"] as const;

function outcomesOf({
  outcome,
  failed: isFailed,
}: Pick<Query, "outcome" | "failed">): readonly string[] | null {
  if (outcome && isFailed !== undefined) throw invalid("failed", "must not stand beside outcome");
  if (isFailed !== undefined) return isFailed ? failures : successes;
  return outcome ? [outcome] : null;
}
