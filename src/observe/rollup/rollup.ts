// The sums that are kept beside the usage log, by day and by who or what it was: a year of them is
// read at once where a year of rows would take long, and they outlive the rows.
import { dayOf } from "../../core/day.ts";
import type { LogTables, UsageMeasures } from "../../store/log-schema.ts";
import type { UsageRow } from "../usage-log.ts";

/** Sums end here instead of overflowing: no sum holds up the log. */
export const sumMax = Number.MAX_SAFE_INTEGER;

/** What is summed, under its column's name. */
export const measures = [
  "requests",
  "failures",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "images",
  "media_ms",
  "micros",
] as const satisfies readonly (keyof UsageMeasures)[];
export type Measure = keyof UsageMeasures;

/** What the sums are kept by; the days are those of UTC, counted from 1970. */
export interface Dimensions {
  account_id: string;
  day: number;
  key_id: string;
  model: string;
  channel_id: string;
}
export type Dimension = keyof Dimensions;

/** Two views of the same sums, each in the order in which it is read. */
export const rollups = {
  /** Those of an account lie together, however many accounts there are. */
  usage_day: ["account_id", "day", "key_id", "model"],
  /** The gateway as a whole. */
  usage_channel_day: ["day", "channel_id", "model"],
} as const satisfies Record<string, readonly Dimension[]>;
export type Rollup = keyof typeof rollups;

type Group = Dimensions & UsageMeasures;
type Added = { [Name in Rollup]: LogTables[Name][] };

const zeros: UsageMeasures = {
  requests: 0,
  failures: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  images: 0,
  media_ms: 0,
  micros: 0,
};

/** Rows to add to each of the sums. */
export function rollUp(rows: readonly UsageRow[]): Added {
  // A key has few models and channels, and looking through them is cheaper than a name for each.
  const byKey = new Map<string, Group[]>();
  for (const row of rows) {
    const day = dayOf(toWhole(row.atMs));
    const model = countedModel(row);
    const channel_id = row.channelId ?? "";
    const { accountId: account_id, keyId: key_id } = row;
    let groups = byKey.get(key_id);
    if (!groups) byKey.set(key_id, (groups = []));
    let group = groups.find(
      (one) =>
        one.day === day &&
        one.model === model &&
        one.channel_id === channel_id &&
        one.account_id === account_id,
    );
    if (!group) {
      group = { account_id, day, key_id, model, channel_id, ...zeros };
      groups.push(group);
    }
    addRow(group, row);
  }
  const groups = [...byKey.values()].flat();
  return {
    usage_day: sumBy(groups, rollups.usage_day),
    usage_channel_day: sumBy(groups, rollups.usage_channel_day),
  };
}

/**
 * A model that was asked for and reached no channel may be any text, so those are counted as one:
 * nobody can fill the sums with names.
 */
export function countedModel({ outcome, channelId, model }: UsageRow): string {
  return outcome === "ok" || channelId !== null ? model : "";
}

/** As the table takes it. */
export function toWhole(value: number): number {
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : 0;
}

/** A client that left has had no failure. */
function addRow(sums: UsageMeasures, row: UsageRow): void {
  const isFailure = row.outcome !== "ok" && row.outcome !== "client_abort";
  add(sums, "requests", row.kind === "request" ? 1 : 0);
  add(sums, "failures", isFailure ? 1 : 0);
  add(sums, "input_tokens", row.inputTokens);
  add(sums, "output_tokens", row.outputTokens);
  add(sums, "cache_read_tokens", row.cacheReadTokens);
  add(sums, "cache_write_tokens", row.cacheWriteTokens);
  add(sums, "reasoning_tokens", row.reasoningTokens);
  add(sums, "images", row.images);
  add(sums, "media_ms", row.mediaMs);
  add(sums, "micros", row.micros);
}

function add(sums: UsageMeasures, measure: Measure, value: number): void {
  if (value !== 0) sums[measure] = Math.min(sums[measure] + toWhole(value), sumMax);
}

function sumBy(groups: Iterable<Group>, by: readonly Dimension[]): Group[] {
  const summed = new Map<string, Group>();
  for (const group of groups) {
    // The model comes last in all of them.
    const name = by.map((dimension) => group[dimension]).join(" ");
    const known = summed.get(name);
    if (!known) summed.set(name, { ...group });
    else for (const measure of measures) add(known, measure, group[measure]);
  }
  return [...summed.values()];
}
