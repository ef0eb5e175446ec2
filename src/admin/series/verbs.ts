// How what was used is read over time, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, whole } from "../../core/schema-words.ts";
import { byKey, ofOthers } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { SeriesAnswer } from "./contract.ts";
import { groupings, ownGroupings } from "./filter.ts";
import { readOwnSeries, readSeries } from "./read.ts";

const { verb } = verbsOf("Records");

/** What both take. */
const filter: QueryEntry = {
  from: { schema: text(), description: "Unix seconds, or a day; a day before `to` unless said." },
  to: { schema: text(), description: "The first moment after; now unless said." },
  step: {
    schema: whole(),
    description: "900 for the last 8 days, 3600 or 21600 for the last 90, or 86400.",
  },
  tz: { schema: whole(), description: "Minutes east of UTC; days begin there." },
  top: { schema: whole(), description: "How many are shown one by one: 10, at most 100." },
  model: { schema: text() },
  ...byKey,
  group: { schema: text(), description: "Of this group only." },
  outcome: { schema: text(), description: "That ended so only." },
  format: { schema: text(), description: "Of this format only, such as `chat`." },
};

export const seriesVerbs = {
  read: verb("What was used over time", "query", readSeries, {
    query: {
      ...filter,
      ...ofOthers,
      by: { schema: text(), description: `One of ${groupings.join(", ")}.` },
    },
    answer: SeriesAnswer,
  }),
  readOwn: verb("What one has used over time", "query", readOwnSeries, {
    query: { ...filter, by: { schema: text(), description: `One of ${ownGroupings.join(", ")}.` } },
    answer: SeriesAnswer,
  }),
};
