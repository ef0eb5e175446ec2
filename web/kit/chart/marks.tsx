// Marks of a series: bars that stand on each other, or a line.
import { pathOf } from "./line-path.ts";

export interface Series {
  name: string;
  /** One for each moment; null where there is nothing to draw. */
  values: readonly (number | null)[];
  /** One of the tokens, such as `var(--bad)`; otherwise by its place. */
  colour?: string;
}

export interface Scale {
  /** Column of one moment. */
  column: number;
  x(index: number): number;
  y(value: number): number;
}

/** At most five names have a colour of their own; the sixth is grey. */
export function colourOf({ colour }: Series, index: number): string {
  return colour ?? `var(--series-${Math.min(index, 5) + 1})`;
}

interface MarksOptions {
  series: readonly Series[];
  scale: Scale;
  /** The last moment is not over, so its mark is drawn at half strength. */
  isLastOpen: boolean;
}

export function Bars({ series, scale: { column, x, y }, isLastOpen }: MarksOptions) {
  const gap = Math.min(6, Math.max(1, column * 0.22));
  const base: number[] = [];
  return (
    <>
      {series.map((one, index) => {
        const paths = one.values.map((value, at) => {
          const low = base[at] ?? 0;
          const high = low + (value ?? 0);
          base[at] = high;
          const [top, bottom] = [y(high), y(low)];
          if (bottom - top < 0.2) return "";
          return `M${x(at) + gap / 2} ${bottom}V${top + 0.5}h${column - gap}V${bottom}z`;
        });
        const last = isLastOpen ? (paths.pop() ?? "") : "";
        return (
          <g key={one.name} fill={colourOf(one, index)}>
            <path d={paths.join("")} />
            <path d={last} opacity="0.5" />
          </g>
        );
      })}
    </>
  );
}

export function Lines({ series, scale: { column, x, y }, isLastOpen }: MarksOptions) {
  return (
    <>
      {series.map((one, index) => {
        const place = (at: number) => `${x(at) + column / 2} ${y(one.values[at] ?? 0)}`;
        const has = (at: number) => (one.values[at] ?? null) !== null;
        const last = one.values.length - 1;
        const isDrawn = isLastOpen && has(last) && has(last - 1);
        return (
          <g
            key={one.name}
            fill="none"
            stroke={colourOf(one, index)}
            stroke-width="1.75"
            stroke-linejoin="round"
          >
            <path d={pathOf(one.values, place, isLastOpen)} />
            {isDrawn && (
              <path
                class="open"
                d={`M${place(last - 1)}L${place(last)}`}
                opacity="0.6"
                stroke-dasharray="3 4"
              />
            )}
          </g>
        );
      })}
    </>
  );
}
