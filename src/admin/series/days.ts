// What is older than hours are kept: by days of UTC, from the sums of days.
import { invalid } from "../../core/errors.ts";
import { dayMs } from "../../core/day.ts";
import { chooseRollup, listSums, type SumRow } from "../../observe/rollup/queries.ts";
import type { Dimension } from "../../observe/rollup/rollup.ts";
import type { SlotSums } from "../../observe/slots/reading/sums.ts";
import { readLog } from "../../store/log.ts";
import type { SeriesView } from "./contract.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { Series, SeriesAsk } from "./ask.ts";
import { toSeriesSums } from "./sums.ts";

type Kept = Exclude<Dimension, "day">;
const kept: readonly string[] = ["account_id", "key_id", "model", "channel_id"];
const isKept = (name: string): name is Kept => kept.includes(name);
const rowsMax = 100_000;

export async function readDaySeries({ store }: RecordNeeds, ask: SeriesAsk): Promise<Series> {
  const { span, most, only } = ask;
  const filter = {
    fromDay: span.fromMs / dayMs,
    toDay: span.toMs / dayMs,
    ...named(only, "account_id", "accountId"),
    ...named(only, "key_id", "keyId"),
    ...named(only, "model", "model"),
    ...named(only, "channel_id", "channelId"),
  };
  const lost = [...Object.keys(only), ask.by ?? []].flat().find((name) => !isKept(name));
  if (lost !== undefined)
    throw invalid("from", "groups, outcomes and formats are kept for 90 days");
  const by = ask.by !== null && isKept(ask.by) ? ask.by : null;
  const wanted: Dimension[] = by === null ? ["day"] : ["day", by];
  const view = chooseRollup(filter, wanted);
  if (view === null) throw invalid("channel", "cannot be combined with an account or a key");
  const list = (dimensions: Dimension[], limit: number) =>
    readLog(store, listSums(view, { filter, by: dimensions }, { limit, offset: 0 }));
  const nameOf = (row: SumRow) => (by === null ? "" : String(row[by] ?? ""));
  const top = by === null ? [""] : (await list([by], most)).map(nameOf);
  const pointsByName = new Map<string | null, SeriesView["points"]>(top.map((name) => [name, []]));
  const rows = await list(wanted, rowsMax);
  for (const row of rows.toReversed()) {
    const name = top.includes(nameOf(row)) ? nameOf(row) : null;
    const points = pointsByName.get(name) ?? [];
    pointsByName.set(name, points);
    const at = ((row.day ?? 0) * dayMs) / 1000;
    const last = points.at(-1);
    if (last?.at === at) points[points.length - 1] = { ...last, ...added(last, row) };
    else points.push({ at, ...toDaySums(row) });
  }
  return {
    sum: toDaySums(wholeOf(rows[0])),
    series: Array.from(pointsByName, ([name, points]) => ({ name, points })),
  };
}

/** How fast it was is not kept of days. */
function toDaySums(counts: SlotSums["counts"]) {
  return toSeriesSums({ counts, histograms: { first: [], total: [] } });
}

function named<Name extends string>(
  only: SeriesAsk["only"],
  dimension: Kept,
  name: Name,
): Partial<Record<Name, string>> {
  const [value] = only[dimension] ?? [];
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
}

/** What the others have in common is a point. */
function added(point: SeriesView["points"][number], row: SumRow) {
  const more = toDaySums(row);
  return {
    requests: point.requests + more.requests,
    failures: point.failures + more.failures,
    input_tokens: point.input_tokens + more.input_tokens,
    output_tokens: point.output_tokens + more.output_tokens,
    cache_read_tokens: point.cache_read_tokens + more.cache_read_tokens,
    cache_write_tokens: point.cache_write_tokens + more.cache_write_tokens,
    reasoning_tokens: point.reasoning_tokens + more.reasoning_tokens,
    images: point.images + more.images,
    seconds: point.seconds + more.seconds,
    micros: point.micros + more.micros,
  };
}

function wholeOf(row: SumRow | undefined) {
  if (!row) return {};
  const wholes = Object.entries(row).filter(([column]) => column.startsWith("whole_"));
  return Object.fromEntries(wholes.map(([column, value]) => [column.slice(6), Number(value)]));
}
