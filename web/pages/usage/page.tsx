// The explorer of what was used: any metric, by anything, in any step, beside the range before.
import { addressOf, query, setQuery } from "../../core/place.ts";
import { seriesPath, useSeries } from "../../core/series.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { FilterChips } from "../../kit/filters.tsx";
import { RangePicker } from "../../kit/range.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import * as choices from "./choices.ts";
import { Heatmap } from "./heatmap.tsx";
import { Picture } from "./picture.tsx";
import { Rows } from "./rows.tsx";
import { Views } from "./views.tsx";
import { t } from "./words.ts";

const everyMs = 60_000;

export function Page() {
  const words = t();
  const sideNames: Readonly<Record<string, string>> = words.sides;
  const [metric, by] = [choices.chosenMetric(), choices.chosenSide()];
  const wanted = { by, top: 20, ...choices.chosenFilters() };
  const path = seriesPath(choices.chosenSpan(), wanted);
  const { data, error, reload } = useSeries(choices.chosenSpan(), wanted, everyMs);
  const note = query.value.has("compare") ? words.inAll : words.byText(words.sides[by]);
  const chips = Object.entries(choices.chosenFilters()).map(([name, value]) => ({
    name,
    text: `${sideNames[name] ?? name}: ${choices.labels.get(value) ?? value}`,
  }));
  const isQuiet = data?.sum.requests === 0;
  return (
    <Screen title={titleOf("usage")} tools={<RangePicker choices={["24h", "7d", "30d", "90d"]} />}>
      <Choices path={path} />
      <FilterChips chips={chips} />
      <Card title={words.metrics[metric]} note={note}>
        {error && !data && <Failure error={error} onRetry={reload} />}
        {!data && !error && <Skeleton lines={6} height={28} />}
        {isQuiet && <Quiet />}
        {data && !isQuiet && <Picture answer={data} metric={metric} by={by} />}
      </Card>
      {data && !isQuiet && <Rows answer={data} by={by} />}
      {data && !isQuiet && <Heatmap metric={metric} />}
    </Screen>
  );
}

function Quiet() {
  return (
    <Empty title={t().quiet} text={t().quietText}>
      <LinkButton href={addressOf("keys")}>{t().keys}</LinkButton>
    </Empty>
  );
}

function Choices({ path }: { path: string }) {
  const words = t();
  const csv = choices.csvPath();
  return (
    <div class="bar">
      <FilterSelect
        label={words.metric}
        value={choices.chosenMetric()}
        options={choices.metricNames().map((name) => [name, words.metrics[name]] as const)}
        onChange={(metric) => setQuery({ metric: metric === "spend" ? null : metric })}
      />
      <FilterSelect
        label={words.groupBy}
        value={choices.chosenSide()}
        options={choices.sides().map((side) => [side, words.byText(words.sides[side])] as const)}
        onChange={(by) => setQuery({ by })}
      />
      <Segments
        label={words.rollup}
        value={choices.chosenRollup()}
        options={choices.fittingRollups().map((step) => [step, words.steps[step]] as const)}
        onChange={(step) => setQuery({ step })}
      />
      <Toggle name="compare" text={words.compare} />
      {!choices.metricOf(choices.chosenMetric()).isTime && (
        <Toggle name="running" text={words.running} />
      )}
      <span class="push row">
        <Views />
        {csv !== null && (
          <LinkButton icon="download" href={csv} download="usage.csv">
            {words.csv}
          </LinkButton>
        )}
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function Toggle({ name, text }: { name: string; text: string }) {
  const isOn = query.value.has(name);
  return (
    <Button isPressed={isOn} onClick={() => setQuery({ [name]: isOn ? null : "1" })}>
      {text}
    </Button>
  );
}
