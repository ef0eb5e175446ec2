// A row of sums as it goes over the wire.
import {
  columnsOf,
  percentilesOf,
  type Histogram,
  type Percentiles,
} from "../../observe/slots/histogram.ts";
import type { SlotSums } from "../../observe/slots/reading/queries.ts";
import type { SeriesSums } from "../contract.ts";
import { toAttempts, toSums } from "../usage/sums.ts";

export function toSeriesSums(sums: SlotSums): SeriesSums {
  return {
    ...toSums((measure) => sums[measure]),
    ...(sums.attempts !== undefined && toAttempts((measure) => sums[measure] ?? 0)),
    first_byte: toPercentiles("first", sums),
    total_time: toPercentiles("total", sums),
  };
}

function toPercentiles(histogram: Histogram, sums: SlotSums): Percentiles | null {
  const counts = columnsOf(histogram).flatMap((column) => [
    sums[column] ?? 0,
    sums[`${column}_second`] ?? 0,
  ]);
  return percentilesOf(histogram, counts);
}
