// Labels that have a window of their own on a day: a program makes them up, so they are bounded.
import { dayOf } from "../../core/day.ts";

export const ownLabelsMax = 1000;
/** All those that come when there are so many. */
export const otherLabel = "other";

export class DayLabels {
  #day = -1;
  readonly #labels = new Set<string>();

  /** The label, or that of all others. */
  admit(label: string, nowMs: number): string {
    const day = dayOf(nowMs);
    if (day !== this.#day) this.#labels.clear();
    this.#day = day;
    if (this.#labels.has(label)) return label;
    if (this.#labels.size >= ownLabelsMax) return otherLabel;
    this.#labels.add(label);
    return label;
  }
}
