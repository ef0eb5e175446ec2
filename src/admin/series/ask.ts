// A query of the sums over time, and its result before it has its labels.
import type { SeriesAnswer, SeriesView } from "./contract.ts";
import type { SeriesSpan } from "./filter.ts";
import type { Wanted } from "./wanted.ts";

export interface SeriesAsk extends Wanted {
  span: SeriesSpan;
  /** Number shown one by one; the rest are summed as others. */
  most: number;
}

export type Series = Pick<SeriesAnswer, "sum"> & { series: Omit<SeriesView, "label">[] };
