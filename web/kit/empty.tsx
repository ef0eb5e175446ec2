// Nothing to show: why, and the next step.
import type { ComponentChildren } from "preact";
import { setQuery } from "../core/place.ts";
import { Button } from "./button.tsx";
import { t } from "./words.ts";

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

/** Empty result of a list that is searched by `q`: there may be more without it. */
export function NoMatch() {
  return (
    <Empty title={t().noMatch}>
      <Button onClick={() => setQuery({ q: null, p: null })}>{t().clearSearch}</Button>
    </Empty>
  );
}

/** The way back from filters that leave nothing. */
export function ClearFilters({ onClick }: { onClick: () => void }) {
  return <Button onClick={onClick}>{t().clearFilters}</Button>;
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
