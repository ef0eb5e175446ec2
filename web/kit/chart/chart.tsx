// Charts as plain SVG: they take their colours from the tokens, so a change of theme redraws
// nothing. The column under the pointer, or under the arrow keys, is told in words.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../button.tsx";
import { t } from "../words.ts";
import { Bars, colourOf, Lines, type Scale, type Series } from "./marks.tsx";
import { ticksUpTo } from "./ticks.ts";

const axis = { left: 52, bottom: 22, top: 8 };
const labelWidth = 84;

export interface ChartOptions {
  /** Content of the chart, in a sentence or a name. */
  label: string;
  /** One for each column. */
  moments: readonly string[];
  series: readonly Series[];
  kind: "bars" | "lines";
  height?: number;
  /** A value on the axis and in the tip. */
  show(value: number): string;
  /** The last moment is still under way. */
  isLastOpen?: boolean;
  /** No button for the table: for small charts above a table that says the same. */
  isBare?: boolean;
}

export function Chart(options: ChartOptions) {
  const [isTable, setTable] = useState(false);
  if (options.isBare) return <Plot {...options} />;
  return (
    <div>
      {isTable ? <ChartTable {...options} /> : <Plot {...options} />}
      <div class="row">
        <span class="push" />
        <Button
          kind="plain"
          isSmall
          icon={isTable ? "usage" : "table"}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? t().asChart : t().asTable}
        </Button>
      </div>
    </div>
  );
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return { box, width };
}

function greatest({ kind, moments, series }: ChartOptions): number {
  const all =
    kind === "lines"
      ? series.flatMap(({ values }) => values.map((value) => value ?? 0))
      : moments.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return all.reduce((most, value) => Math.max(most, value), 0);
}

function Plot(options: ChartOptions) {
  const { label, moments, series, height = 240, kind, show, isLastOpen = true } = options;
  const { box, width } = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const count = moments.length;
  const ticks = ticksUpTo(greatest(options), height < 120 ? 2 : 4);
  const inner = { width: Math.max(0, width - axis.left), height: height - axis.bottom - axis.top };
  const column = inner.width / Math.max(1, count);
  const scale: Scale = {
    column,
    x: (index) => axis.left + column * index,
    y: (value) => axis.top + inner.height * (1 - value / (ticks.at(-1) ?? 1)),
  };
  const keys = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by !== 0) setAt(Math.min(count - 1, Math.max(0, (at ?? (by > 0 ? -1 : count)) + by)));
    else if (event.key === "Escape") setAt(null);
  };
  const follow = (event: PointerEvent) => {
    const left = (event.offsetX - axis.left) / Math.max(1, column);
    setAt(left < 0 || left >= count ? null : Math.floor(left));
  };
  return (
    <div
      class="chart"
      ref={box}
      style={{ height: `${height}px` }}
      onPointerLeave={() => setAt(null)}
    >
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={keys}
        onBlur={() => setAt(null)}
        onPointerMove={follow}
      >
        <Grid {...{ ticks, scale, width, show }} />
        {at !== null && (
          <rect class="column" x={scale.x(at)} y={axis.top} width={column} height={inner.height} />
        )}
        {kind === "bars" ? (
          <Bars {...{ series, scale, isLastOpen }} />
        ) : (
          <Lines {...{ series, scale, isLastOpen }} />
        )}
        <Moments {...{ moments, scale, width: inner.width }} y={height - 6} />
      </svg>
      {at !== null && <Tip {...{ at, width, scale, options }} />}
    </div>
  );
}

function Grid({
  ticks,
  scale,
  width,
  show,
}: {
  ticks: number[];
  scale: Scale;
  width: number;
  show(value: number): string;
}) {
  return (
    <>
      {ticks.map((value) => (
        <g key={value}>
          <line class="grid" x1={axis.left} x2={width} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={axis.left - 10} y={scale.y(value) + 4} text-anchor="end">
            {show(value)}
          </text>
        </g>
      ))}
    </>
  );
}

function Moments({
  moments,
  scale,
  width,
  y,
}: {
  moments: readonly string[];
  scale: Scale;
  width: number;
  y: number;
}) {
  const every = Math.max(
    1,
    Math.ceil(moments.length / Math.max(2, Math.floor(width / labelWidth))),
  );
  return (
    <>
      {moments.map(
        (moment, at) =>
          at % every === 0 && (
            <text key={at} x={scale.x(at) + scale.column / 2} y={y} text-anchor="middle">
              {moment}
            </text>
          ),
      )}
    </>
  );
}

function Tip({
  at,
  width,
  scale,
  options: { moments, series, kind, show },
}: {
  at: number;
  width: number;
  scale: Scale;
  options: ChartOptions;
}) {
  const middle = scale.x(at) + scale.column / 2;
  const place =
    middle > width / 2 ? { right: `${width - middle + 12}px` } : { left: `${middle + 12}px` };
  const sum = series.reduce((total, { values }) => total + (values[at] ?? 0), 0);
  return (
    <div class="tip" role="status" style={place}>
      <div class="row">
        <span class="faint">{moments[at]}</span>
        {kind === "bars" && <span class="push strong number">{show(sum)}</span>}
      </div>
      <ul>
        {series.map((one, index) => {
          const value = one.values[at] ?? null;
          if (value === null || (value === 0 && series.length > 1)) return null;
          return (
            <li key={one.name}>
              <span class="swatch" style={{ background: colourOf(one, index) }} />
              <span class="cut">{one.name}</span>
              <span class="push number">{show(value)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ChartTable({ label, moments, series, show, height = 240 }: ChartOptions) {
  return (
    <div
      class="scrolls"
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ maxHeight: `${height}px`, overflow: "auto" }}
    >
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t().moment}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {moments.map((moment, at) => (
            <tr key={at}>
              <td>{moment}</td>
              {series.map(({ name, values }) => (
                <td key={name} class="right">
                  {values[at] === null || values[at] === undefined ? "–" : show(values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
