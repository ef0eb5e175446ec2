// The steps of a program on a connection, in their order; those that sum up the same rows together,
// where the first of them stands.
import type { Database } from "bun:sqlite";
import type { Program } from "../step.ts";
import type { Value } from "../store.ts";
import { ProgramStep } from "./program-step.ts";
import { isSum, SumSteps, type SumStep } from "./sum-steps.ts";

export interface PreparedStep {
  readonly list: string;
  run(rows: readonly Value[][]): void;
}

export function prepareSteps(database: Database, program: Program): PreparedStep[] {
  const sourceOf = ({ list, action }: SumStep) => `${list} ${action.of}`;
  const sums = Map.groupBy(program.filter(isSum), sourceOf);
  return program.flatMap((step): PreparedStep[] => {
    if (!isSum(step)) return [new ProgramStep(database, step)];
    const steps = sums.get(sourceOf(step)) ?? [];
    return steps[0] === step ? [new SumSteps(database, step, steps)] : [];
  });
}
