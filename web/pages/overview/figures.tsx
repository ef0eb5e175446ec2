// The four figures, each with how it moved and what it was in the range before.
import type { SeriesAnswer, SeriesSums } from "../../../src/admin/contract.ts";
import type { Loaded } from "../../core/api.ts";
import { change, count, exactMoney, millis, money, percent } from "../../core/format.ts";
import { days, range, shownSpan } from "../../core/time/range.ts";
import { isLastOpen, useSeries, valuesOf, type Measure } from "../../core/series.ts";
import { seesMoney } from "../../core/session.ts";
import { Failure } from "../../kit/failure.tsx";
import { Spark } from "../../kit/chart/small.tsx";
import { Tile, Tiles } from "../../kit/figures.tsx";
import { t } from "./words.ts";

const everyMs = 60_000;

export function Figures() {
  const now = useSeries(shownSpan(), {}, everyMs);
  const before = useSeries(shownSpan(1), {}, everyMs);
  if (now.error && !now.data) {
    return (
      <div class="card">
        <Failure error={now.error} onRetry={now.reload} />
      </div>
    );
  }
  return (
    <Tiles>
      <Sums {...{ now, before }} />
      <Quality now={now.data} />
    </Tiles>
  );
}

type Both = Readonly<Record<"now" | "before", Loaded<SeriesAnswer>>>;

function Sums({ now, before }: Both) {
  const words = t();
  const [sum, earlier] = [now.data?.sum, before.data?.sum];
  return (
    <>
      {seesMoney("usage.read") && (
        <Tile
          name={words.spend}
          value={sum ? money(sum.micros) : null}
          title={sum && exactMoney(sum.micros)}
          note={changeText(sum?.micros, earlier?.micros)}
        >
          <Past answer={now.data} measure={({ micros }) => micros} />
        </Tile>
      )}
      {sum?.margin_micros !== undefined && (
        <Tile
          name={words.earned}
          value={money(sum.margin_micros)}
          title={exactMoney(sum.margin_micros)}
          note={changeText(sum.margin_micros, earlier?.margin_micros)}
        >
          <Past answer={now.data} measure={({ margin_micros: margin = 0 }) => margin} />
        </Tile>
      )}
      <Tile
        name={words.requests}
        value={sum ? count(sum.requests) : null}
        note={changeText(sum?.requests, earlier?.requests)}
      >
        <Past answer={now.data} measure={({ requests }) => requests} />
      </Tile>
    </>
  );
}

function Quality({ now }: { now: SeriesAnswer | null }) {
  const words = t();
  const sum = now?.sum;
  return (
    <>
      <Tile
        name={words.success}
        value={sum ? percent(sum.requests - sum.failures, sum.requests, 2) : null}
        note={sum && words.failed(count(sum.failures))}
      >
        <Past
          answer={now}
          measure={({ failures }) => failures}
          colour="var(--bad)"
          label={words.failuresOverTime}
        />
      </Tile>
      <Tile
        name={words.firstTokenMedian}
        value={sum ? millis(sum.first_byte?.p50 ?? null) : null}
        note={sum?.first_byte && words.within(millis(sum.first_byte.p95))}
      >
        <Past answer={now} measure={medianOf} colour="var(--series-3)" />
      </Tile>
    </>
  );
}

const medianOf = ({ first_byte }: SeriesSums) => first_byte?.p50 ?? null;

interface PastOptions {
  answer: SeriesAnswer | null;
  measure: Measure;
  colour?: string;
  /** Name of the line, where it is another than the figure's. */
  label?: string;
}

function Past({ answer, measure, colour, label }: PastOptions) {
  const values = valuesOf(answer, measure);
  if (!answer || values.every((value) => value === null)) return null;
  return (
    <Spark
      values={values.map((value) => value ?? 0)}
      isLastOpen={isLastOpen(answer)}
      label={label}
      {...(colour && { colour })}
    />
  );
}

function changeText(current: number | undefined, earlier: number | undefined): string {
  if (current === undefined || !earlier) return "";
  const moved = change(current, earlier);
  return days.value ? t().thanDays(moved) : t().than(moved, range.value);
}
