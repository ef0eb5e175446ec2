// Nothing to show: why, and the next step.
import type { ComponentChildren } from "preact";

export function Empty({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

/** In the final geometry of so many lines of text. */
export function Skeleton({ lines = 3, height = 12 }: { lines?: number; height?: number }) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        <span
          key={at}
          class="skeleton"
          style={{ height: `${height}px`, width: `${96 - ((at * 17) % 40)}%` }}
        />
      ))}
    </div>
  );
}
