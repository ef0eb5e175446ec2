// Requests over time above their list: what went well, and what did not.
import { compact } from "../../core/format.ts";
import { shownSpan } from "../../core/time/range.ts";
import { isLastOpen, startsOf, stepLabel, useSeries, valuesOf } from "../../core/series.ts";
import { Chart } from "../../kit/chart/chart.tsx";
import "../../kit/chart/parts.ts";
import { wantedRows, wantedSums } from "./ask.ts";
import { t } from "./words.ts";

const everyMs = 60_000;
const height = 96;

export function Volume() {
  const wanted = wantedSums();
  const { data, error } = useSeries(wanted && shownSpan(), wanted ?? {}, everyMs);
  // A chart of other requests than those below it would be read as theirs.
  if (wanted === null) return <NoChart />;
  if (error && !data) return null;
  if (!data) return <div class="volume" aria-hidden="true" />;
  const good = valuesOf(data, ({ requests, failures }) => requests - failures);
  const bad = valuesOf(data, ({ failures }) => failures);
  return (
    <div class="volume">
      <Chart
        label={t().volume}
        moments={startsOf(data).map((at) => stepLabel(at, data.step))}
        series={[
          { name: t().failed, values: bad, colour: "var(--bad)" },
          { name: t().served, values: good, colour: "var(--series-1)" },
        ]}
        kind="bars"
        height={height}
        show={compact}
        isLastOpen={isLastOpen(data)}
        isBare
      />
    </div>
  );
}

/** One id has no need of a chart, and none is missed. */
function NoChart() {
  return wantedRows()["request_id"] ? null : <p class="quiet">{t().noChart}</p>;
}
