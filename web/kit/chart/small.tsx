// Charts that stand in a line of text: how a value moved, and how each stretch of time went.

const size = { width: 96, height: 28 };

interface SparkOptions {
  values: readonly number[];
  colour?: string;
  /** Name of the line, where it is of something else than the number beside it. */
  label?: string | undefined;
  /** The last moment is still under way. */
  isLastOpen: boolean;
}

export function Spark({ values, colour = "var(--accent)", label, isLastOpen }: SparkOptions) {
  const { width, height } = size;
  const most = Math.max(1e-9, ...values);
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * width;
    return `${x.toFixed(1)} ${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`;
  });
  if (values.length < 2) return null;
  const over = isLastOpen ? points.slice(0, -1) : points;
  const open = points.slice(-2);
  const stroke = {
    fill: "none",
    stroke: colour,
    "stroke-width": "1.5",
    "stroke-linejoin": "round",
  } as const;
  return (
    <svg {...size} {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}>
      {label && <title>{label}</title>}
      <path
        d={`M0 ${height}L${points.join("L")}L${width} ${height}z`}
        fill={colour}
        opacity="0.1"
      />
      {over.length > 1 && <path d={`M${over.join("L")}`} {...stroke} />}
      {isLastOpen && <path class="open" d={`M${open.join("L")}`} opacity="0.5" {...stroke} />}
    </svg>
  );
}

interface Part {
  good: number;
  all: number;
  /** Moment and value of the mark: "14:00, 99.2 %". */
  title?: string;
}

/** One mark for each stretch of time; height and colour both say how much of it went well. */
export function Strip({ parts, label }: { parts: readonly Part[]; label: string }) {
  const pitch = 5;
  return (
    <svg width={parts.length * pitch} height="18" role="img" aria-label={label}>
      {parts.map((part, at) => {
        const { y, height, fill } = markOf(part);
        return (
          <rect key={at} x={at * pitch} y={y} width="3.5" height={height} rx="1" fill={fill}>
            {part.title !== undefined && <title>{part.title}</title>}
          </rect>
        );
      })}
    </svg>
  );
}

function markOf({ good, all }: Part): { y: number; height: number; fill: string } {
  if (all === 0) return { y: 7, height: 4, fill: "var(--line-strong)" };
  const share = good / all;
  if (share >= 0.98) return { y: 1, height: 16, fill: "var(--good)" };
  return { y: 3, height: 14, fill: share >= 0.9 ? "var(--warn)" : "var(--bad)" };
}
