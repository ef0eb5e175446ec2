// A query of the sums over time, and its result before it has its labels.
import type { SlotFilter } from "../../observe/slots/reading/queries.ts";
import type { SlotDimension } from "../../observe/slots/slots.ts";
import type { ShowMargin } from "../usage/sums.ts";
import type { SeriesAnswer, SeriesView } from "./contract.ts";
import type { SeriesSpan } from "./filter.ts";

export interface Wanted {
  only: SlotFilter["only"];
  by: SlotDimension | null;
  margin: ShowMargin;
}

export interface SeriesAsk extends Wanted {
  span: SeriesSpan;
  /** Number shown one by one; the rest are summed as others. */
  most: number;
}

export type Series = Pick<SeriesAnswer, "sum"> & { series: Omit<SeriesView, "label">[] };
