// A row of sums as it goes over the wire.
import { timesOf } from "../../observe/slots/histogram.ts";
import type { SlotSums } from "../../observe/slots/reading/sums.ts";
import type { SeriesSums } from "./contract.ts";
import { toAttempts, toSums, type ShowMargin } from "../usage/sums.ts";

export function toSeriesSums({ counts, histograms }: SlotSums, margin: ShowMargin): SeriesSums {
  return {
    ...toSums((measure) => counts[measure]),
    ...margin((measure) => counts[measure]),
    ...(counts.attempts !== undefined && toAttempts((measure) => counts[measure] ?? 0)),
    ...timesOf(histograms),
  };
}
