// The SQL of the sums of days: how they grow with the log's rows, how they go, how they are read.
import type { Program, Statement } from "../../store/store.ts";
import {
  measures,
  rollupNames,
  rollups,
  sumMax,
  type Dimension,
  type Dimensions,
  type Measure,
  type Rollup,
} from "./rollup.ts";

type Steps = Program["steps"];

/** To run with the rows that are summed, in one commit. */
export const rollupSteps: Steps = rollupNames.map((name) => {
  const keys = rollups[name];
  const columns = [...keys, ...measures];
  const sums = measures.map((one) => `${one} = min(${one} + excluded.${one}, ${sumMax})`);
  return {
    list: name,
    sql: `insert into ${name} (${columns.join(", ")})
          values (${columns.map(() => "?").join(", ")})
          on conflict (${keys.join(", ")}) do update set ${sums.join(", ")}`,
  };
});

/**
 * Every account with sums, one after the other: an account's days lie together, so that reading
 * some days of all accounts takes a step for each account instead of a look at everything.
 */
const everyAccount = `with recursive every (account_id) as (
  select min(account_id) from usage_day
  union all
  select (select min(account_id) from usage_day where account_id > every.account_id)
  from every where every.account_id is not null)`;

/** Each takes the first day that stays. To be run once a day, when there is one day to go. */
export const rollupExpirySteps: Steps = [
  `${everyAccount} delete from usage_day where (account_id, day, key_id, model) in (
     select account_id, day, key_id, model from every join usage_day using (account_id)
     where day < ?1)`,
  "delete from usage_channel_day where day < ?1",
].map((sql) => ({ list: "expiredDays", rows: "any", sql }));

export interface SumFilter {
  fromDay: number;
  /** The first day after. */
  toDay: number;
  accountId?: string;
  keyId?: string;
  model?: string;
  channelId?: string;
}

/** Null where no sums are kept that way. */
export function chooseRollup(filter: SumFilter, by: readonly Dimension[]): Rollup | null {
  const needed = new Set<Dimension>([...by, ...conditionsOf(filter).map(([name]) => name)]);
  const isCovered = needed.isSubsetOf(new Set<Dimension>(rollups.usage_channel_day));
  if (isCovered) return "usage_channel_day";
  return needed.has("channel_id") ? null : "usage_day";
}

/** A row as the database gives it: the dimensions it was asked by, and every measure. */
export type SumRow = Partial<Dimensions> & Record<Measure, number> & Record<WholeSum, number>;
/** What each row also knows of all of them, on whatever page: how many they are, and their sums. */
type WholeSum = "groups" | `whole_${Measure}`;

/** `total` counts in floating point and so never overflows; up to the cap it is exact. */
const sums = measures.map((one) => `min(total(${one}), ${sumMax}) as ${one}`).join(", ");
const wholeSums = measures
  .map((one) => `min(total(total(${one})) over (), ${sumMax}) as whole_${one}`)
  .join(", ");

/** Newest day first, then the dearest. */
export function listSums(
  name: Rollup,
  ask: { filter: SumFilter; by: readonly Dimension[] },
  page: { limit: number; offset: number },
): Statement {
  const { condition, parameters } = where(ask.filter);
  const { by } = ask;
  const source = sourceOf(name, ask.filter);
  const from = parameters.length;
  const rest = by.filter((one) => one !== "day");
  const order = [...(by.includes("day") ? ["day desc"] : []), "micros desc", ...rest];
  return {
    sql: `${source.start}select ${by.join(", ")}, ${sums}, count(*) over () as groups, ${wholeSums}
from ${source.from}${condition}
group by ${by.join(", ")} order by ${order.join(", ")} limit $${from + 1} offset $${from + 2}`,
    parameters: [...parameters, page.limit, page.offset],
  };
}

function sourceOf(name: Rollup, { accountId }: SumFilter): { start: string; from: string } {
  if (name !== "usage_day" || accountId !== undefined) return { start: "", from: name };
  return { start: `${everyAccount} `, from: "every join usage_day using (account_id)" };
}

function where(filter: SumFilter): { condition: string; parameters: (string | number)[] } {
  const parameters: (string | number)[] = [filter.fromDay, filter.toDay];
  const parts = ["day >= $1", "day < $2"];
  for (const [name, value] of conditionsOf(filter)) {
    parameters.push(value);
    parts.push(`${name} = $${parameters.length}`);
  }
  return { condition: ` where ${parts.join(" and ")}`, parameters };
}

function conditionsOf({ accountId, keyId, model, channelId }: SumFilter): [Dimension, string][] {
  const conditions: [Dimension, string | undefined][] = [
    ["account_id", accountId],
    ["key_id", keyId],
    ["model", model],
    ["channel_id", channelId],
  ];
  return conditions.filter((one): one is [Dimension, string] => one[1] !== undefined);
}
