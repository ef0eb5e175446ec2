// What was used over time, as it goes over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { UsageSums } from "../usage/contract.ts";

const Percentiles = Type.Object({
  p50: whole("Half were as fast as this, in milliseconds."),
  p95: whole("All but a twentieth were."),
  p99: whole("All but a hundredth were."),
});

const speeds = {
  /** Of requests that were served; null where there was none, or only days are kept. */
  first_byte: orNull(Percentiles),
  total_time: orNull(Percentiles),
};

const SeriesSums = Type.Object({ ...UsageSums.properties, ...speeds });
export type SeriesSums = Static<typeof SeriesSums>;

const SeriesPoint = Type.Object({
  at: whole("When it begins, in Unix seconds."),
  ...SeriesSums.properties,
});

const SeriesView = Type.Object({
  name: orNull(text("What they are grouped by: an id, a name or a word; null for all others.")),
  label: orNull(text("As people call it; null where that is the name.")),
  points: Type.Array(SeriesPoint, { description: "Those in which something was, oldest first." }),
});
export type SeriesView = Static<typeof SeriesView>;

export const SeriesAnswer = Type.Object({
  from: whole("When the first point begins, in Unix seconds."),
  to: whole("The first moment after."),
  step: whole("How long a point is, in seconds."),
  tz: whole("By how many minutes days begin before those of UTC."),
  is_exact: Type.Boolean({ description: "False where hours that are kept whole cross midnight." }),
  source: Type.Union([Type.Literal("slots"), Type.Literal("days")], {
    description: "Whether it was made of quarters of an hour and hours, or of days of UTC.",
  }),
  sum: SeriesSums,
  series: Type.Array(SeriesView, { description: "What came to most first, all others last." }),
});
export type SeriesAnswer = Static<typeof SeriesAnswer>;
