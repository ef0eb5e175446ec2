// The SQL of facets: how they are made of the sums of slots, which days they are true of, and how
// they are read together with the slots of other days.
import { sql, type RawBuilder } from "kysely";
import type { FacetName } from "../../store/log-schema.ts";
import type { LogQuery } from "../../store/log.ts";
import { channelMeasures, measures } from "../rollup/rollup.ts";
import { capped } from "../slots/queries.ts";
import {
  ctesOf,
  dearestFirst,
  fromOf,
  valuesOf,
  type SlotFilter,
  type SlotSource,
} from "../slots/reading/queries.ts";
import { slotMeasures, type SlotMeasure } from "../slots/slots.ts";
import { facets, slotsInDay, type SlotSpan } from "./facets.ts";

const stateColumns = [...measures, ...channelMeasures];

/** Sums of a whole day, which grow with each row that changes any other sum. */
export type DayState = Record<(typeof stateColumns)[number] | "day", number>;

/** Days from one to before another. */
interface DaySpan {
  fromDay: number;
  toDay: number;
}

const isSame = sql.join(
  stateColumns.map((column) => sql`${sql.ref(`state.${column}`)} = ${sql.ref(`now.${column}`)}`),
  sql` and `,
);

function statesNow({ fromDay, toDay }: DaySpan): RawBuilder<unknown> {
  const sums = stateColumns.map((column) => sql`${wholeSum(sql.ref(column))} as ${sql.id(column)}`);
  return sql`(select day, ${sql.join(sums)} from usage_channel_day
    where day >= ${fromDay} and day < ${toDay} group by day) as now`;
}

/** In floating point, so that it never overflows; up to the cap it is exact. */
function wholeSum(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(${capped(sql`sum(cast(${column} as double precision))`)} as bigint)`;
}

const stateNow = sql.join(["day", ...stateColumns].map((column) => sql.ref(`now.${column}`)));

/** The days whose facets have all that their slots have, oldest first. */
export function listFacetDays(span: DaySpan): LogQuery<DayState> {
  return sql`select ${stateNow} from ${statesNow(span)}
    join usage_facet_state as state on state.day = now.day and ${isSame} order by 1`;
}

/** The days with something in them whose facets are to be made, newest first. */
export function listDaysToFill(span: DaySpan): LogQuery<DayState> {
  return sql`select ${stateNow} from ${statesNow(span)}
    left join usage_facet_state as state on state.day = now.day and ${isSame}
    where state.day is null order by 1 desc`;
}

/** Puts the sums of these slots in place of what is there: names are never fewer than before. */
export function fillSlots(facet: FacetName, span: SlotSpan): LogQuery<unknown> {
  const { view, by, only } = facets[facet];
  const filter = { ...span, only };
  const columns = slotMeasures[view].map((column) => sql.ref(column));
  return sql`insert into usage_facet_slot (facet, name, slot, ${sql.join(columns)})
    ${ctesOf(view, filter)}
    select ${sql.lit(facet)}, ${nameOf(by)}, slot, ${sql.join(columns.map(wholeSum))}
    ${fromOf(view, filter)} group by 2, 3
    on conflict (facet, name, slot) do update set ${replaced(slotMeasures[view])}`;
}

/** The same for a whole day, with as little as tells who came to most. */
export function fillDay(facet: FacetName, day: number): LogQuery<unknown> {
  const { view, by, only } = facets[facet];
  const filter = { fromSlot: day * slotsInDay, toSlot: (day + 1) * slotsInDay, only };
  return sql`insert into usage_facet_day (facet, day, name, requests, micros)
    ${ctesOf(view, filter)}
    select ${sql.lit(facet)}, ${sql.lit(day)}, ${nameOf(by)},
      ${wholeSum(sql.ref("requests"))}, ${wholeSum(sql.ref("micros"))}
    ${fromOf(view, filter)} group by 3
    on conflict (facet, day, name) do update set ${replaced(["requests", "micros"])}`;
}

/** From now on the facets of the day are true, while its sums are what they were before. */
export function writeState(state: DayState): LogQuery<unknown> {
  const columns = ["day", ...stateColumns] as const;
  return sql`insert into usage_facet_state (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map((column) => sql.lit(state[column])))})
    on conflict (day) do update set ${replaced(stateColumns)}`;
}

/** Those of slots go with the slots. */
export function forgetFacets(day: number): LogQuery<unknown>[] {
  return [
    sql`delete from usage_facet_day where day < ${day}`,
    sql`delete from usage_facet_state where day < ${day}`,
  ];
}

function nameOf(by: string | null): RawBuilder<unknown> {
  return by === null ? sql`''` : sql.ref(by);
}

function replaced(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
  );
}

/** A facet within some spans, and what it is made of beside them. */
export interface FacetRows {
  facet: FacetName;
  /** Null for each. */
  names: readonly string[] | null;
  within: readonly SlotSpan[];
  beside: readonly SlotSpan[];
}

/** Rows of slots of one name each, under `name`. */
export function facetSource({ facet, names, within, beside }: FacetRows): SlotSource {
  const { view, by } = facets[facet];
  const columns = sql.join(slotMeasures[view].map((column: SlotMeasure) => sql.ref(column)));
  const isNamed = names === null ? sql`` : sql` and name in (${valuesOf(names)})`;
  const kept = within.map(
    ({ fromSlot, toSlot }) => sql`select slot, name, ${columns} from usage_facet_slot
      where facet = ${sql.lit(facet)}${isNamed}
      and slot >= ${sql.lit(fromSlot)} and slot < ${sql.lit(toSlot)}`,
  );
  const fromSlots = beside.map(
    (span) => sql`select slot, ${nameOf(by)} as name, ${columns}
      ${fromOf(view, besideFilter(facet, names, span))}`,
  );
  return { view, ctes: besideCtes({ facet, names, beside }), from: union([...kept, ...fromSlots]) };
}

/** Those that came to most; the spans within are of whole days. */
export function listTopOfFacet(
  { facet, within, beside }: Omit<FacetRows, "names">,
  limit: number,
): LogQuery<{ name: string }> {
  const { view, by } = facets[facet];
  const kept = within.map(
    ({ fromSlot, toSlot }) => sql`select name, micros, requests from usage_facet_day
      where facet = ${sql.lit(facet)} and day >= ${sql.lit(fromSlot / slotsInDay)}
      and day < ${sql.lit(toSlot / slotsInDay)}`,
  );
  const fromSlots = beside.map(
    (span) => sql`select ${nameOf(by)} as name, micros, requests
      ${fromOf(view, besideFilter(facet, null, span))}`,
  );
  return sql`${besideCtes({ facet, names: null, beside })}
    select name ${union([...kept, ...fromSlots])}
    group by 1 order by ${dearestFirst}, 1 limit ${sql.lit(limit)}`;
}

function besideFilter(
  facet: FacetName,
  names: readonly string[] | null,
  span: SlotSpan,
): SlotFilter {
  const { by, only } = facets[facet];
  return { ...span, only: names && by ? { ...only, [by]: names } : only };
}

function besideCtes({ facet, names, beside }: Omit<FacetRows, "within">): RawBuilder<unknown> {
  const [span] = beside;
  return span ? ctesOf(facets[facet].view, besideFilter(facet, names, span)) : sql``;
}

function union(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`from (${sql.join(parts, sql` union all `)}) as part`;
}
