// The legend of a chart is the table of its totals and shares.
import { percent } from "../../core/format.ts";
import { colourOf, type Series } from "./marks.tsx";

export interface Total extends Series {
  total: number;
}

interface LegendOptions {
  series: readonly Total[];
  show(value: number): string;
  /** Leads to what is behind a name. */
  hrefOf?: (name: string) => string | null;
}

export function Legend({ series, show, hrefOf }: LegendOptions) {
  const all = series.reduce((sum, { total }) => sum + total, 0);
  return (
    <ul class="legend">
      {series.map((one, index) => {
        const href = hrefOf?.(one.name) ?? null;
        return (
          <li key={one.name}>
            <span class="swatch" style={{ background: colourOf(one, index) }} />
            {href === null ? (
              <span class="cut">{one.name}</span>
            ) : (
              <a class="cut" href={href}>
                {one.name}
              </a>
            )}
            <span class="push strong">{show(one.total)}</span>
            <span class="share">{percent(one.total, all, 0)}</span>
          </li>
        );
      })}
    </ul>
  );
}
