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

interface MeterOptions {
  part: number;
  label: string;
  /** To be full is what it is for, and nothing to be warned of. */
  isProgress?: boolean;
}

/** Used or done part of something: a bar, whose label says it in words. */
export function Meter({ part, label, isProgress = false }: MeterOptions) {
  const share = Math.max(0, Math.min(1, part));
  const tone = isProgress || share < 0.8 ? "" : share >= 1 ? "bad" : "warn";
  return (
    <div class={`meter ${tone}`} role="img" aria-label={label} title={label}>
      <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </div>
  );
}
