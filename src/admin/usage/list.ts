// Use by day and by whatever else is asked for: read from sums, so that a year of it takes no
// longer than a day.
import { invalid } from "../../core/errors.ts";
import { dayMs, dayOf, formatDay } from "../../core/day.ts";
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyNames, readUsernames } from "../../identity/queries.ts";
import { listSums, type SumFilter, type SumRow } from "../../observe/rollup/queries.ts";
import type { Dimension } from "../../observe/rollup/rollup.ts";
import { readLog } from "../../store/log.ts";
import type { InputOf } from "../call.ts";
import { channelNamed, ownWhoseNamed, whoseNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import type { ListedUsage, UsageCalls, UsageView } from "./contract.ts";
import { rollupFor } from "./rollup-for.ts";
import { noMargin, toAttempts, toMargin, toSums, type ShowMargin } from "./sums.ts";

type OwnInput = InputOf<UsageCalls["listOwn"]>;
type Input = InputOf<UsageCalls["list"]>;

/** Everyone's, or that of the `account`, `key` or `channel` that is named. */
export async function listUsageViews(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: Input,
): Promise<ListedUsage> {
  const channelId = channelNamed(needs, query.channel);
  const filter = {
    ...toSumFilter(needs, query),
    ...(await whoseNamed(needs, query)),
    ...(channelId !== null && { channelId }),
  };
  return await list(needs, filter, query, toMargin);
}

/** The operator's own. */
export async function listOwnUsage(
  needs: RecordNeeds,
  operator: Operator,
  { query }: OwnInput,
): Promise<ListedUsage> {
  const whose = await ownWhoseNamed(needs, operator, query);
  return await list(needs, { ...toSumFilter(needs, query), ...whose }, query, noMargin);
}

const daysUsual = 30;

async function list(
  needs: RecordNeeds,
  filter: SumFilter,
  query: (OwnInput | Input)["query"],
  margin: ShowMargin,
): Promise<ListedUsage> {
  const page = pageOf(query);
  const by = (query.by ?? ["day", "model"]).map((word) => dimensions[word]);
  const name = rollupFor(filter, by);
  const { store } = needs;
  await awaitLog(needs);
  const read = (some: { limit: number; offset: number }) =>
    readLog(store, listSums(name, { filter, by }, some));
  const rows = await read(page);
  // A page past the end has no row that would know of all of them.
  const isPastEnd = rows.length === 0 && page.offset > 0;
  const [whole] = isPastEnd ? await read({ limit: 1, offset: 0 }) : rows;
  return {
    ...toListed(page, await toViews(needs, rows, margin), whole?.groups ?? 0),
    from: formatDay(filter.fromDay),
    to: formatDay(filter.toDay),
    sum: {
      ...toSums((measure) => whole?.[`whole_${measure}`]),
      ...margin((measure) => whole?.[`whole_${measure}`]),
      ...(name === "usage_channel_day" &&
        toAttempts((measure) => whole?.[`whole_${measure}`] ?? 0)),
    },
  };
}

const dimensions = {
  day: "day",
  model: "model",
  key: "key_id",
  account: "account_id",
  channel: "channel_id",
  label: "label",
} as const satisfies Record<string, Dimension>;

function toSumFilter(
  { clock }: RecordNeeds,
  { model, label, from: fromMs, to: toMs }: OwnInput["query"] | Input["query"],
): SumFilter {
  const toDay = toMs === undefined ? dayOf(clock.nowMs()) + 1 : Math.ceil(toMs / dayMs);
  const fromDay = fromMs === undefined ? Math.max(toDay - daysUsual, 0) : dayOf(fromMs);
  if (toDay <= fromDay) throw invalid("to", "must be after from");
  return { fromDay, toDay, ...(model && { model }), ...(label && { label }) };
}

async function toViews(
  needs: RecordNeeds,
  rows: readonly SumRow[],
  margin: ShowMargin,
): Promise<UsageView[]> {
  const { database, channels } = needs;
  const accounts = namesIn(rows, "account_id") as AccountId[];
  const keys = namesIn(rows, "key_id") as KeyId[];
  const usernames = await readUsernames(database, accounts);
  const keyNames = await readKeyNames(database, keys);
  return rows.map((row) => {
    const { day, model, key_id, account_id, channel_id, label } = row;
    return {
      ...(day !== undefined && { day: formatDay(day) }),
      ...(model !== undefined && { model }),
      ...(key_id !== undefined && { key_id, key_name: keyNames.get(key_id) ?? "" }),
      ...(label !== undefined && { label }),
      ...(account_id !== undefined && { account: usernames.get(account_id) ?? account_id }),
      ...(channel_id !== undefined && {
        channel_id,
        channel: channels.find(channel_id as ChannelId)?.settings.name ?? null,
      }),
      ...toSums((measure) => row[measure]),
      ...margin((measure) => row[measure]),
      ...(row.attempts !== undefined && toAttempts((measure) => row[measure])),
    };
  });
}

function namesIn(rows: readonly SumRow[], name: "account_id" | "key_id"): string[] {
  return [...new Set(rows.flatMap((row) => row[name] ?? []))];
}
