// Readiness for paid work, part by part, and the obstacles to it.
import type { Readiness } from "../http/health.ts";
import type { Base } from "./base.ts";
import type { Control } from "./control.ts";
import type { ProcessWatch } from "./watch.ts";

interface ReadinessNeeds {
  base: Base;
  control: Control;
  /** Made after those who ask. */
  watch(): ProcessWatch;
}

const ready = "ready";
const isClosing = (obstacle: string) => obstacle === shuttingDown;
export const shuttingDown = "the gateway is shutting down";

export function createReadiness({ base, control, watch }: ReadinessNeeds): () => Readiness {
  const { bookkeeping, store } = control;
  return () => {
    const obstacles = [...base.obstacles];
    const closing = obstacles.find(isClosing) ?? (base.isLeaving ? "the gateway is leaving" : null);
    const books = obstacles.filter((obstacle) => !isClosing(obstacle));
    const kept = Object.entries(bookkeeping.parts());
    const memory = watch().shedder.isShedding ? "memory is short" : null;
    const parts: [string, string | null][] = [
      ["gateway", closing],
      ["books", books.length === 0 ? null : books.join("; ")],
      ...kept,
      ["memory", memory],
    ];
    const all = [closing, ...books, ...kept.map(([, obstacle]) => obstacle), memory];
    return {
      role: store.turns === undefined ? "alone" : "node",
      obstacles: all.filter((obstacle) => obstacle !== null),
      parts: Object.fromEntries(parts.map(([part, obstacle]) => [part, obstacle ?? ready])),
    };
  };
}
