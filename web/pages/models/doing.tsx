// Days of a model: uptime, speed and its share of cached input over time.
import type { ModelsHealth } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { millis, moment, percent } from "../../core/format.ts";
import { healthAt } from "../../core/session.ts";
import { Chart } from "../../kit/chart/chart.tsx";
import "../../kit/chart/parts.ts";
import { colourOf, type Series } from "../../kit/chart/marks.tsx";
import { Strip } from "../../kit/chart/small.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card, Tile, Tiles } from "../../kit/figures.tsx";
import { t } from "./words.ts";

type Health = ModelsHealth["items"][number];
type Day = Health["days"][number];

const days = 30;
const daySeconds = 86_400;

/** Nothing at all where it is not for this person. */
export function Doing({ model }: { model: string }) {
  const words = t();
  const at = healthAt();
  const ask = { query: { model, days } };
  const loaded = useAnswer(at, ask);
  if (at === null) return null;
  if (loaded.error && !loaded.data) {
    return <Failure error={loaded.error} onRetry={loaded.reload} />;
  }
  const health = loaded.data?.items[0];
  if (loaded.data && !health) return <p class="quiet">{words.unused}</p>;
  const tools = <CurlButton path={pathOf(at, ask)} />;
  return (
    <>
      <Numbers health={health ?? null} />
      {loaded.data && health && (
        <Card title={words.doing} note={words.lastDays(days)} tools={tools}>
          <Days answer={loaded.data} health={health} />
        </Card>
      )}
    </>
  );
}

function Numbers({ health }: { health: Health | null }) {
  const words = t();
  const share = (value: number | null) => (value === null ? "–" : percent(value, 1, 1));
  return (
    <Tiles>
      <Tile name={words.uptime} value={health && percent(health.success, 1, 2)} />
      <Tile name={words.firstByte} value={health && millis(health.first_byte_ms)} />
      <Tile name={words.wholeTime} value={health && millis(health.total_ms)} />
      <Tile name={words.cachedShare} value={health && share(health.cached_share)} />
    </Tiles>
  );
}

/** Names of lines with their colours. */
function Keys({ series }: { series: readonly Series[] }) {
  return series.map((one, index) => (
    <span key={one.name} class="row faint key">
      <span class="swatch" style={{ background: colourOf(one, index) }} />
      {one.name}
    </span>
  ));
}

function Days({ answer, health }: { answer: ModelsHealth; health: Health }) {
  const words = t();
  const byDay = new Map(health.days.map((one) => [one.day, one]));
  const starts: number[] = [];
  for (let at = Date.parse(answer.from) / 1000; starts.length < days; at += daySeconds) {
    starts.push(at);
  }
  const all = starts.map((at) => byDay.get(new Date(at * 1000).toISOString().slice(0, 10)));
  const moments = starts.map((at) => moment(at, "day"));
  const parts = all.map((day, at) => ({
    good: day?.success ?? 0,
    all: day ? 1 : 0,
    title: day ? `${moments[at]}: ${percent(day.success, 1, 2)}` : (moments[at] ?? ""),
  }));
  const lines = (read: (day: Day) => number | null) => all.map((day) => (day ? read(day) : null));
  const speeds = [
    { name: words.firstByte, values: lines((day) => day.first_byte_ms) },
    { name: words.wholeTime, values: lines((day) => day.total_ms) },
  ];
  return (
    <>
      <div class="scrolls">
        <Strip parts={parts} label={words.uptimeOf(percent(health.success, 1, 2))} />
      </div>
      <h3 class="row wraps">
        {words.speed}
        <Keys series={speeds} />
      </h3>
      <Chart
        label={words.overTime(words.speed)}
        kind="lines"
        height={160}
        {...{ moments }}
        series={speeds}
        show={millis}
      />
      {health.cached_share !== null && (
        <>
          <h3>{words.cachedShare}</h3>
          <Chart
            label={words.overTime(words.cachedShare)}
            kind="lines"
            height={120}
            {...{ moments }}
            series={[{ name: words.cachedShare, values: lines((day) => day.cached_share) }]}
            show={(value) => percent(value, 1, 0)}
          />
        </>
      )}
    </>
  );
}
