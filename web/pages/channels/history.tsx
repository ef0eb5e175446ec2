// Last 30 days of a channel: how its attempts went, how fast it was and what it came to.
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { compact, count, exactMoney, millis, money, percent } from "../../core/format.ts";
import {
  seriesPath,
  useSeries,
  isLastOpen,
  startsOf,
  stepLabel,
  valuesOf,
} from "../../core/series.ts";
import { seesMoney } from "../../core/session.ts";
import { spanOf } from "../../core/time/range.ts";
import { Chart } from "../../kit/chart/chart.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { t } from "./words.ts";

const height = 120;

export function History({ id }: { id: string }) {
  const words = t();
  const wanted = { by: "channel", channel: id };
  const loaded = useSeries(spanOf("30d"), wanted);
  const { data } = loaded;
  return (
    <section class="stack" aria-label={words.last30d}>
      <div class="row">
        <h3>{words.last30d}</h3>
        <CurlButton path={seriesPath(spanOf("30d"), wanted)} />
      </div>
      <Waiting {...loaded} lines={6} />
      {data && <Days answer={data} />}
    </section>
  );
}

function Days({ answer }: { answer: SeriesAnswer }) {
  const words = t();
  const tries = valuesOf(answer, ({ attempts = 0 }) => attempts);
  const bad = valuesOf(answer, ({ attempt_failures: failures = 0 }) => failures);
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const [all, failed] = [sum(tries), sum(bad)];
  if (all === 0) return <p class="quiet">{words.noAttempts}</p>;
  const shown = {
    moments: startsOf(answer).map((at) => stepLabel(at, answer.step)),
    isLastOpen: isLastOpen(answer),
    height,
  };
  const { micros, failures, first_byte: first, total_time: total } = answer.sum;
  return (
    <>
      <Facts
        pairs={[
          [words.success, words.successOf(percent(all - failed, all, 2), count(all))],
          failures > 0 && [words.failedOverall, count(failures)],
          [words.firstTokenMedian, millis(first?.p50 ?? null)],
          [words.totalTime, millis(total?.p50 ?? null)],
          seesMoney("usage.read") && [
            words.charged,
            <span title={exactMoney(micros)}>{money(micros)}</span>,
          ],
        ]}
      />
      <Chart
        label={words.overTime(words.tries)}
        kind="bars"
        series={[
          { name: words.failedRequests, values: bad, colour: "var(--bad)" },
          {
            name: words.succeeded,
            values: tries.map((value, at) => value && value - (bad[at] ?? 0)),
            colour: "var(--series-1)",
          },
        ]}
        show={compact}
        {...shown}
      />
      <Chart
        label={words.overTime(words.firstTokenMedian)}
        kind="lines"
        series={[
          {
            name: words.firstTokenMedian,
            values: valuesOf(answer, (sums) => sums.first_byte?.p50 ?? null),
          },
        ]}
        show={millis}
        {...shown}
      />
    </>
  );
}
