// What of the sums over time is wanted: from when to when, in what steps, by what, of what.
import { invalid } from "../../core/errors.ts";
import { dayMs } from "../../core/day.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import type { SlotDimension } from "../../observe/slots/slots.ts";
import { firstQuarter, hourDays, slotMs } from "../../observe/slots/slots.ts";
import type { SlotFilter } from "../../observe/slots/reading/queries.ts";
import { readMomentMs } from "../moments.ts";
import type { Whose } from "../named.ts";

export interface SeriesSpan {
  fromMs: number;
  toMs: number;
  stepMs: number;
  /** By how much the days of the zone begin before those of UTC. */
  offsetMs: number;
  /** False: only days are kept of it. */
  isInSlots: boolean;
  /** Hours that are kept whole do not cross the midnight of the zone. */
  isExact: boolean;
}

const stepsSeconds = [900, 3600, 21_600, 86_400];
const pointsMax = 3000;

export function readSpan(query: URLSearchParams, nowMs: number): SeriesSpan {
  const offsetMs = readOffset(query) * 60_000;
  const endMs = readMoment(query, "to", offsetMs) ?? nowMs;
  const startMs = readMoment(query, "from", offsetMs) ?? endMs - dayMs;
  if (endMs <= startMs) throw invalid("to", "must be after from");
  const stepMs = readStep(query, endMs - startMs);
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

function readStep(query: URLSearchParams, spanMs: number): number {
  const text = query.get("step");
  if (!text) return spanMs <= 1.5 * dayMs ? 900_000 : spanMs <= 8 * dayMs ? 3_600_000 : dayMs;
  const seconds = stepsSeconds.find((one) => String(one) === text);
  if (seconds === undefined) throw invalid("step", `must be one of ${stepsSeconds.join(", ")}`);
  return seconds * 1000;
}

/** In minutes. */
function readOffset(query: URLSearchParams): number {
  const text = query.get("tz") || "0";
  const minutes = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(minutes) <= 840 && minutes % 15 === 0) return minutes + 0;
  throw invalid("tz", "must be minutes east of UTC, such as 480, in quarters of an hour");
}

/** A day begins in its zone. */
function readMoment(query: URLSearchParams, name: string, offsetMs: number): number | null {
  const atMs = readMomentMs(query, name);
  const isDay = atMs !== null && query.get(name)?.includes("-");
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

export const ownGroupings = ["none", "model", "key", "group", "outcome", "format"] as const;
export const groupings = [...ownGroupings, "channel", "account"] as const;

export function readGrouping(
  query: URLSearchParams,
  allowed: readonly string[],
): SlotDimension | null {
  const text = query.get("by") || "none";
  if (!allowed.includes(text)) throw invalid("by", `must be one of ${allowed.join(", ")}`);
  return Object.entries(dimensions).find(([name]) => name === text)?.[1] ?? null;
}

/** Whose, where that is not a matter of the query's own words. */
interface Named extends Whose {
  channelId?: string | null;
}

export function readOnly(query: URLSearchParams, named: Named): SlotFilter["only"] {
  const model = query.get("model");
  const [group, outcome, format] = [query.get("group"), query.get("outcome"), query.get("format")];
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
