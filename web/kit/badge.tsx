// Small marks: what colour says is always said by a word as well.
import type { ComponentChildren } from "preact";

export type Tone = "good" | "warn" | "bad" | "accent" | "none";

export function Badge({ tone = "none", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={tone === "none" ? "badge" : `badge ${tone}`}>{children}</span>;
}

/** A dot before a word. */
export function Dot({
  tone,
  isLive = false,
  children,
}: {
  tone: Tone;
  isLive?: boolean;
  children: ComponentChildren;
}) {
  return (
    <span class="dotted">
      <span class={`dot ${isLive ? "live" : tone}`} aria-hidden="true" />
      {children}
    </span>
  );
}

/** How much of something is used: a bar, whose label says it in words. */
export function Meter({ part, label }: { part: number; label: string }) {
  const share = Math.max(0, Math.min(1, part));
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "";
  return (
    <div class={`meter ${tone}`} role="img" aria-label={label} title={label}>
      <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </div>
  );
}
