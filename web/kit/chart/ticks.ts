// Lines of a chart's grid.

const factors = [1, 2, 2.5, 5, 10];

/** Round steps from zero to the first that is not below the greatest. */
export function ticksUpTo(most: number, steps: number): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (factors.find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}
