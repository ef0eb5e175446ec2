// The chart of the explorer: by name, or all of it beside the range before.
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { change } from "../../core/format.ts";
import { addressOf, query } from "../../core/place.ts";
import { rangeQuery } from "../../core/time/range.ts";
import { isLastOpen, startsOf, stepLabel, useSeries, valuesOf } from "../../core/series.ts";
import { Breakdown } from "../../kit/chart/breakdown.tsx";
import { Chart } from "../../kit/chart/chart.tsx";
import { coloursOf } from "../../kit/chart/colours.ts";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import {
  chosenFilters,
  chosenSpan,
  metricOf,
  saidOf,
  type MetricName,
  type Side,
} from "./choices.ts";
import { t } from "./words.ts";

interface PictureOptions {
  answer: SeriesAnswer;
  metric: MetricName;
  by: Side;
}

export function Picture({ answer, metric, by }: PictureOptions) {
  const words = t();
  const { of, show, showAxis, isTime } = metricOf(metric);
  if (query.value.has("compare")) return <Compared metric={metric} />;
  if (isTime) return <Times {...{ answer, metric, by }} />;
  return (
    <Breakdown
      label={words.overTime(words.metrics[metric])}
      answer={answer}
      measure={of}
      show={show}
      showAxis={showAxis}
      others={by === "none" ? words.all : words.others}
      unnamed={words.unnamed}
      isRunning={query.value.has("running")}
      hrefOf={requestsOf(by)}
    />
  );
}

/** Null where the page of requests has no such filter. */
export function requestsOf(by: Side): ((name: string) => string) | undefined {
  if (by === "none") return undefined;
  return (name) =>
    `${addressOf("requests")}?${by}=${encodeURIComponent(saidOf(by, name))}${rangeQuery()}`;
}

const linesMax = 5;

function Times({ answer, metric, by }: PictureOptions) {
  const words = t();
  const { of, show } = metricOf(metric);
  const named = answer.series.filter(({ name }) => by === "none" || name !== null);
  const nameOf = (one: SeriesAnswer["series"][number]) => one.label ?? one.name ?? words.all;
  const shown = named.slice(0, linesMax);
  const colours = coloursOf(shown.map(nameOf));
  const series = shown.map((one) => ({
    name: nameOf(one),
    values: valuesOf({ ...answer, series: [one] }, of),
    colour: colours.get(nameOf(one)) ?? "",
  }));
  return (
    <Chart
      label={words.overTime(words.metrics[metric])}
      moments={startsOf(answer).map((at) => stepLabel(at, answer.step))}
      series={series}
      kind="lines"
      show={show}
      isLastOpen={isLastOpen(answer)}
    />
  );
}

function Compared({ metric }: { metric: MetricName }) {
  const words = t();
  const now = useSeries(chosenSpan(), chosenFilters());
  const before = useSeries(chosenSpan(1), chosenFilters());
  const error = now.error ?? before.error;
  if (error) return <Failure error={error} onRetry={now.reload} />;
  if (!now.data || !before.data) return <Skeleton lines={6} height={28} />;
  const { of, show, showAxis, isTime } = metricOf(metric);
  const isRunning = query.value.has("running") && !isTime;
  const line = (answer: SeriesAnswer) => (isRunning ? runUp : plain)(valuesOf(answer, of));
  const count = startsOf(now.data).length;
  return (
    <div class="breakdown">
      <Chart
        label={words.compared(words.metrics[metric])}
        moments={startsOf(now.data).map((at) => stepLabel(at, now.data?.step ?? 0))}
        series={[
          { name: words.thisRange, values: line(now.data) },
          {
            name: words.rangeBefore,
            values: line(before.data).slice(0, count),
            colour: "var(--series-6)",
          },
        ]}
        kind="lines"
        show={showAxis}
        isLastOpen={isLastOpen(now.data)}
      />
      <Change now={of(now.data.sum)} before={of(before.data.sum)} show={show} />
    </div>
  );
}

const plain = (values: (number | null)[]) => values;

function runUp(values: (number | null)[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value ?? 0));
}

interface ChangeOptions {
  now: number | null;
  before: number | null;
  show(value: number): string;
}

function Change({ now, before, show }: ChangeOptions) {
  const words = t();
  const text = (value: number | null) => (value === null ? "–" : show(value));
  const moved = now !== null && before !== null ? change(now, before) : "–";
  const lines = [
    [words.thisRange, text(now), "var(--series-1)"],
    [words.rangeBefore, text(before), "var(--series-6)"],
    [words.change, moved, null],
  ] as const;
  return (
    <ul class="legend">
      {lines.map(([name, value, colour]) => (
        <li key={name}>
          {colour && <span class="swatch" style={{ background: colour }} />}
          <span>{name}</span>
          <span class="push strong">{value}</span>
        </li>
      ))}
    </ul>
  );
}
