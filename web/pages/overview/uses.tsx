// Use over time, by model, channel or key; and how long it took.
import type { SeriesAnswer, SeriesSums } from "../../../src/admin/contract.ts";
import { compact, millis, money, shortMoney } from "../../core/format.ts";
import { addressOf, query, setQuery } from "../../core/place.ts";
import { rangeQuery, shownSpan } from "../../core/time/range.ts";
import {
  isLastOpen,
  seriesPath,
  startsOf,
  stepLabel,
  useSeries,
  valuesOf,
} from "../../core/series.ts";
import { may, seesMoney } from "../../core/session.ts";
import { LinkButton } from "../../kit/button.tsx";
import { Breakdown } from "../../kit/chart/breakdown.tsx";
import { Chart } from "../../kit/chart/chart.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card } from "../../kit/figures.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { t } from "./words.ts";

const everyMs = 60_000;
const measures = {
  spend: ({ micros }: SeriesSums) => micros,
  requests: ({ requests }: SeriesSums) => requests,
  tokens: (sums: SeriesSums) => sums.input_tokens + sums.output_tokens,
  speed: ({ first_byte }: SeriesSums) => first_byte?.p50 ?? null,
} as const;
type MeasureName = keyof typeof measures;

export function Uses() {
  const words = t();
  const names: [MeasureName, string][] = [
    ...(seesMoney("usage.read") ? [["spend", words.spend] as [MeasureName, string]] : []),
    ["requests", words.requests],
    ["tokens", words.tokens],
    ["speed", words.speed],
  ];
  const sides: ["model" | "channel" | "key", string][] = [
    ["model", words.model],
    ...(may("usage.read") ? [["channel", words.channel] as ["channel", string]] : []),
    ["key", words.key],
  ];
  const [name, title] = pick(names, "show");
  const [by] = pick(sides, "by");
  const isSpeed = name === "speed";
  const path = seriesPath(shownSpan(), { by: isSpeed ? null : by });
  const loaded = useSeries(shownSpan(), { by: isSpeed ? null : by }, everyMs);
  const tools = (
    <>
      <Segments
        label={words.measure}
        value={name}
        options={names}
        onChange={(show) => setQuery({ show: show === names[0]?.[0] ? null : show })}
      />
      {!isSpeed && (
        <Segments
          label={words.groupBy}
          value={by}
          options={sides}
          onChange={(next) => setQuery({ by: next === "model" ? null : next })}
        />
      )}
      <CurlButton path={path} />
    </>
  );
  const { data, error, reload } = loaded;
  return (
    <Card title={title} tools={tools}>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && <Skeleton lines={6} height={28} />}
      {data && <Picture {...{ data, name, title, by }} />}
    </Card>
  );
}

/** That of the address, or the first. */
function pick<Name extends string>(
  options: readonly [Name, string][],
  parameter: string,
): [Name, string] {
  const text = query.value.get(parameter);
  const option = options.find(([one]) => one === text) ?? options[0];
  if (!option) throw new Error("there is nothing to choose from");
  return option;
}

interface PictureOptions {
  data: SeriesAnswer;
  name: MeasureName;
  title: string;
  by: string;
}

function Picture({ data, name, title, by }: PictureOptions) {
  const words = t();
  if (data.sum.requests === 0) {
    return (
      <Empty title={words.quiet} text={words.quietText}>
        <LinkButton href={addressOf("keys")}>{words.keys}</LinkButton>
      </Empty>
    );
  }
  if (name === "speed") return <Speeds data={data} />;
  const isMoney = name === "spend";
  return (
    <Breakdown
      label={words.overTime(title)}
      answer={data}
      measure={measures[name]}
      show={isMoney ? money : compact}
      showAxis={isMoney ? shortMoney : compact}
      others={words.others}
      unnamed={words.unnamed}
      hrefOf={(one) => `${addressOf("requests")}?${by}=${encodeURIComponent(one)}${rangeQuery()}`}
    />
  );
}

/** No sum of it means anything, so it is told for all together. */
function Speeds({ data }: { data: SeriesAnswer }) {
  const words = t();
  const lines = [
    [words.median, valuesOf(data, measures.speed)],
    [words.slowest, valuesOf(data, ({ first_byte }) => first_byte?.p95 ?? null)],
    [words.whole, valuesOf(data, ({ total_time }) => total_time?.p50 ?? null)],
  ] as const;
  return (
    <Chart
      label={words.overTime(words.speed)}
      moments={startsOf(data).map((at) => stepLabel(at, data.step))}
      series={lines.map(([name, values]) => ({ name, values }))}
      kind="lines"
      show={millis}
      isLastOpen={isLastOpen(data)}
    />
  );
}
