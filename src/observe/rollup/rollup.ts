// The sums that are kept beside the usage log, by day and by who or what it was: a year of them is
// read at once where a year of rows would take long, and they outlive the rows.
import type { ChannelMeasures, UsageMeasures } from "../../store/log-schema.ts";
import { summedColumns } from "../../store/usage-columns.ts";
import type { UsageRow } from "../usage-row.ts";

/** Sums end here instead of overflowing: no sum holds up the log. */
export const sumMax = Number.MAX_SAFE_INTEGER;

/** Summed values, under their columns' names. */
export const measures = ["requests", "failures", ...summedColumns] as const;
export type Measure = keyof UsageMeasures;

/** Attempts are told from requests: one that failed may have been made good by another channel. */
export const channelMeasures = [
  "attempts",
  "attempt_failures",
] as const satisfies readonly (keyof ChannelMeasures)[];
export type ChannelMeasure = keyof ChannelMeasures;

/** Dimensions of the sums; the days are those of UTC, counted from 1970. */
export interface Dimensions {
  account_id: string;
  day: number;
  key_id: string;
  model: string;
  channel_id: string;
  label: string;
}
export type Dimension = keyof Dimensions;

/** Views of the same sums, each in the order in which it is read. */
export const rollups = {
  /** Those of an account lie together, however many accounts there are. */
  usage_day: ["account_id", "day", "key_id", "model"],
  /** The gateway as a whole. */
  usage_channel_day: ["day", "channel_id", "model"],
  /** Those that have a label. */
  usage_label_day: ["account_id", "day", "label"],
} as const satisfies Record<string, readonly Dimension[]>;
export type Rollup = keyof typeof rollups;

export function eachMeasure<Of>(valueOf: (measure: Measure) => Of): Record<Measure, Of> {
  const entries = measures.map((measure) => [measure, valueOf(measure)]);
  return Object.fromEntries(entries) as Record<Measure, Of>;
}

export const zeros: UsageMeasures = eachMeasure(() => 0);

/**
 * A model that was asked for and reached no channel may be any text, so those are counted as one:
 * nobody can fill the sums with names.
 */
export function countedModel({ outcome, channel_id, model }: UsageRow): string {
  return outcome === "ok" || channel_id !== null ? model : "";
}

/** Round to the whole number that the table takes. */
export function toWhole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : 0;
}
