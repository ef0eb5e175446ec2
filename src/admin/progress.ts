// Work of minutes that goes on by itself: how far it is, and what came of it.
import { toSeconds } from "./input.ts";

export interface WorkProgress<Kind extends string, Step extends string, Result> {
  kind: Kind;
  /** Name of what it is about. */
  name: string;
  /** Null before the first and after the last. */
  step: Step | null;
  stepsDone: number;
  stepsTotal: number;
  startedAtMs: number;
  endedAtMs: number | null;
  /** Null until it is done. */
  result: Result | null;
  problem: string | null;
}

export function toProgressView<Step extends string>(work: WorkProgress<string, Step, unknown>) {
  const endState = work.problem === null ? ("done" as const) : ("failed" as const);
  return {
    state: work.endedAtMs === null ? ("running" as const) : endState,
    step: work.step,
    steps_done: work.stepsDone,
    steps_total: work.stepsTotal,
    started_at: toSeconds(work.startedAtMs),
    ended_at: work.endedAtMs === null ? null : toSeconds(work.endedAtMs),
    problem: work.problem,
  };
}
