// Charts that stand in a line of text: how a value moved, and how each stretch of time went.

const size = { width: 96, height: 28 };

/** Leave out the moment that is still under way. */
export function Spark({
  values,
  colour = "var(--accent)",
}: {
  values: readonly number[];
  colour?: string;
}) {
  const { width, height } = size;
  const most = Math.max(1e-9, ...values);
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * width;
    return `${x.toFixed(1)} ${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`;
  });
  if (values.length < 2) return null;
  return (
    <svg {...size} aria-hidden="true">
      <path
        d={`M0 ${height}L${points.join("L")}L${width} ${height}z`}
        fill={colour}
        opacity="0.1"
      />
      <path
        d={`M${points.join("L")}`}
        fill="none"
        stroke={colour}
        stroke-width="1.5"
        stroke-linejoin="round"
      />
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
