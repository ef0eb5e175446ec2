// The sums of quarters of an hour, in two views as those of days have: after some days they are
// folded into hours, so that a chart of months reads as little as one of a day.
import { dayMs } from "../../core/day.ts";
import type { HistogramColumn } from "../../store/log-schema.ts";
import { channelMeasures, measures, type ChannelMeasure, type Measure } from "../rollup/rollup.ts";
import { histogramColumns } from "./histogram.ts";

export const slotMs = 900_000;
/** Slots of an hour; that of an hour which was folded is its first. */
export const slotsInHour = 4;
const slotDays = 8;
export const hourDays = 90;

/** The first slot that was not folded yet, or is about to be. */
export function firstQuarter(nowMs: number): number {
  const slot = Math.floor((nowMs - slotDays * dayMs) / slotMs);
  return slot - (slot % slotsInHour);
}

export type SlotDimension =
  "account_id" | "slot" | "key_id" | "channel_id" | "model" | "group_name" | "route" | "outcome";

const kinds = ["model", "group_name", "route", "outcome"] as const;

/** Each in the order in which it is read. */
export const slotViews = {
  /** Those of an account lie together. */
  usage_slot: ["account_id", "slot", "key_id", ...kinds],
  /** The gateway as a whole. */
  usage_channel_slot: ["slot", "channel_id", ...kinds],
} as const satisfies Record<string, readonly SlotDimension[]>;
export type SlotView = keyof typeof slotViews;

export type SlotMeasure = Measure | ChannelMeasure | HistogramColumn;

/** Measures of each view. */
export const slotMeasures = {
  usage_slot: [...measures, ...histogramColumns],
  usage_channel_slot: [...measures, ...channelMeasures, ...histogramColumns],
} as const satisfies Record<SlotView, readonly SlotMeasure[]>;
