// Use over time: made of sums, so that a chart of months takes no longer than one of a day, and
// never of the log's rows.
import { invalid } from "../../core/errors.ts";
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyAccounts } from "../../identity/listing/queries.ts";
import { readKeyNames, readUsernames } from "../../identity/queries.ts";
import { formatOfRoute } from "../../observe/format-of-route.ts";
import { SlotReader } from "../../observe/facets/read.ts";
import { slotMs, type SlotDimension } from "../../observe/slots/slots.ts";
import { chooseSlots } from "../../observe/slots/reading/queries.ts";
import { addUp, mergePoints, zeroSums, type SlotPoint } from "../../observe/slots/reading/sums.ts";
import type { InputOf } from "../call.ts";
import { channelNamed, ownWhoseNamed, whoseNamed } from "../named.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import type { SeriesAnswer, SeriesCalls, SeriesView } from "./contract.ts";
import { readDaySeries } from "./days.ts";
import { toGrouping, toOnly, toSpan } from "./filter.ts";
import type { Series, SeriesAsk } from "./ask.ts";
import { noMargin, toMargin } from "../usage/sums.ts";
import { toSeriesSums } from "./sums.ts";
import { inSlots, type SeriesDimension, type Wanted } from "./wanted.ts";

/** Everyone's, or that of the `account`, `key` or `channel` that is named. */
export async function readSeries(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<SeriesCalls["read"]>,
): Promise<SeriesAnswer> {
  const channelId = channelNamed(needs, query.channel);
  const only = toOnly(query, { ...(await whoseNamed(needs, query)), channelId });
  const by = toGrouping(query.by);
  const answer = await read(needs, query, { only, by, margin: toMargin });
  if (by !== "key_id") return answer;
  const keyIds = answer.series.flatMap(({ name }) => name ?? []) as KeyId[];
  const accounts = await readKeyAccounts(needs.database, keyIds);
  const series = answer.series.map((one) => {
    const account = accounts.get(one.name ?? "");
    return account === undefined ? one : { ...one, account };
  });
  return { ...answer, series };
}

/** The operator's own. */
export async function readOwnSeries(
  needs: RecordNeeds,
  operator: Operator,
  { query }: InputOf<SeriesCalls["readOwn"]>,
): Promise<SeriesAnswer> {
  const only = toOnly(query, await ownWhoseNamed(needs, operator, query));
  return await read(needs, query, { only, by: toGrouping(query.by), margin: noMargin });
}

async function read(
  needs: RecordNeeds,
  query: Pick<InputOf<SeriesCalls["readOwn"]>["query"], "from" | "to" | "step" | "tz" | "top">,
  wanted: Wanted,
): Promise<SeriesAnswer> {
  const slots = inSlots(wanted);
  const span = toSpan(query, { nowMs: needs.clock.nowMs(), isByDay: slots === null });
  const { top: most = 10 } = query;
  await awaitLog(needs);
  const { series, sum } =
    slots && span.isInSlots
      ? await readSlots(needs, { ...wanted, ...slots, span, most })
      : await readDaySeries(needs, { ...wanted, span, most });
  const labels = await readLabels(needs, wanted.by, series);
  return {
    from: span.fromMs / 1000,
    to: span.toMs / 1000,
    step: span.stepMs / 1000,
    tz: span.offsetMs / 60_000,
    is_exact: span.isExact,
    source: span.isInSlots ? "slots" : "days",
    sum,
    series: series.map((one) => ({ ...one, label: labels.get(one.name ?? "") ?? null })),
  };
}

/** Ask that quarters of an hour know. */
type SlotAsk = SeriesAsk & NonNullable<ReturnType<typeof inSlots>>;

async function readSlots({ store, facetMemory }: RecordNeeds, ask: SlotAsk): Promise<Series> {
  const { span, by, most, only } = ask;
  const filter = { fromSlot: span.fromMs / slotMs, toSlot: span.toMs / slotMs, only };
  const view = chooseSlots(filter, by);
  if (view === null) throw invalid("channel", "cannot be combined with an account or a key");
  const steps = {
    step: span.stepMs / slotMs,
    offset: span.offsetMs / slotMs,
    leaps: span.leaps.map(({ atMs, offsetMs }) => ({
      slot: atMs / slotMs,
      offset: offsetMs / slotMs,
    })),
  };
  const reader = new SlotReader(store, filter, facetMemory);
  const names = by === null ? [""] : await reader.topNames({ view, by }, most);
  const points =
    by === null
      ? await reader.wholePoints(view, steps)
      : await reader.points({ view, by }, { names, steps });
  const pointsByName = new Map<string | null, SeriesView["points"]>();
  for (const name of mergedNames(names, by)) pointsByName.set(name, []);
  const merged = by === "route" ? mergeFormats(points) : points;
  const starts = new Map<number, number>();
  for (const { bucket, name, ...sums } of merged) {
    const at = starts.get(bucket) ?? span.startOf(bucket * span.stepMs) / 1000;
    starts.set(bucket, at);
    const list = pointsByName.get(name) ?? [];
    list.push({ at, ...toSeriesSums(sums, ask.margin) });
    pointsByName.set(name, list);
  }
  return {
    // Every slot is in one point.
    sum: toSeriesSums(addUp([zeroSums(view), ...points]), ask.margin),
    series: Array.from(pointsByName, ([name, list]) => ({ name, points: list })),
  };
}

function mergedNames(names: readonly string[], by: SlotDimension | null): string[] {
  return by === "route" ? [...new Set(names.map(formatOfRoute))] : [...names];
}

/** Several routes speak one format. */
function mergeFormats(points: readonly SlotPoint[]): SlotPoint[] {
  const ofFormats = points.map((point) => ({
    ...point,
    name: point.name === null ? null : formatOfRoute(point.name),
  }));
  return mergePoints(ofFormats);
}

async function readLabels(
  { database, channels }: RecordNeeds,
  by: SeriesDimension | null,
  series: Series["series"],
): Promise<Map<string, string>> {
  const names = series.flatMap(({ name }) => name ?? []);
  switch (by) {
    case "account_id":
      return await readUsernames(database, names as AccountId[]);
    case "key_id":
      return await readKeyNames(database, names as KeyId[]);
    case "channel_id":
      return new Map(
        names.flatMap((name) => {
          const channel = channels.find(name as ChannelId);
          return channel ? [[name, channel.settings.name] as const] : [];
        }),
      );
    default:
      return new Map();
  }
}
