// A short errand to an upstream that must not take long and ends when the client leaves.
import type { Deadlines } from "../core/deadline.ts";
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
