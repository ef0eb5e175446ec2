// Filters of a list: the stretch of time, a search, and chips for what is set.
import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../core/place.ts";
import { range, ranges, setRange, type Range } from "../core/range.ts";
import { zoneLabel } from "../core/zone.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Segments } from "./tabs.tsx";
import { t } from "./words.ts";

const usual: readonly Range[] = ["1h", "24h", "7d", "30d"];

/** Stands in the address as `range`, and names the zone that days are cut in. */
export function RangePicker({ choices = usual }: { choices?: readonly Range[] }) {
  const options = choices.filter((one) => one in ranges).map((one) => [one, one] as const);
  return (
    <span class="row">
      <span class="faint wide" title={t().zone(zoneLabel())}>
        {zoneLabel()}
      </span>
      <Segments label={t().range} value={range.value} options={options} onChange={setRange} />
    </span>
  );
}

const pauseMs = 250;

/** A search whose text stands in the address; `/` leads to it. */
export function SearchBox({ name = "q", label }: { name?: string; label: string }) {
  const kept = query.value.get(name) ?? "";
  const [text, setText] = useState(kept);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => setText(kept), [kept]);
  useEffect(() => {
    if (text === kept) return;
    const timer = setTimeout(() => setQuery({ [name]: text, cursor: null, p: null }), pauseMs);
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
