// Health of a channel, in the words of the wire.
import type { Clock } from "../../core/clock.ts";
import type { Channel } from "../../distribution/channel.ts";
import { standingOf } from "../../distribution/standing.ts";
import type { ChannelHealth } from "./contract.ts";

/** `live` is absent of a channel that is disabled. */
export function viewHealth(clock: Clock, live: Channel | undefined): ChannelHealth {
  if (!live) return disabled;
  const nowMs = clock.monotonicMs();
  const { state, untilMs } = standingOf(live, { nowMs });
  const { lastFailure: last, health } = live;
  return {
    ejected: health.isOut(nowMs),
    state,
    until: untilMs === null ? null : toWallSeconds(clock, Math.max(untilMs, nowMs)),
    failures_in_a_row: health.failuresInARow,
    last_error: last && {
      code: last.code,
      message: last.words,
      status: last.status,
      at: toWallSeconds(clock, last.atMs),
    },
  };
}

const disabled: ChannelHealth = {
  ejected: false,
  state: "disabled",
  until: null,
  failures_in_a_row: 0,
  last_error: null,
};

/** A moment of the clock that never goes back, in Unix seconds. */
export function toWallSeconds(clock: Clock, monotonicMs: number): number {
  return Math.round((clock.nowMs() + monotonicMs - clock.monotonicMs()) / 1000);
}
