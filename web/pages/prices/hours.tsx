// Hours of the week in which tokens cost something else.
import type { PriceInput } from "../../../src/admin/contract.ts";
import { Button } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

type PriceWindow = NonNullable<PriceInput["hours"]>[number];

const timeNames = ["days", "from", "to", "zone"] as const;
const percentNames = ["input_percent", "output_percent"] as const;
const fieldNames = [...timeNames, ...percentNames];
/** Typed texts, and beside them the amounts that have no field. */
export interface WindowDraft {
  typed: Partial<Record<(typeof fieldNames)[number], string>>;
  amounts: Partial<PriceWindow>;
}

export function windowDraftsOf(price: PriceInput | null): WindowDraft[] {
  return (price?.hours ?? []).map((window) => {
    const { days = "", from, to, zone = "", input_percent, output_percent, ...amounts } = window;
    const percents = {
      input_percent: String(input_percent ?? ""),
      output_percent: String(output_percent ?? ""),
    };
    return { typed: { days, from, to, zone, ...percents }, amounts };
  });
}

/** Wrong values stay as they were typed, for the gateway to refuse. */
export function windowOf({ typed, amounts }: WindowDraft): PriceWindow {
  const isPercent = (name: string) => percentNames.some((one) => one === name);
  const set = Object.entries(typed)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "")
    .map(([name, text]) => [name, isPercent(name) && /^\d+$/.test(text) ? Number(text) : text]);
  return { from: "", to: "", ...amounts, ...Object.fromEntries(set) };
}

interface HoursOptions {
  windows: readonly WindowDraft[];
  onWindows(windows: readonly WindowDraft[]): void;
}

export function Hours({ windows, onWindows }: HoursOptions) {
  const words = t();
  const write = (at: number, window: WindowDraft | null) =>
    onWindows(windows.flatMap((one, index) => (index === at ? (window ?? []) : one)));
  return (
    <fieldset class="rules">
      <legend>{words.hours}</legend>
      {windows.map((window, at) => (
        <div key={at} class="rule">
          {fieldNames.map((name) => (
            <TextField
              key={name}
              label={words.windows[name]}
              value={window.typed[name] ?? ""}
              onInput={(text) => write(at, { ...window, typed: { ...window.typed, [name]: text } })}
            />
          ))}
          <Button
            kind="plain"
            icon="trash"
            label={words.removeHours(at + 1)}
            onClick={() => write(at, null)}
          />
        </div>
      ))}
      <div>
        <Button
          isSmall
          icon="plus"
          onClick={() => onWindows([...windows, { typed: {}, amounts: {} }])}
        >
          {words.addHours}
        </Button>
      </div>
    </fieldset>
  );
}

export function hoursText(window: PriceWindow): string {
  const { days = "", from, to, zone = "UTC", input_percent: input = 100 } = window;
  const { output_percent: output = 100 } = window;
  const when = [days, `${from}–${to}`, zone].filter(Boolean).join(" ");
  return `${when}: ${t().percentOf(input, output)}`;
}
