// Events as they happen, over one connection, and only while the page is visible: a browser has
// six connections to a host, for all of its tabs.
import { useEffect, useState } from "preact/hooks";

export type LiveState = "off" | "connecting" | "live" | "lost";

/** Calls `onEvent` with each event's data; null listens to nothing. */
export function useLive<Data>(path: string | null, onEvent: (data: Data) => void): LiveState {
  const [state, setState] = useState<LiveState>("off");
  useEffect(() => {
    if (path === null) {
      setState("off");
      return;
    }
    let source: EventSource | null = null;
    const start = () => {
      if (source !== null || document.hidden) return;
      setState("connecting");
      source = new EventSource(path);
      source.onopen = () => setState("live");
      source.onerror = () =>
        setState(source?.readyState === EventSource.CLOSED ? "lost" : "connecting");
      source.onmessage = ({ data }) => onEvent(JSON.parse(String(data)) as Data);
    };
    const stop = () => {
      source?.close();
      source = null;
      setState("off");
    };
    const follow = () => (document.hidden ? stop() : start());
    document.addEventListener("visibilitychange", follow);
    start();
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop();
    };
  }, [path]);
  return state;
}
