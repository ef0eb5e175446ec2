// Hours of use: hours of the day by days of the week.
import { moment } from "../../core/format.ts";
import { days, range, shownSpan, spanOf } from "../../core/time/range.ts";
import { zoneLabel, zoneMinutes } from "../../core/time/zone.ts";
import { useSeries } from "../../core/series.ts";
import { Card } from "../../kit/figures.tsx";
import { chosenFilters, isByDay, metricOf, type MetricName } from "./choices.ts";
import { hoursOf } from "./hours.ts";
import { t } from "./words.ts";

const everyMs = 60_000;
/** A Monday at noon in UTC, of which the names of the days are taken. */
const monday = Date.UTC(2026, 10, 16, 12) / 1000;
const daySeconds = 86_400;
const hoursKeptSeconds = 89 * daySeconds;

function noonOf(day: number, zoneMinutes: number): number {
  return monday + day * daySeconds - zoneMinutes * 60;
}

/** At least a week, or most days would be empty; of times and of labels' hours there is no sum. */
export function Heatmap({ metric }: { metric: MetricName }) {
  const words = t();
  const chosen = range.value === "1h" || range.value === "24h" ? "7d" : range.value;
  const { of, show, isTime } = metricOf(metric);
  const isUnknown = isTime || isByDay();
  const shown = days.value ? shownSpan() : spanOf(chosen);
  const isKept = shown.from > Date.now() / 1000 - hoursKeptSeconds;
  const span = isUnknown || !isKept ? null : { ...shown, step: 3600 };
  const { data } = useSeries(span, chosenFilters(), everyMs);
  if (!data || span === null) return null;
  const { cells, most } = hoursOf(data, of, zoneMinutes);
  if (most === 0) return null;
  return (
    <Card
      title={words.hours}
      note={days.value ? zoneLabel() : words.hoursNote(chosen, zoneLabel())}
    >
      <div class="scrolls" tabIndex={0} role="group" aria-label={words.hours}>
        <table class="heatmap">
          <thead>
            <tr>
              <td />
              {cells[0]?.map((_, hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, day) => (
              <tr key={day}>
                <th scope="row">{moment(noonOf(day, data.tz), "weekday")}</th>
                {row.map((value, hour) => (
                  <td key={hour} title={words.hourText(hour, show(value))}>
                    <Cell part={value / most} text={show(value)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Cell({ part, text }: { part: number; text: string }) {
  // Scale by the root, so that a quiet hour is still told from an empty one.
  const share = part === 0 ? 0 : Math.max(8, Math.sqrt(part) * 100);
  const background = `color-mix(in srgb, var(--series-1) ${share.toFixed(0)}%, var(--sunken))`;
  return (
    <span class="heat" style={{ background }}>
      <span class="unseen">{text}</span>
    </span>
  );
}
