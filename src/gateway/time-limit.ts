// A short errand to an upstream that must not take long and ends when the client leaves.
import type { Deadlines } from "../core/deadline.ts";
import { Abort, type Abortable } from "../core/abort.ts";
import type { Scope } from "./scope.ts";

export async function within<Value>(
  deadlines: Deadlines,
  limitMs: number,
  { signal }: Pick<Scope, "signal">,
  run: (signal: Abortable) => Promise<Value>,
): Promise<Value> {
  const abort = new Abort();
  if (signal.aborted) abort.abort();
  signal.addEventListener("abort", abort);
  const watch = deadlines.watch(limitMs, () => abort.abort());
  try {
    return await run(abort);
  } finally {
    watch.end();
    signal.removeEventListener("abort", abort);
  }
}
