// Interleaved rounds (A B C, B C A, ...), because the machine's speed drifts: a ratio is taken
// inside one round and the median of the rounds is shown.
import type { Measure } from "./passes.ts";
import { median } from "./statistics.ts";

/** One pass's measures by what was measured, in the order of the rounds. */
export type Series<Name extends string> = Partial<Record<Name, Measure[]>>;

export type NumberField = {
  [Field in keyof Measure]: Measure[Field] extends number ? Field : never;
}[keyof Measure];

export function medianOf<Name extends string>(
  series: Series<Name>,
  name: Name,
  field: NumberField,
): number | undefined {
  const measures: Measure[] | undefined = series[name];
  return measures && median(measures.map((measured) => measured[field]));
}

/** The median over the rounds of what `combine` makes of two values of the same round. */
export function medianOfPairs<Name extends string>(
  series: Series<Name>,
  [left, right]: readonly [Name, Name],
  field: NumberField,
  combine: (left: number, right: number) => number,
): number | undefined {
  const lefts: Measure[] = series[left] ?? [];
  const rights: Measure[] = series[right] ?? [];
  const pairs = lefts.flatMap((measured, round) => {
    const other = rights[round];
    return other === undefined ? [] : [combine(measured[field], other[field])];
  });
  return pairs.length === 0 ? undefined : median(pairs);
}

export function divide(left: number, right: number): number {
  return left / right;
}

export function rotate<T>(items: readonly T[], by: number): readonly T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** A whole program takes longer to reach its compiler's last tier than a proxy of ten lines. */
export const warmUpSeconds = 6;
