// Choices of the explorer, and those in the address.
import type { SeriesSums } from "../../../src/admin/contract.ts";
import { withQuery } from "../../core/api.ts";
import { compact, count, millis, money, shortMoney } from "../../core/format.ts";
import { addressOf, query } from "../../core/place.ts";
import { shownSpan, type Span } from "../../core/time/range.ts";
import { stepsFor } from "../../core/time/span.ts";
import { may, scoped, seesMoney } from "../../core/session.ts";

interface Metric {
  of(sums: SeriesSums): number | null;
  show(value: number): string;
  showAxis(value: number): string;
  /** A time, of which sums mean nothing: drawn as lines. */
  isTime?: boolean;
}

const number = { show: count, showAxis: compact };
const time = { show: millis, showAxis: millis, isTime: true };

export const metrics = {
  spend: { of: ({ micros }) => micros, show: money, showAxis: shortMoney },
  requests: { of: ({ requests }) => requests, ...number },
  failures: { of: ({ failures }) => failures, ...number },
  tokens: { of: (sums) => sums.input_tokens + sums.output_tokens, ...number },
  input: { of: (sums) => sums.input_tokens, ...number },
  output: { of: (sums) => sums.output_tokens, ...number },
  cached: { of: (sums) => sums.cache_read_tokens, ...number },
  images: { of: ({ images }) => images, ...number },
  seconds: { of: ({ seconds }) => seconds, ...number },
  first: { of: ({ first_byte }) => first_byte?.p50 ?? null, ...time },
  total: { of: ({ total_time }) => total_time?.p50 ?? null, ...time },
} as const satisfies Record<string, Metric>;
export type MetricName = keyof typeof metrics;
/** Without spending, where one does not see it. */
export function metricNames(): MetricName[] {
  const all = Object.keys(metrics).filter(isMetric);
  return seesMoney("usage.read") ? all : all.filter((name) => name !== "spend");
}

function isMetric(name: string): name is MetricName {
  return name in metrics;
}

export function metricOf(name: MetricName): Metric {
  return metrics[name];
}

export function chosenMetric(): MetricName {
  const text = query.value.get("metric") ?? "";
  return metricNames().find((name) => name === text) ?? metricNames()[0] ?? "requests";
}

const ownSides = ["model", "key", "group", "format", "outcome", "label", "none"] as const;
const allSides = [
  "model",
  "channel",
  "account",
  "key",
  "group",
  "format",
  "outcome",
  "label",
  "none",
] as const;
export type Side = (typeof allSides)[number];

type Filters = Partial<Record<Side, string>>;

/** Filters in the address, side by side. */
export function chosenFilters(): Filters {
  const known = may("usage.read") ? allSides : ownSides;
  return Object.fromEntries(
    known.flatMap((side) => {
      const name = query.value.get(side);
      return name === null ? [] : [[side, name]];
    }),
  );
}

/** Sides of which no sums are kept together. */
const apart: Readonly<Record<string, readonly Side[]>> = {
  model: ["label"],
  channel: ["account", "key", "label"],
  account: ["channel"],
  key: ["channel", "label"],
  group: ["label"],
  format: ["label"],
  outcome: ["label"],
  label: ["model", "channel", "key", "group", "format", "outcome"],
};

/** Sides to group by, with these filters. */
export function sides(filters: Filters = chosenFilters()): readonly Side[] {
  const taken = Object.keys(filters);
  const lost = taken.flatMap((side) => apart[side] ?? []);
  const known = may("usage.read") ? allSides : ownSides;
  return known.filter((side) => !taken.includes(side) && !lost.includes(side));
}

/** Side that the parts of one name are grouped by, until something else is chosen. */
export function nextSide(by: Side): Side {
  return sides({ ...chosenFilters(), [by]: "" })[0] ?? "none";
}

/** Name as an address has it: accounts by their user names, which are theirs alone. */
export function saidOf(by: Side, name: string): string {
  return by === "account" ? (labels.get(name) ?? name) : name;
}

/** The parts of one name. */
export function partsOf(by: Side, name: string): string {
  const search = new URLSearchParams(query.value);
  search.set(by, saidOf(by, name));
  search.set("by", nextSide(by));
  return `${addressOf("usage")}?${search.toString()}`;
}

/** People's names for ids, as far as they were seen. */
export const labels = new Map<string, string>();

export function chosenSide(): Side {
  const text = query.value.get("by");
  return sides().find((one) => one === text) ?? sides()[0] ?? "none";
}

export const rollups = ["900", "3600", "21600", "86400"] as const;
export type Rollup = (typeof rollups)[number];

/** Labels are summed by day alone. */
export function isByDay(): boolean {
  return chosenSide() === "label" || chosenFilters().label !== undefined;
}

/** Those that make neither a handful of columns nor a thousand. */
export function fittingRollups(): readonly Rollup[] {
  if (isByDay()) return ["86400"];
  const steps = stepsFor(shownSpan()).map(String);
  return rollups.filter((one) => steps.includes(one));
}

export function chosenRollup(): Rollup {
  const text = query.value.get("step") ?? String(shownSpan().step);
  return fittingRollups().find((one) => one === text) ?? fittingRollups()[0] ?? "86400";
}

export function chosenSpan(back = 0): Span {
  return { ...shownSpan(back), step: Number(chosenRollup()) };
}

const summedByDay: readonly Side[] = ["none", "model", "channel", "account", "key", "label"];

/** Days of UTC, of the sides that days are kept by; null for the others. */
export function csvPath(): string | null {
  const side = chosenSide();
  const filters = chosenFilters();
  const all = [side, ...Object.keys(filters)];
  if (!all.every((one) => summedByDay.some((known) => known === one))) return null;
  const { from, to } = shownSpan();
  const by = side === "none" ? "day" : `day,${side}`;
  return withQuery(`${scoped("/api/usage")}.csv`, { by, from, to, ...filters });
}
