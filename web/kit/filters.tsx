// Filters of a list: a search, and chips for what is set.
import { useEffect, useRef, useState } from "preact/hooks";
import { digestOf, keyIn, maySearch } from "../core/key-text.ts";
import { addressOf, go, query, setQuery } from "../core/place.ts";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { Icon } from "./icon.tsx";
import "./rest/list.tsx";
import { t } from "./rest/words.ts";

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
