// The steps of a request on one axis of time, from what the log keeps of it.
import type { AttemptView, LogView } from "../../../src/admin/contract.ts";

export interface Step {
  kind: "admission" | "lost" | "wait" | "flow";
  /** Null for the admission, which is the gateway's own. */
  attempt: AttemptView | null;
  fromMs: number;
  toMs: number;
}

export function stepsOf(row: LogView): Step[] {
  const tries = row.tries ?? [];
  const admittedMs = row.trace?.admitted_ms ?? 0;
  const admission: Step = { kind: "admission", attempt: null, fromMs: 0, toMs: admittedMs };
  return [...(admittedMs > 0 ? [admission] : []), ...tries.flatMap((one) => stepsOfTry(row, one))];
}

/** A served attempt is split at its first byte, where it flowed. */
function stepsOfTry(row: LogView, attempt: AttemptView): Step[] {
  const { outcome, ended_ms: endedMs } = attempt;
  const fromMs = attempt.started_ms ?? 0;
  const isServed = outcome === "served" || outcome === "broken";
  if (!isServed) return [{ kind: "lost", attempt, fromMs, toMs: Math.max(fromMs, endedMs) }];
  const endMs = Math.max(row.latency_ms, endedMs);
  const firstMs = row.first_byte_ms;
  if (!row.stream || firstMs === null || firstMs < fromMs || firstMs >= endMs) {
    return [{ kind: "wait", attempt, fromMs, toMs: endMs }];
  }
  return [
    { kind: "wait", attempt, fromMs, toMs: firstMs },
    { kind: "flow", attempt, fromMs: firstMs, toMs: endMs },
  ];
}
