// Sums of slots by one thing alone, such as the account or the model: a chart of a month by key
// would else read nearly as many sums as there were requests. They are made once a day is over,
// from the sums of slots, and serve as long as nothing was added to that day since.
import { dayMs } from "../../core/day.ts";
import type { FacetName } from "../../store/log-schema.ts";
import type { SlotFilter } from "../slots/reading/queries.ts";
import { slotMs, type SlotDimension, type SlotView } from "../slots/slots.ts";

interface Facet {
  /** View whose sums it is made of. */
  readonly view: SlotView;
  /** Null: of all together. */
  readonly by: SlotDimension | null;
  readonly only: SlotFilter["only"];
}

/** Clients' own mistakes say nothing of a model's health. */
export const judgedOutcomes = ["ok", "client_abort", "upstream_error", "gateway_error"] as const;

export const facets: Readonly<Record<FacetName, Facet>> = {
  all: { view: "usage_channel_slot", by: null, only: {} },
  account_id: { view: "usage_slot", by: "account_id", only: {} },
  key_id: { view: "usage_slot", by: "key_id", only: {} },
  channel_id: { view: "usage_channel_slot", by: "channel_id", only: {} },
  model: { view: "usage_channel_slot", by: "model", only: {} },
  group_name: { view: "usage_channel_slot", by: "group_name", only: {} },
  route: { view: "usage_channel_slot", by: "route", only: {} },
  outcome: { view: "usage_channel_slot", by: "outcome", only: {} },
  health: { view: "usage_channel_slot", by: "model", only: { outcome: judgedOutcomes } },
};

export const facetNames = Object.keys(facets) as FacetName[];
export const slotsInDay = dayMs / slotMs;

export interface FacetChoice {
  facet: FacetName;
  /** Names to read; null for each. */
  names: readonly string[] | null;
}

/** Null where what is asked for is of two things at once. */
export function chooseFacet(
  only: SlotFilter["only"],
  by: SlotDimension | null,
  view: SlotView,
): FacetChoice | null {
  const [first, ...others] = Object.entries(only);
  if (first && by === null && others.length === 0) {
    const facet = facetNames.find((name) => name === first[0] && facets[name].view === view);
    return facet ? { facet, names: first[1] } : null;
  }
  const facet = facetNames.find((name) => {
    const one = facets[name];
    return one.by === by && one.view === view && Bun.deepEquals(one.only, only);
  });
  return facet ? { facet, names: null } : null;
}

/** Slots from one to before another. */
export interface SlotSpan {
  fromSlot: number;
  toSlot: number;
}

/** A span as what lies in these days and what does not, in order; days come in order, too. */
export function splitSpan(
  { fromSlot, toSlot }: SlotSpan,
  days: readonly number[],
): Record<"within" | "beside", SlotSpan[]> {
  const within: SlotSpan[] = [];
  const beside: SlotSpan[] = [];
  let at = fromSlot;
  for (const day of days) {
    const from = Math.max(day * slotsInDay, fromSlot);
    const to = Math.min((day + 1) * slotsInDay, toSlot);
    if (from >= to) continue;
    if (from > at) beside.push({ fromSlot: at, toSlot: from });
    const last = within.at(-1);
    if (last?.toSlot === from) last.toSlot = to;
    else within.push({ fromSlot: from, toSlot: to });
    at = to;
  }
  if (at < toSlot) beside.push({ fromSlot: at, toSlot });
  return { within, beside };
}
