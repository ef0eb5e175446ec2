// Sums over time by name: the chart, and beside it the table of its totals and shares.
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { gridOf, isLastOpen, stepLabel, type Grid, type Measure } from "../../core/series.ts";
import { Chart } from "./chart.tsx";
import { coloursOf } from "./colours.ts";
import { Legend, type Total } from "./legend.tsx";

interface BreakdownOptions {
  label: string;
  answer: SeriesAnswer;
  measure: Measure;
  /** A value in the legend; the axis has the shorter one. */
  show(value: number): string;
  showAxis(value: number): string;
  /** Name of all others, and of the part without a name. */
  others: string;
  unnamed: string;
  /** Each step has what came before it too. */
  isRunning?: boolean;
  /** Leads to what is behind a name. */
  hrefOf?: ((name: string) => string | null) | undefined;
}

export function Breakdown(options: BreakdownOptions) {
  const { label, answer, measure, show, showAxis, isRunning = false, hrefOf } = options;
  const grid = gridOf(answer, measure);
  const named = namedLines(grid, options);
  const series = isRunning ? named.map(runUp) : named;
  const names = new Map(named.map(({ name }, at) => [name, grid.lines[at]?.name ?? null]));
  const leads = (text: string) => {
    const name = names.get(text) ?? null;
    return name === null || name === "" ? null : (hrefOf?.(name) ?? null);
  };
  return (
    <div class="breakdown">
      <Chart
        label={label}
        moments={grid.starts.map((at) => stepLabel(at, answer.step))}
        series={series}
        kind="bars"
        show={showAxis}
        isLastOpen={isLastOpen(answer)}
      />
      <Legend series={named} show={show} hrefOf={leads} />
    </div>
  );
}

/** Two that have the same label are told apart by the end of their ids. */
function namedLines({ lines }: Grid, { others, unnamed }: BreakdownOptions): Total[] {
  const taken = new Set<string>();
  const named = lines.filter(({ name }) => name !== null);
  const colours = coloursOf(named.map((line) => `${line.label ?? ""} ${line.name}`));
  return lines.map(({ label, name, values, total }, at) => {
    const text = name === null ? others : label || unnamed;
    const own = taken.has(text) ? `${text} (${name?.slice(-4) ?? at})` : text;
    taken.add(own);
    const colour = name === null ? "var(--series-6)" : colours.get(`${label ?? ""} ${name}`);
    return { name: own, values, total, ...(colour && { colour }) };
  });
}

function runUp(one: Total): Total {
  let sum = 0;
  return { ...one, values: one.values.map((value) => (sum += value ?? 0)) };
}
