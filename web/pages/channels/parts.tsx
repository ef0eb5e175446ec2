// Views of a channel's state, its keys and its last day, in the list and in the detail.
import type { ChannelView, SeriesAnswer } from "../../../src/admin/contract.ts";
import { useAsked } from "../../core/control.ts";
import { count, lately, percent } from "../../core/format.ts";
import { spanOf } from "../../core/time/range.ts";
import { Badge, Dot, type Tone } from "../../kit/badge.tsx";
import { Strip } from "../../kit/chart/small.tsx";
import { countWorkingKeys, restingModels } from "./key-counts.ts";
import { t } from "./words.ts";

/** Dialog over the list. */
export type Opened = { kind: "test" | "remove"; view: ChannelView } | null;

const tones: Record<ChannelView["health"]["state"], Tone> = {
  open: "good",
  ejected: "bad",
  saturated: "warn",
  spent: "warn",
  resting: "warn",
  disabled: "none",
};

/** A disabled one still ends what runs on it. */
export function ChannelState({ view }: { view: ChannelView }) {
  const { state, until } = view.health;
  const words = t();
  const isDraining = state === "disabled" && view.in_flight > 0;
  const text = isDraining ? words.draining(count(view.in_flight)) : words.channelStates[state];
  const resting = state === "open" ? restingModels(view.keys).join(", ") : "";
  const isPartial = isDraining || resting !== "";
  return (
    <span class="row wraps tight" title={words.stateText[state]}>
      <Dot tone={isPartial ? "warn" : tones[state]}>{text}</Dot>
      {resting !== "" && <span class="faint">{words.exceptModels(resting)}</span>}
      {until !== null && <span class="faint">{words.until(lately(until))}</span>}
    </span>
  );
}

export function KeyCount({ view: { keys } }: { view: ChannelView }) {
  const working = countWorkingKeys(keys);
  const isWhole = working === keys.length && keys.every(({ rests_until }) => rests_until === null);
  const tone = isWhole ? "" : working === 0 ? "bad" : "warn";
  return <span class={`number ${tone}`}>{t().keysOf(working, keys.length)}</span>;
}

const everyMs = 60_000;

/** Attempts of the last day by channel: what a request is booked on says nothing of failovers. */
export function useDay(): (id: string) => SeriesAnswer["series"][number] | undefined {
  const { from, to, step } = spanOf("24h");
  const query = { by: "channel", from, to, step, top: 100 };
  const { data } = useAsked("GET /api/series", { query }, everyMs);
  return (id) => data?.series.find(({ name }) => name === id);
}

export function DayStrip({ day }: { day: ReturnType<ReturnType<typeof useDay>> }) {
  const { from, to, step } = spanOf("24h");
  const points = new Map(day?.points.map((point) => [point.at, point]));
  const parts = Array.from({ length: (to - from) / step }, (_, at) => {
    const begins = from + at * step;
    const { attempts = 0, attempt_failures: failures = 0 } = points.get(begins) ?? {};
    const share = percent(attempts - failures, attempts);
    const title = `${lately(begins)} · ${t().successOf(share, count(attempts))}`;
    return { good: attempts - failures, all: attempts, title };
  });
  const text = dayText(parts);
  const unserved = (day?.points ?? []).reduce((sum, { failures }) => sum + failures, 0);
  return (
    <span class="day-strip">
      <Strip parts={parts} label={text} />
      <span class="faint number">{text}</span>
      {unserved > 0 && <Badge tone="warn">{t().requestsFailed(count(unserved))}</Badge>}
    </span>
  );
}

/** Share of the last day's input that came from prompt caches. */
export function CachedShare({ day }: { day: ReturnType<ReturnType<typeof useDay>> }) {
  let [cached, input] = [0, 0];
  for (const point of day?.points ?? []) {
    cached += point.cache_read_tokens;
    input += point.input_tokens;
  }
  return <span class="number">{percent(cached, input)}</span>;
}

function dayText(parts: readonly { good: number; all: number }[]): string {
  const [good, all] = parts.reduce(([g, a], part) => [g + part.good, a + part.all], [0, 0]);
  return all === 0 ? t().noAttempts : t().successOf(percent(good, all), count(all));
}
