// The sums of slots as they are asked for: from facets on days that have true ones, from the slots
// themselves on all others.
import type { Lru } from "../../core/lru.ts";
import { readLog, type LogReader } from "../../store/log.ts";
import {
  chooseSlots,
  listSlots,
  listTopNames,
  sumSlots,
  toSource,
  type Pairs,
  type SlotFilter,
  type SlotSource,
  type SlotSteps,
} from "../slots/reading/queries.ts";
import {
  mergePoints,
  readPointRows,
  readSumRow,
  takeAway,
  type SlotPoint,
  type SlotSums,
} from "../slots/reading/sums.ts";
import type { SlotDimension, SlotView } from "../slots/slots.ts";
import { chooseFacet, slotsInDay, splitSpan, type FacetChoice } from "./facets.ts";
import {
  facetSource,
  listFacetDays,
  listTopOfFacet,
  type DayState,
  type FacetRows,
} from "./queries.ts";

interface Grouping {
  view: SlotView;
  by: SlotDimension;
}

/** Each under its own name. */
interface OwnAsk {
  by: SlotDimension | "name" | null;
  steps: SlotSteps;
}

interface PointsAsk {
  names: readonly string[];
  steps: SlotSteps;
}

/** Facets of days that are over, which stay as they are: by all that they depend on. */
export type FacetMemory = Lru<string, readonly SlotPoint[]>;

/** A chart has no more, and what has is made each time. */
const rememberedPointsMax = 1500;

/** Reader of one span of time, and of nothing outside it. */
export class SlotReader {
  readonly #log: LogReader;
  readonly #filter: SlotFilter;
  readonly #memory: FacetMemory | null;
  #states: Promise<DayState[]> | null = null;

  constructor(log: LogReader, filter: SlotFilter, memory: FacetMemory | null = null) {
    this.#log = log;
    this.#filter = filter;
    this.#memory = memory;
  }

  /** Those that came to most: by money, then by number. */
  async topNames({ view, by }: Grouping, limit: number): Promise<string[]> {
    const choice = chooseFacet(this.#filter.only, by, view);
    const query = choice
      ? listTopOfFacet({ facet: choice.facet, ...(await this.#splitWhole()) }, limit)
      : listTopNames(toSource(view, this.#filter), { by, limit });
    return (await readLog(this.#log, query)).map(({ name }) => name);
  }

  /** Points of each of the names by step of time, oldest first, then of all others together. */
  async points(grouping: Grouping, { names, steps }: PointsAsk): Promise<SlotPoint[]> {
    const { view, by } = grouping;
    const wholeView = chooseSlots(this.#filter, null);
    // Other sums have the whole, and far fewer of them.
    const isOfEveryone = view === "usage_slot" && wholeView === "usage_channel_slot";
    const isInParts = isOfEveryone || chooseFacet(this.#filter.only, by, view) !== null;
    if (wholeView === null || names.length === 0 || !isInParts) {
      const all = toSource(view, this.#filter);
      return await readPointRows(this.#log, (pairs) => listSlots(all, { by, names, steps }, pairs));
    }
    // The others' share is the remainder: to read them one by one would take longest.
    const named = await this.namedPoints(grouping, { names, steps });
    return [...named, ...leftOf(await this.wholePoints(wholeView, steps), named, view)];
  }

  /** Points of each of the names by step of time, oldest first. */
  async namedPoints({ view, by }: Grouping, { names, steps }: PointsAsk): Promise<SlotPoint[]> {
    if (names.length === 0) return [];
    const choice = chooseFacet(this.#filter.only, by, view);
    if (choice) return await this.#facetPoints({ ...choice, names }, { by: "name", steps });
    const only = { ...this.#filter.only, [by]: names };
    return await this.#sourcePoints(toSource(view, { ...this.#filter, only }), { by, steps });
  }

  /** Points by step of time, oldest first, under an empty name. */
  async wholePoints(view: SlotView, steps: SlotSteps): Promise<SlotPoint[]> {
    const ask = { by: null, steps };
    const choice = chooseFacet(this.#filter.only, null, view);
    if (choice) return await this.#facetPoints(choice, ask);
    return await this.#sourcePoints(toSource(view, this.#filter), ask);
  }

  async sum(view: SlotView): Promise<SlotSums> {
    const choice = chooseFacet(this.#filter.only, null, view);
    const source = choice
      ? facetSource({ ...choice, ...(await this.#split()) })
      : toSource(view, this.#filter);
    return await readSumRow(this.#log, (pairs) => sumSlots(source, pairs));
  }

  /** Days that are over from memory where they are there, as long as nothing is added to them. */
  async #facetPoints(choice: FacetChoice, ask: OwnAsk): Promise<SlotPoint[]> {
    const { within, beside } = await this.#split();
    const read = (parts: Pick<FacetRows, "within" | "beside">) =>
      this.#sourcePoints(facetSource({ ...choice, ...parts }), ask);
    const key = JSON.stringify([choice, ask, within, await this.#facetStates()]);
    let over = this.#memory?.get(key);
    if (!over) {
      over = within.length > 0 ? await read({ within, beside: [] }) : [];
      if (over.length <= rememberedPointsMax) this.#memory?.set(key, over);
    }
    return beside.length > 0
      ? mergePoints([...over, ...(await read({ within: [], beside }))])
      : [...over];
  }

  async #sourcePoints(source: SlotSource, ask: OwnAsk): Promise<SlotPoint[]> {
    const toQuery = (pairs: Pairs) => listSlots(source, { ...ask, names: null }, pairs);
    return await readPointRows(this.#log, toQuery);
  }

  async #split() {
    const states = await this.#facetStates();
    return splitSpan(
      this.#filter,
      states.map(({ day }) => day),
    );
  }

  /** At whole days. */
  async #splitWhole() {
    const { fromSlot, toSlot } = this.#filter;
    const states = await this.#facetStates();
    const days = states.map(({ day }) => day);
    const isWhole = (day: number) =>
      day * slotsInDay >= fromSlot && (day + 1) * slotsInDay <= toSlot;
    return splitSpan(this.#filter, days.filter(isWhole));
  }

  #facetStates(): Promise<DayState[]> {
    const { fromSlot, toSlot } = this.#filter;
    const fromDay = Math.floor(fromSlot / slotsInDay);
    const toDay = Math.ceil(toSlot / slotsInDay);
    this.#states ??= readLog(this.#log, listFacetDays({ fromDay, toDay }));
    return this.#states;
  }
}

/** Remainder of each step of time when the named are taken away, where there is one. */
function leftOf(
  whole: readonly SlotPoint[],
  named: readonly SlotPoint[],
  view: SlotView,
): SlotPoint[] {
  const namedByBucket = Map.groupBy(named, ({ bucket }) => bucket);
  return whole.flatMap(({ bucket, ...all }) => {
    const left = takeAway([all, ...(namedByBucket.get(bucket) ?? [])]);
    const counts = countsOf(view, left);
    const isAny = Object.values(counts).some((count) => count > 0);
    return isAny ? [{ bucket, name: null, ...left, counts }] : [];
  });
}

/** The view of the whole may count what this one does not. */
function countsOf(view: SlotView, { counts }: SlotSums): SlotSums["counts"] {
  const { attempts: _attempts, attempt_failures: _failures, ...common } = counts;
  return view === "usage_slot" ? common : counts;
}
