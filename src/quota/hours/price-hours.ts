// Prices by the hour: which of a price's windows is open, and what the tokens cost in it.
import type { ListedPrice, PriceHours } from "../../catalogue/model.ts";
import { isWithin, weekSpansOf, WeekClock } from "../../core/week/week-windows.ts";

/** The same price as it is at a moment; itself where no window is open. */
export class HourlyPrice {
  readonly #clock: WeekClock;
  readonly #windows: { spans: ReturnType<typeof weekSpansOf>; price: ListedPrice }[];
  readonly #plain: ListedPrice;

  constructor(plain: ListedPrice, hours: readonly PriceHours[]) {
    this.#plain = plain;
    this.#clock = new WeekClock(hours[0]?.zone ?? "UTC");
    this.#windows = hours.map((window) => ({
      spans: weekSpansOf(window),
      price: withHours(plain, window),
    }));
  }

  at(nowMs: number): ListedPrice {
    const minute = this.#clock.minuteAt(nowMs);
    return this.#windows.find(({ spans }) => isWithin(spans, minute))?.price ?? this.#plain;
  }
}

function withHours(plain: ListedPrice, window: PriceHours): ListedPrice {
  const { inputPercent, outputPercent, amounts } = window;
  const { hours: _, ...listed } = plain;
  const input = (micros: number | null) => times(micros, inputPercent);
  const output = (micros: number | null) => times(micros, outputPercent);
  return {
    ...listed,
    inputMicrosPerMillion: input(plain.inputMicrosPerMillion),
    outputMicrosPerMillion: output(plain.outputMicrosPerMillion),
    cacheReadMicrosPerMillion: input(plain.cacheReadMicrosPerMillion),
    cacheWriteMicrosPerMillion: input(plain.cacheWriteMicrosPerMillion),
    cacheWriteHourMicrosPerMillion: input(plain.cacheWriteHourMicrosPerMillion),
    audioInputMicrosPerMillion: input(plain.audioInputMicrosPerMillion),
    audioOutputMicrosPerMillion: output(plain.audioOutputMicrosPerMillion),
    ...amounts,
  };
}

function times(micros: number | null, percent: number): number | null {
  return micros === null ? null : Math.ceil((micros * percent) / 100);
}
