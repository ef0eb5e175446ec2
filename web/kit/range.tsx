// The stretch of time of a page, as it stands in the address.
import { query, setQuery } from "../core/place.ts";
import {
  chooseDays,
  days,
  isDay,
  range,
  ranges,
  setRange,
  type Range,
} from "../core/time/range.ts";
import { dayAfter } from "../core/time/span.ts";
import { zoneLabel } from "../core/time/zone.ts";
import { Segments } from "./tabs.tsx";
import { t } from "./words.ts";

const usual: readonly Range[] = ["1h", "24h", "7d", "30d"];

/** Stands in the address as `range`, and names the zone that days are cut in. */
export function RangePicker({ choices = usual }: { choices?: readonly Range[] }) {
  const words = t();
  const usualOnes = choices.filter((one) => one in ranges).map((one) => [one, one] as const);
  return (
    <span class="row wraps">
      <span class="faint wide" title={words.zone(zoneLabel())}>
        {zoneLabel()}
      </span>
      <Segments<Range | "days">
        label={words.range}
        value={days.value ? "days" : range.value}
        options={[...usualOnes, ["days", words.days]]}
        onChange={(next) => (next === "days" ? chooseDays() : setRange(next))}
      />
      {days.value && <DayRange />}
    </span>
  );
}

/** Two days in the address as `from` and `to`, both included. */
export function DayRange() {
  const words = t();
  const [from, to] = [query.value.get("from") ?? "", query.value.get("to") ?? ""];
  // The gateway's `to` is the first day after.
  const last = isDay(to) ? dayAfter(to, -1) : "";
  const set = (changes: Record<string, string | null>) =>
    setQuery({ ...changes, cursor: null, p: null });
  return (
    <span class="row" title={words.zone(zoneLabel())}>
      <input
        class="input day"
        type="date"
        aria-label={words.fromDay}
        value={isDay(from) ? from : ""}
        max={last}
        onChange={(event) => set({ from: event.currentTarget.value || null })}
      />
      <span class="faint" aria-hidden="true">
        –
      </span>
      <input
        class="input day"
        type="date"
        aria-label={words.toDay}
        value={last}
        min={isDay(from) ? from : ""}
        onChange={({ currentTarget: { value } }) => set({ to: value ? dayAfter(value, 1) : null })}
      />
    </span>
  );
}
