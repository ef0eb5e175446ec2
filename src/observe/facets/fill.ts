// Makes the facets of days that are over, a part of a day in each commit: who reads or writes the
// log meanwhile waits for no more than that.
import { dayOf } from "../../core/day.ts";
import { changeLog, readLog } from "../../store/log.ts";
import type { Store } from "../../store/store.ts";
import { hourDays, slotsInHour } from "../slots/slots.ts";
import { facetNames, slotsInDay } from "./facets.ts";
import { fillDay, fillSlots, listDaysToFill, writeState, type DayState } from "./queries.ts";

type LogStore = Pick<Store, "readLog" | "writeLog" | "dialect">;

/** Idempotent: a day is made again where something was added to it. */
export async function fillFacets(store: LogStore, nowMs: number): Promise<void> {
  const toDay = dayOf(nowMs);
  const states = await readLog(store, listDaysToFill({ fromDay: toDay - hourDays, toDay }));
  for (const state of states) await fillOne(store, state);
}

/**
 * Rows added to the day while this runs change its sums from those of the state, which was read
 * before: so the facets of a true state have all.
 */
async function fillOne(store: LogStore, state: DayState): Promise<void> {
  const firstSlot = state.day * slotsInDay;
  const slotsAtOnce = chooseLength(state.requests);
  for (let at = 0; at < slotsInDay; at += slotsAtOnce) {
    const fromSlot = firstSlot + at;
    const span = { fromSlot, toSlot: Math.min(fromSlot + slotsAtOnce, firstSlot + slotsInDay) };
    await changeLog(
      store,
      facetNames.map((facet) => fillSlots(facet, span)),
    );
  }
  for (const facet of facetNames) await changeLog(store, [fillDay(facet, state.day)]);
  await changeLog(store, [writeState(state)]);
}

/** About a tenth of a second's work. */
const requestsAtOnce = 10_000;

function chooseLength(requests: number): number {
  const slots = Math.floor((slotsInDay * requestsAtOnce) / Math.max(requests, 1));
  return Math.min(Math.max(slots, slotsInHour), slotsInDay);
}
