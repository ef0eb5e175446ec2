// Sums and the chart of requests follow rows that come while one looks.
import { useEffect, useRef } from "preact/hooks";
import { refresh } from "../../core/api.ts";
import { scoped } from "../../core/session.ts";

const everyMs = 2000;
type Follow = () => void;

/** To be called for each row: asks for the sums again, at most every so often. */
export function useFollowing(): Follow {
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(waiting.current ?? undefined), []);
  const ask = () => {
    waiting.current = null;
    refresh(`${scoped("/api/log")}?`, scoped("/api/series"));
  };
  return () => {
    waiting.current ??= setTimeout(ask, everyMs);
  };
}
