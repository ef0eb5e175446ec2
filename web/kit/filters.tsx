// Filters of a list: the stretch of time, a search, and chips for what is set.
import { useEffect, useRef, useState } from "preact/hooks";
import { digestOf, keyIn, maySearch } from "../core/key-text.ts";
import { addressOf, go, query, setQuery } from "../core/place.ts";
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
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
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

const pauseMs = 250;

/** Leads to the key whose text it is. */
async function goToKey(key: string): Promise<void> {
  go(`${addressOf("keys")}?digest=${await digestOf(key)}`);
}

/** A search whose text stands in the address, unless it is a key's; `/` leads to it. */
export function SearchBox({ name = "q", label }: { name?: string; label: string }) {
  const kept = query.value.get(name) ?? "";
  const [text, setText] = useState(kept);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => setText(kept), [kept]);
  useEffect(() => {
    if (text === kept || !maySearch(text)) return;
    const key = keyIn(text);
    const timer = setTimeout(() => {
      if (key === null) return setQuery({ [name]: text, cursor: null, p: null });
      setText("");
      void goToKey(key);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (
        event.key !== "/" ||
        (event.target instanceof HTMLElement && event.target.matches("input, textarea, select"))
      )
        return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", jump);
    return () => removeEventListener("keydown", jump);
  }, []);
  return (
    <span class="input affixed search">
      <span class="faint row">
        <Icon name="search" />
      </span>
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </span>
  );
}

export interface FilterChip {
  /** The parameter of the address. */
  name: string;
  /** Text of the chip: "Model: gpt-5". */
  text: string;
}

export function FilterChips({ chips }: { chips: readonly (FilterChip | null | false)[] }) {
  const shown = chips.filter((chip): chip is FilterChip => chip !== null && chip !== false);
  if (shown.length === 0) return null;
  const clear = (names: readonly string[]) =>
    setQuery({ ...Object.fromEntries(names.map((name) => [name, null])), cursor: null, p: null });
  return (
    <div class="chips">
      {shown.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-label={t().remove(text)}
          onClick={() => clear([name])}
        >
          {text}
          <Icon name="close" />
        </button>
      ))}
      {shown.length > 1 && (
        <Button kind="plain" isSmall onClick={() => clear(shown.map(({ name }) => name))}>
          {t().clearAll}
        </Button>
      )}
    </div>
  );
}
