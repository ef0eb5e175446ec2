// A semaphore for each channel: who finds no place waits in line.
import type { ChannelId } from "../../../core/ids.ts";
import type { Channel } from "../../../distribution/channel.ts";

/** Gives the place up again; idempotent. */
type Release = () => void;

interface Lane {
  taken: number;
  waiting: Set<() => void>;
}

export class ChannelSlots {
  readonly #perChannelMax: number;
  readonly #lanes = new Map<ChannelId, Lane>();
  readonly #freed: () => void;

  /** `freed` is told when there is a place that nobody waits for. */
  constructor(perChannelMax: number, freed: () => void) {
    this.#perChannelMax = perChannelMax;
    this.#freed = freed;
  }

  hasRoom({ settings: { id } }: Channel): boolean {
    return (this.#lanes.get(id)?.taken ?? 0) < this.#perChannelMax;
  }

  /** Null when it was not worth waiting any longer. */
  async take({ settings: { id } }: Channel, signal: AbortSignal): Promise<Release | null> {
    const lane = this.#lane(id);
    if (lane.taken < this.#perChannelMax) lane.taken++;
    else if (!(await waitIn(lane, signal))) return null;
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release(id, lane);
      isReleased = true;
    };
  }

  #lane(id: ChannelId): Lane {
    let lane = this.#lanes.get(id);
    if (!lane) this.#lanes.set(id, (lane = { taken: 0, waiting: new Set() }));
    return lane;
  }

  #release(id: ChannelId, lane: Lane): void {
    const [next] = lane.waiting;
    // The place goes on to the one who has waited longest.
    if (next) return next();
    lane.taken--;
    if (lane.taken === 0) this.#lanes.delete(id);
    this.#freed();
  }
}

/** True with a place, false when the signal came first. */
function waitIn({ waiting }: Lane, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasPlace: boolean) => {
      waiting.delete(go);
      signal.removeEventListener("abort", leave);
      resolve(hasPlace);
    };
    const go = () => end(true);
    const leave = () => end(false);
    waiting.add(go);
    signal.addEventListener("abort", leave);
  });
}
