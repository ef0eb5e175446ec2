// Last 30 days of a channel: how its attempts went, how fast it was and what it came to.
import type { ComponentChildren } from "preact";
import type { SeriesAnswer, SeriesSums } from "../../../src/admin/contract.ts";
import { count, exactMoney, millis, money, percent } from "../../core/format.ts";
import {
  isLastOpen,
  seriesPath,
  startsOf,
  stepLabel,
  useSeries,
  valuesOf,
} from "../../core/series.ts";
import { seesMoney } from "../../core/session.ts";
import { spanOf } from "../../core/time/range.ts";
import { Badge } from "../../kit/badge.tsx";
import { Spark, Strip } from "../../kit/chart/small.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { t } from "./words.ts";

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
      <Waiting {...loaded} lines={4} />
      {data && <Days answer={data} />}
    </section>
  );
}

function Days({ answer }: { answer: SeriesAnswer }) {
  const words = t();
  const tries = valuesOf(answer, ({ attempts = 0 }) => attempts);
  const bad = valuesOf(answer, ({ attempt_failures: failures = 0 }) => failures);
  const parts = startsOf(answer).map((at, day) => {
    const all = tries[day] ?? 0;
    const good = all - (bad[day] ?? 0);
    const said = words.successOf(percent(good, all), count(all));
    return { good, all, title: `${stepLabel(at, answer.step)}: ${said}` };
  });
  const all = parts.reduce((sum, part) => sum + part.all, 0);
  const good = parts.reduce((sum, part) => sum + part.good, 0);
  if (all === 0) return <p class="quiet">{words.noAttempts}</p>;
  const { micros, failures, first_byte: first } = answer.sum;
  const success = words.successOf(percent(good, all, 2), count(all));
  return (
    <Facts
      pairs={[
        [
          words.success,
          <span class="day-strip">
            <Strip parts={parts} label={success} />
            <span class="faint number">
              {success}{" "}
              {failures > 0 && <Badge tone="warn">{words.requestsFailed(count(failures))}</Badge>}
            </span>
          </span>,
        ],
        [
          words.firstTokenMedian,
          <Past answer={answer} name={words.firstTokenMedian} of={(sums) => sums.first_byte?.p50}>
            {millis(first?.p50 ?? null)}
          </Past>,
        ],
        seesMoney("usage.read") && [
          words.charged,
          <Past answer={answer} name={words.charged} of={(sums) => sums.micros}>
            <span title={exactMoney(micros)}>{money(micros)}</span>
          </Past>,
        ],
      ]}
    />
  );
}

interface PastOptions {
  answer: SeriesAnswer;
  name: string;
  of(sums: SeriesSums): number | undefined;
  children: ComponentChildren;
}

/** A number, and how it moved from day to day. */
function Past({ answer, name, of, children }: PastOptions) {
  const values = valuesOf(answer, (sums) => of(sums) ?? null);
  return (
    <span class="row number">
      {children}
      <Spark
        values={values.map((value) => value ?? 0)}
        isLastOpen={isLastOpen(answer)}
        label={t().overTime(name)}
      />
    </span>
  );
}
