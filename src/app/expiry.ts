// Lets go, now and then, of what nobody asks for any more, and makes the facets of days that are
// over.
import type { Config } from "../config/config.ts";
import { dayMs, dayOf } from "../core/day.ts";
import { describe, type Log } from "../core/log.ts";
import { fillFacets } from "../observe/facets/fill.ts";
import { forgetFacets } from "../observe/facets/queries.ts";
import { forgetRows } from "../observe/queries.ts";
import { forgetAttempts } from "../observe/trail/queries.ts";
import { forgetDays } from "../observe/rollup/queries.ts";
import { foldSlots, forgetSlots } from "../observe/slots/queries.ts";
import { firstQuarter, hourDays, slotMs } from "../observe/slots/slots.ts";
import type { Media } from "../media/open-media.ts";
import { takeChore } from "../store/chores.ts";
import { changeLog } from "../store/log.ts";
import type { Control } from "./control.ts";
import type { Flows } from "./flows.ts";
import type { Telemetry } from "./telemetry.ts";

const periodMs = 60_000;
const mediaPeriodMs = 600_000;
const facetsPeriodMs = 600_000;
/** Days that vendors keep responses. */
const originDays = 30;

export function expireAll(
  config: Config,
  control: Control,
  flows: Flows,
  telemetry: Telemetry,
): void {
  const { log, clock, machine, sessions, keyUse, secondFactors, captures, mailDesk } = control;
  const { media, tasks, text } = flows;
  const expireMedia = mediaExpiry(control, media);
  const expireUsage = usageExpiry(control, config.retention);
  machine.timers.every(periodMs, () => {
    void expire("rows of the usage log", log, expireUsage);
    void attempt("the facets of usage could not be made", log, () => makeFacets(control));
    void expire("sessions", log, () => sessions.expire());
    void expire("marks of when keys were used", log, () => keyUse.write());
    void expire("tickets", log, () => secondFactors.expire());
    void expire("e-mail", log, async () => await mailDesk?.expire());
    void expire("contents", log, () => telemetry.expire());
    void expire("captured requests", log, () => captures.expire());
    void expire("media", log, expireMedia);
    void expire("creates and callbacks", log, () => tasks.expire());
    void expire("answers", log, async () => await text.repeats?.expire());
    void expire("origins", log, () => text.origins.expire(clock.nowMs() - originDays * dayMs));
  });
}

/** One node at a time expires media: each would list the same bucket. */
function mediaExpiry({ database, clock }: Control, media: Media) {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.nowMs();
    if (nowMs - askedAtMs < mediaPeriodMs) return;
    askedAtMs = nowMs;
    const chore = { name: "media retention", nowMs, periodMs: mediaPeriodMs };
    if (await takeChore(database, chore)) await media.expire();
  };
}

/** Rows a few at a time; the sums of a day, and quarters of an hour, when there is a new one. */
function usageExpiry({ store, clock }: Control, rules: Config["retention"]) {
  let doneDay: number | null = null;
  let doneQuarter: number | null = null;
  return async () => {
    const nowMs = clock.nowMs();
    const { logDays, usageDays } = rules;
    await changeLog(store, [
      forgetRows(nowMs - logDays * dayMs),
      forgetAttempts(nowMs - logDays * dayMs),
    ]);
    const quarter = firstQuarter(nowMs);
    if (quarter !== doneQuarter) {
      await changeLog(store, foldSlots(nowMs));
      doneQuarter = quarter;
    }
    const day = dayOf(nowMs) - usageDays;
    if (day !== doneDay) {
      const firstDay = dayOf(nowMs) - hourDays;
      await changeLog(store, [
        ...forgetDays(day),
        ...forgetSlots((firstDay * dayMs) / slotMs),
        ...forgetFacets(firstDay),
      ]);
      doneDay = day;
    }
  };
}

/** One node makes the facets, for all. */
async function makeFacets({ store, database, clock }: Control): Promise<void> {
  const nowMs = clock.nowMs();
  const chore = { name: "facets of usage", nowMs, periodMs: facetsPeriodMs };
  if (await takeChore(database, chore)) await fillFacets(store, nowMs);
}

async function expire(what: string, log: Log, run: () => Promise<void>): Promise<void> {
  await attempt(`old ${what} could not be deleted`, log, run);
}

async function attempt(failure: string, log: Log, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.warn(failure, { error: describe(error) });
  }
}
