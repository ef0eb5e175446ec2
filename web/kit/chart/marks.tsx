// Marks of a series: bars that stand on each other, or a line.

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
  /** The last moment is not over, so its bars are drawn at half strength. */
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

export function Lines({ series, scale: { column, x, y } }: Omit<MarksOptions, "isLastOpen">) {
  return (
    <>
      {series.map((one, index) => {
        const path = one.values.map((value, at) => {
          if (value === null) return "";
          const isFirst = at === 0 || (one.values[at - 1] ?? null) === null;
          return `${isFirst ? "M" : "L"}${x(at) + column / 2} ${y(value)}`;
        });
        const stroke = colourOf(one, index);
        return (
          <path
            key={one.name}
            d={path.join("")}
            fill="none"
            stroke={stroke}
            stroke-width="1.75"
            stroke-linejoin="round"
          />
        );
      })}
    </>
  );
}
