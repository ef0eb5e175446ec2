// Time limits of upstreams. A short auxiliary call to it ends when the client leaves, too.
import type { Deadlines } from "../core/deadline.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Scope } from "./scope.ts";

export async function within<Value>(
  deadlines: Deadlines,
  limitMs: number,
  { signal }: Pick<Scope, "signal">,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController();
  const watch = deadlines.watch(limitMs, () => limit.abort());
  try {
    return await run(AbortSignal.any([signal, limit.signal]));
  } finally {
    watch.end();
  }
}

/** The channel's own limit on what has to come before anything is shown, or the usual one. */
export function firstByteLimitMs({ settings }: Pick<Channel, "settings">, usualMs: number): number {
  const { firstByteMs, totalMs } = settings.timeouts;
  return Math.min(firstByteMs ?? usualMs, totalMs ?? Infinity);
}
