// The interleaved rounds (A B C, B C A, ...), because the machine's speed drifts: a ratio is taken
// inside one round and the median of the rounds is shown.
import type { Options, TargetName } from "../options.ts";
import { measure, passNames, planPass, type Measure, type PassName } from "./passes.ts";
import { median } from "./statistics.ts";
import type { Target } from "../targets/start.ts";

/** Every measure of a pass by target, in the order of the rounds. */
export type Rounds = Readonly<Record<PassName, Partial<Record<TargetName, Measure[]>>>>;
type NumberField = {
  [Field in keyof Measure]: Measure[Field] extends number ? Field : never;
}[keyof Measure];

export interface Cell {
  readonly pass: PassName;
  readonly field: NumberField;
}

export async function compare(targets: readonly Target[], options: Options): Promise<Rounds> {
  const rounds: Rounds = { request: {}, stream: {}, requestFirstByte: {}, streamFirstByte: {} };
  if (options.rounds > 0) await warmUp(targets, options);
  for (let round = 0; round < options.rounds; round++) {
    console.error(`round ${round + 1} of ${options.rounds}`);
    for (const pass of passNames)
      for (const target of rotate(targets, round)) {
        const measured = await measure(target, planPass(pass, options));
        (rounds[pass][target.name] ??= []).push(measured);
      }
  }
  return rounds;
}

export function medianOf(rounds: Rounds, target: TargetName, cell: Cell): number | undefined {
  const values = rounds[cell.pass][target]?.map((measured) => measured[cell.field]);
  return values === undefined ? undefined : median(values);
}

/** The median over the rounds of what `combine` makes of two targets' values in the same round. */
export function medianOfPairs(
  rounds: Rounds,
  [left, right]: readonly [TargetName, TargetName],
  cell: Cell,
  combine: (left: number, right: number) => number,
): number | undefined {
  const rights = rounds[cell.pass][right];
  const pairs = rounds[cell.pass][left]?.flatMap((measured, index) => {
    const other = rights?.[index];
    return other === undefined ? [] : [combine(measured[cell.field], other[cell.field])];
  });
  return pairs === undefined || pairs.length === 0 ? undefined : median(pairs);
}

/** A whole program takes longer to reach its compiler's last tier than a proxy of ten lines. */
const warmUpSeconds = 6;

/** Compilers of every target settle before anything counts. */
async function warmUp(targets: readonly Target[], options: Options): Promise<void> {
  console.error("warming up");
  for (const target of targets)
    for (const pass of ["request", "stream"] as const)
      await measure(target, { ...planPass(pass, options), seconds: warmUpSeconds });
}

function rotate<T>(items: readonly T[], by: number): readonly T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
