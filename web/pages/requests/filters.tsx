// Filters of the list of requests: a search, a few choices, and chips for what links brought.
import { fullMoney, millis } from "../../core/format.ts";
import { query, setQuery } from "../../core/place.ts";
import { days, shownSpan } from "../../core/time/range.ts";
import { may } from "../../core/session.ts";
import { useSeries } from "../../core/series.ts";
import { Button } from "../../kit/button.tsx";
import { FilterSelect, type Options } from "../../kit/field.tsx";
import { FilterChips, SearchBox } from "../../kit/filters.tsx";
import { filterNames, type FilterName } from "./ask.ts";
import { t } from "./words.ts";

const namesMax = 100;
/** A phone keeps its filters folded, and accounts are reached from a trace there. */
const narrowPixels = 760;

export function Filters({ isLive }: { isLive: boolean }) {
  const words = t();
  const isNarrow = innerWidth <= narrowPixels;
  return (
    <>
      <div class="bar">
        <SearchBox label={words.search} />
        {isNarrow ? (
          <details open={chosenAbove.some((name) => query.peek().has(name))}>
            <summary>{words.filters}</summary>
            <div class="bar">
              <Choices isNarrow />
            </div>
          </details>
        ) : (
          <Choices isNarrow={false} />
        )}
        {!days.value && (
          <span class="push">
            <Button
              isPressed={isLive}
              icon="live"
              onClick={() => setQuery({ live: isLive ? null : "1", cursor: null })}
            >
              {words.live}
            </Button>
          </span>
        )}
      </div>
      <Chips />
    </>
  );
}

function Choices({ isNarrow }: { isNarrow: boolean }) {
  const words = t();
  return (
    <>
      <Outcomes />
      <Names by="model" any={words.anyModel} />
      <Names by="key" any={words.anyKey} />
      <Names by="label" any={words.anyLabel} isRare />
      {may("usage.read") && (
        <>
          {!isNarrow && <Names by="account" any={words.anyAccount} />}
          <Names by="channel" any={words.anyChannel} />
        </>
      )}
      <Only />
    </>
  );
}

function Outcomes() {
  const words = t();
  const options = [
    ["", words.anyOutcome],
    ["ok", words.outcomes.ok],
    ["failed", words.failed],
    ["rejected", words.outcomes.rejected],
    ["upstream_error", words.outcomes.upstream_error],
    ["gateway_error", words.outcomes.gateway_error],
    ["client_abort", words.outcomes.client_abort],
  ] as const;
  const current = query.value.get("outcome") ?? "";
  return (
    <FilterSelect
      label={words.outcome}
      value={options.find(([one]) => one === current)?.[0] ?? ""}
      options={options}
      onChange={(next) => setQuery({ outcome: next, cursor: null })}
    />
  );
}

interface NamesOptions {
  by: "model" | "key" | "label" | "channel" | "account";
  any: string;
  /** Not offered where there is none. */
  isRare?: boolean;
}

/** Those that had a request in the range, and the one that is chosen. */
function Names({ by, any, isRare = false }: NamesOptions) {
  const words = t();
  const { data } = useSeries({ ...shownSpan(), step: 86_400 }, { by, top: namesMax });
  const current = query.value.get(by) ?? "";
  const known = (data?.series ?? []).flatMap(({ name, label, account }): [string, string][] => {
    if (name === null || name === "") return [];
    const text = account === undefined ? (label ?? name) : words.keyOf(label ?? name, account);
    // Addresses name accounts by their user names.
    return [[by === "account" ? text : name, text]];
  });
  if (isRare && known.length === 0 && current === "") return null;
  const isKnown = current === "" || known.some(([name]) => name === current);
  const options: Options<string> = [
    ["", any],
    ...known,
    ...(isKnown ? [] : [[current, current] as const]),
  ];
  return (
    <FilterSelect
      label={any}
      value={current}
      options={options}
      onChange={(next) => setQuery({ [by]: next, cursor: null })}
    />
  );
}

const presets = {
  stream: { stream: "true" },
  retried: { attempts_min: "2" },
  slow: { latency_min: "10000" },
  dear: { micros_min: "10000" },
} as const;
type Preset = keyof typeof presets;

/** Chosen ones become chips, so that they can be combined. */
function Only() {
  const words = t();
  const retried: Options<Preset> = may("usage.read") ? [["retried", words.retried]] : [];
  const options: Options<Preset | ""> = [
    ["", words.only],
    ["stream", words.streamed],
    ...retried,
    ["slow", words.slow],
    ["dear", words.dear],
  ];
  return (
    <FilterSelect<Preset | "">
      label={words.only}
      value=""
      options={options}
      onChange={(next) => next !== "" && setQuery({ ...presets[next], cursor: null })}
    />
  );
}

/** Values that stand in an address as numbers only. */
const shownValues: Partial<Record<FilterName, (value: string) => string>> = {
  latency_min: (value) => millis(Number(value)),
  micros_min: (value) => fullMoney(Number(value)),
};
const chosenAbove: readonly FilterName[] = ["model", "key", "label", "account", "channel"];

function Chips() {
  const words = t();
  const chips = filterNames.map((name) => {
    const value = query.value.get(name);
    if (value === null || chosenAbove.includes(name)) return null;
    return { name, text: words.chips[name](shownValues[name]?.(value) ?? value) };
  });
  return <FilterChips chips={chips} />;
}

export function clearFilters(): void {
  const names = ["q", "outcome", "cursor", ...filterNames];
  setQuery(Object.fromEntries(names.map((name) => [name, null])));
}
