// Lets go, now and then, of what nobody asks for any more.
import type { ControlParts } from "../admin/parts.ts";
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers, type Stop } from "../core/clock.ts";
import { describe, type Log } from "../core/log.ts";
import { encodeExpiry, usageProgram } from "../observe/queries.ts";
import type { Store } from "../store/store.ts";
import type { Flows } from "./flows.ts";

const periodMs = 60_000;
const dayMs = 86_400_000;
/** As long as vendors keep responses. */
const originDays = 30;

export function expireAll(config: Config, control: ControlParts, flows: Flows): Stop {
  const { log, store, sessions } = control;
  const { media, video, origins } = flows;
  return systemTimers.every(periodMs, () => {
    void expire("rows of the usage log", log, () => expireUsage(store, config.retention.logDays));
    void expire("sessions", log, () => sessions.expire());
    void expire("media", log, () => media.expire());
    void expire("creates and callbacks", log, () => video.expire());
    void expire("origins", log, () => origins.expire(systemClock.nowMs() - originDays * dayMs));
  });
}

async function expireUsage(store: Store, logDays: number): Promise<void> {
  const document = encodeExpiry(systemClock.nowMs() - logDays * dayMs);
  await store.writeLog({ program: usageProgram, document });
}

async function expire(what: string, log: Log, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.warn(`old ${what} could not be deleted`, { error: describe(error) });
  }
}
