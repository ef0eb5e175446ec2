// The sums that are kept beside the usage log, by day and by who or what it was: a year of them is
// read at once where a year of rows would take long, and they outlive the rows.
import { dayOf } from "../../core/day.ts";
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
] as const;
export type Measure = (typeof measures)[number];

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
export const rollupNames = Object.keys(rollups) as Rollup[];

interface Group extends Dimensions {
  sums: number[];
}

/** Rows to add to each of the sums: the dimensions in their order, then the measures. */
export function rollUp(rows: readonly UsageRow[]): Record<Rollup, (string | number)[][]> {
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
      group = { account_id, day, key_id, model, channel_id, sums: measures.map(() => 0) };
      groups.push(group);
    }
    addRow(group.sums, row);
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

/** In the order of `measures`. A client that left has had no failure. */
function addRow(sums: number[], row: UsageRow): void {
  const isFailure = row.outcome !== "ok" && row.outcome !== "client_abort";
  add(sums, 0, row.kind === "request" ? 1 : 0);
  add(sums, 1, isFailure ? 1 : 0);
  add(sums, 2, row.inputTokens);
  add(sums, 3, row.outputTokens);
  add(sums, 4, row.cacheReadTokens);
  add(sums, 5, row.cacheWriteTokens);
  add(sums, 6, row.reasoningTokens);
  add(sums, 7, row.images);
  add(sums, 8, row.mediaMs);
  add(sums, 9, row.micros);
}

function add(sums: number[], at: number, value: number): void {
  if (value !== 0) sums[at] = Math.min((sums[at] ?? 0) + toWhole(value), sumMax);
}

function sumBy(groups: Iterable<Group>, by: readonly Dimension[]): (string | number)[][] {
  const summed = new Map<string, { cells: (string | number)[]; sums: number[] }>();
  for (const group of groups) {
    const cells = by.map((dimension) => group[dimension]);
    // The model comes last in all of them.
    const name = cells.join(" ");
    const known = summed.get(name);
    if (!known) summed.set(name, { cells, sums: [...group.sums] });
    else for (const [at, sum] of group.sums.entries()) add(known.sums, at, sum);
  }
  return Array.from(summed.values(), ({ cells, sums }) => [...cells, ...sums]);
}
