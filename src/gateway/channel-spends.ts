// Tells channels that have a cap for a day what was spent on them, by the sums of the usage log: so
// a start begins with the day as it is, and nodes hear of each other.
import type { Clock, Timers } from "../core/clock.ts";
import { dayOf } from "../core/day.ts";
import { describe, type Log } from "../core/log.ts";
import type { Channels } from "../distribution/channels.ts";
import { sumChannelCosts } from "../observe/rollup/queries.ts";
import { readLog, type LogReader } from "../store/log.ts";

interface SpendNeeds {
  channels: Channels;
  store: LogReader;
  clock: Clock;
  log: Log;
  timers: Timers;
}

const periodMs = 30_000;

/** Tells them now and then, and whenever what it returns is called. */
export function watchSpends(needs: SpendNeeds): () => Promise<void> {
  const tell = () => tellSpends(needs);
  needs.timers.every(periodMs, () => void tell());
  return tell;
}

/** Spends that cannot be read leave each node with its own count. */
async function tellSpends({ channels, store, clock, log }: SpendNeeds): Promise<void> {
  const capped = channels.all.filter(({ spend }) => spend !== null);
  if (capped.length === 0) return;
  const day = dayOf(clock.nowMs());
  try {
    const rows = await readLog(store, sumChannelCosts(day));
    const sums = new Map(rows.map((row) => [row.channel_id, Number(row.cost_micros)]));
    for (const { spend, settings } of capped) spend?.told(sums.get(settings.id) ?? 0, day, clock);
  } catch (error) {
    log.warn("what was spent on channels cannot be read", { error: describe(error) });
  }
}
