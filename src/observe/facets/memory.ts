// What was last made of facets: days that are over stay as they are, so that a chart that is looked
// at again is read from the database for today alone.
import type { SlotPoint } from "../slots/reading/sums.ts";

export class FacetMemory {
  readonly #pointsMax: number;
  /** What was asked for last is at the end. */
  readonly #pointsByAsk = new Map<string, readonly SlotPoint[]>();
  #count = 0;

  /** In all, about half a kilobyte each. */
  constructor(pointsMax: number) {
    this.#pointsMax = pointsMax;
  }

  /** The ask says everything that the points depend on. */
  async recall(
    ask: string,
    read: () => Promise<readonly SlotPoint[]>,
  ): Promise<readonly SlotPoint[]> {
    const points = this.#pointsByAsk.get(ask) ?? (await read());
    this.#forget(ask);
    this.#pointsByAsk.set(ask, points);
    this.#count += points.length;
    for (const oldest of this.#pointsByAsk.keys()) {
      if (this.#count <= this.#pointsMax) break;
      this.#forget(oldest);
    }
    return points;
  }

  #forget(ask: string): void {
    this.#count -= this.#pointsByAsk.get(ask)?.length ?? 0;
    this.#pointsByAsk.delete(ask);
  }
}
