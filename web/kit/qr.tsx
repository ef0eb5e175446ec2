// A QR code as one path, dark on light in both themes, because readers want it so.
import { qrCode } from "../core/qr.ts";

const quiet = 4;

export function Qr({ text, label }: { text: string; label: string }) {
  const grid = qrCode(text);
  if (!grid) return null;
  const size = grid.length + quiet * 2;
  const path = grid.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      width="184"
      height="184"
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path.join("")} fill="black" />
    </svg>
  );
}
