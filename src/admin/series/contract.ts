// Use over time, as it goes over the wire.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { isZone } from "../../core/week/week-windows.ts";
import { everySeat } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import { byKey, byLabel, ofOthers } from "../search.ts";
import { parseMomentMs } from "../span.ts";
import { UsageSums } from "../usage/contract.ts";

const Percentiles = Type.Object({
  p50: whole("Half were as fast as this, in milliseconds."),
  p95: whole("All but a twentieth were."),
  p99: whole("All but a hundredth were."),
});

const speeds = {
  /** Percentiles of requests that were served; null where there was none, or only days are kept. */
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
  account: Type.Optional(text("For admins, of a key: the user name of the account that pays.")),
  points: Type.Array(SeriesPoint, { description: "Those in which something was, oldest first." }),
});
export type SeriesView = Static<typeof SeriesView>;

export const SeriesAnswer = Type.Object({
  from: whole("When the first point begins, in Unix seconds."),
  to: whole("The first moment after."),
  step: whole("How long a point is, in seconds."),
  tz: whole("By how many minutes the first day begins before that of UTC."),
  is_exact: Type.Boolean({ description: "False where hours that are kept whole cross midnight." }),
  source: Type.Union([Type.Literal("slots"), Type.Literal("days")], {
    description: "Whether it was made of quarters of an hour and hours, or of days of UTC.",
  }),
  sum: SeriesSums,
  series: Type.Array(SeriesView, { description: "What came to most first, all others last." }),
});
export type SeriesAnswer = Static<typeof SeriesAnswer>;

/** A day begins in its zone, any other moment is the same in all of them. */
function parseMoment(moment: string, name: string) {
  return { atMs: parseMomentMs(moment, name), isDay: moment.includes("-") };
}

const stepsSeconds = [900, 3600, 21_600, 86_400];

function parseStep(step: string, name: string): number {
  const seconds = stepsSeconds.find((one) => String(one) === step);
  if (seconds === undefined) throw invalid(name, `must be one of ${stepsSeconds.join(", ")}`);
  return seconds;
}

const minutesMost = 840;

function parseZone(zone: string, name: string): string | number {
  const minutes = /^[+-]?\d{1,3}$/.test(zone) ? Number(zone) : Number.NaN;
  if (Math.abs(minutes) <= minutesMost && minutes % 15 === 0) return minutes;
  if (/^[A-Za-z]/.test(zone) && isZone(zone)) return zone;
  throw invalid(
    name,
    "must be a zone such as Europe/Berlin, or minutes east of UTC in quarters of an hour",
  );
}

const namesMost = 100;

function parseTop(top: string, name: string): number {
  const most = /^\d{1,3}$/.test(top) ? Number(top) : 0;
  if (most < 1 || most > namesMost) throw invalid(name, `must be from 1 to ${namesMost}`);
  return most;
}

const filter = {
  from: {
    schema: text(),
    description: "Unix seconds, or a day; a day before `to` unless said.",
    read: parseMoment,
  },
  to: {
    schema: text(),
    description: "The first moment after; now unless said.",
    read: parseMoment,
  },
  step: {
    schema: whole(),
    description: "900 for the last 8 days, 3600 or 21600 for the last 90, or 86400.",
    read: parseStep,
  },
  tz: {
    schema: text(),
    description: "A zone such as `Europe/Berlin`, or minutes east of UTC; days begin there.",
    read: parseZone,
  },
  top: {
    schema: whole(),
    description: "How many are shown one by one: 10, at most 100.",
    read: parseTop,
  },
  model: { schema: text() },
  ...byKey,
  ...byLabel,
  group: { schema: text(), description: "Of this group only." },
  outcome: { schema: text(), description: "That ended so only." },
  failed: {
    schema: Type.Boolean(),
    description: "Only what was refused or failed, or the rest; not beside `outcome`.",
  },
  format: { schema: text(), description: "Of this format only, such as `chat`." },
};

const ownGroupings = ["none", "model", "key", "group", "outcome", "format", "label"] as const;
const groupings = [...ownGroupings, "channel", "account"] as const;

const { call } = callsOf("Records");

export const seriesCalls = {
  read: call("GET /api/series", "What was used over time", {
    permission: "usage.read",
    query: {
      ...filter,
      ...ofOthers,
      by: { schema: word(...groupings), description: `One of ${groupings.join(", ")}.` },
    },
    answer: SeriesAnswer,
  }),
  readOwn: call("GET /api/series/self", "What one has used over time", {
    seats: everySeat,
    query: {
      ...filter,
      by: { schema: word(...ownGroupings), description: `One of ${ownGroupings.join(", ")}.` },
    },
    answer: SeriesAnswer,
  }),
};
export type SeriesCalls = typeof seriesCalls;
