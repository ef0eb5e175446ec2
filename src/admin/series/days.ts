// Sums older than hours are kept: by days of UTC, from the sums of days.
import { invalid } from "../../core/errors.ts";
import { dayMs } from "../../core/day.ts";
import { listSums, type SumRow } from "../../observe/rollup/queries.ts";
import { eachMeasure, type Dimension } from "../../observe/rollup/rollup.ts";
import type { SlotSums } from "../../observe/slots/reading/sums.ts";
import { readLog } from "../../store/log.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { Series, SeriesAsk } from "./ask.ts";
import { rollupFor } from "../usage/rollup-for.ts";
import type { ShowMargin } from "../usage/sums.ts";
import { toSeriesSums } from "./sums.ts";

type Kept = Exclude<Dimension, "day">;
const kept: readonly string[] = ["account_id", "key_id", "model", "channel_id", "label"];
const isKept = (name: string): name is Kept => kept.includes(name);
const rowsMax = 100_000;

interface DayCounts {
  at: number;
  counts: SlotSums["counts"];
}

export async function readDaySeries({ store }: RecordNeeds, ask: SeriesAsk): Promise<Series> {
  const { span, most, only } = ask;
  const filter = {
    fromDay: span.fromMs / dayMs,
    toDay: span.toMs / dayMs,
    ...named(only, "account_id", "accountId"),
    ...(only.key_id && { keyIds: only.key_id }),
    ...named(only, "model", "model"),
    ...named(only, "channel_id", "channelId"),
    ...named(only, "label", "label"),
  };
  const lost = [...Object.keys(only), ask.by ?? []].flat().find((name) => !isKept(name));
  if (lost !== undefined)
    throw invalid("from", "groups, outcomes and formats are kept for 90 days");
  const by = ask.by !== null && isKept(ask.by) ? ask.by : null;
  const wanted: Dimension[] = by === null ? ["day"] : ["day", by];
  const view = rollupFor(filter, wanted);
  const list = (dimensions: Dimension[], limit: number) =>
    readLog(store, listSums(view, { filter, by: dimensions }, { limit, offset: 0 }));
  const nameOf = (row: SumRow) => (by === null ? "" : String(row[by] ?? ""));
  const top = by === null ? [""] : (await list([by], most)).map(nameOf);
  const daysByName = new Map<string | null, DayCounts[]>(top.map((name) => [name, []]));
  const rows = await list(wanted, rowsMax);
  for (const row of rows.toReversed()) {
    const name = top.includes(nameOf(row)) ? nameOf(row) : null;
    const days = daysByName.get(name) ?? [];
    daysByName.set(name, days);
    const at = ((row.day ?? 0) * dayMs) / 1000;
    const last = days.at(-1);
    if (last?.at === at) last.counts = added(last.counts, row);
    else days.push({ at, counts: row });
  }
  return {
    sum: toDaySums(wholeOf(rows[0]), ask.margin),
    series: Array.from(daysByName, ([name, days]) => ({
      name,
      points: days.map(({ at, counts }) => ({ at, ...toDaySums(counts, ask.margin) })),
    })),
  };
}

/** Speeds are not kept of days. */
function toDaySums(counts: SlotSums["counts"], margin: ShowMargin) {
  return toSeriesSums({ counts, histograms: { first: [], total: [] } }, margin);
}

function named<Name extends string>(
  only: SeriesAsk["only"],
  dimension: Kept,
  name: Name,
): Partial<Record<Name, string>> {
  const [value] = only[dimension] ?? [];
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
}

/** The counts of a day that the others have in common. */
function added(counts: SlotSums["counts"], row: SumRow): SlotSums["counts"] {
  return { ...counts, ...eachMeasure((measure) => (counts[measure] ?? 0) + row[measure]) };
}

function wholeOf(row: SumRow | undefined) {
  if (!row) return {};
  const wholes = Object.entries(row).filter(([column]) => column.startsWith("whole_"));
  return Object.fromEntries(wholes.map(([column, value]) => [column.slice(6), Number(value)]));
}
