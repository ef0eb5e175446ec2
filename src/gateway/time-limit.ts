// A short errand to an upstream that must not take long and ends when the client leaves.
import type { Deadlines } from "../core/deadline.ts";
import type { Scope } from "./scope.ts";

export async function within<Value>(
  deadlines: Deadlines,
  limitMs: number,
  { signal }: Pick<Scope, "signal">,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abort = new AbortController();
  const leave = () => abort.abort();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  const watch = deadlines.watch(limitMs, leave);
  try {
    return await run(abort.signal);
  } finally {
    watch.end();
    signal.removeEventListener("abort", leave);
  }
}
