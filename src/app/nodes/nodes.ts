// Several nodes on one port of one machine, and who looks after them: each is started, one that
// dies is started again, and at the end all may end what they have begun.
import { sleep, type Clock, type Timers } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";

/** Where one node alone is found, and by what token. */
export interface NodeAddress {
  url: string;
  token: string;
}

export interface NodeProcess {
  readonly exited: Promise<string>;
  signal(name: "SIGTERM" | "SIGHUP"): void;
}

interface NodesNeeds {
  count: number;
  /** `ready` is told once the node serves. */
  spawn(number: number, ready: (address: NodeAddress) => void): NodeProcess;
  /** One was ready, or has ended. */
  changed(): void;
  clock: Clock;
  timers: Timers;
  log: Log;
}

/** One that has served for so long and dies is a new misfortune. */
const settledMs = 60_000;
const pauseMsMin = 500;
const pauseMsMax = 30_000;

interface Place {
  number: number;
  process: NodeProcess | null;
  address: NodeAddress | null;
  /** Deaths in a row. */
  deaths: number;
  readyAtMs: number;
}

export class Nodes {
  readonly #needs: NodesNeeds;
  readonly #places: Place[];
  #isEnding = false;

  constructor(needs: NodesNeeds) {
    this.#needs = needs;
    this.#places = Array.from({ length: needs.count }, (_, at) => {
      return { number: at + 1, process: null, address: null, deaths: 0, readyAtMs: 0 };
    });
  }

  /** Of the first that serves; null while none does. */
  get address(): NodeAddress | null {
    return this.#places.find(({ address }) => address !== null)?.address ?? null;
  }

  /** The first makes what all need; a start that fails ends all. */
  async begin(): Promise<void> {
    const [first, ...others] = this.#places;
    try {
      if (first) await this.#start(first);
      await Promise.all(others.map((place) => this.#start(place)));
    } catch (error) {
      await this.end();
      throw error;
    }
    for (const place of this.#places) void this.#keep(place);
  }

  /** All end what they have begun. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.signal("SIGTERM");
    await Promise.all(this.#places.map(({ process }) => process?.exited));
  }

  signal(name: "SIGTERM" | "SIGHUP"): void {
    for (const { process } of this.#places) process?.signal(name);
  }

  /** Resolves when it serves, and fails when it ends before. */
  async #start(place: Place): Promise<void> {
    const { spawn, clock, changed } = this.#needs;
    const served = Promise.withResolvers<void>();
    const process = spawn(place.number, (address) => {
      place.address = address;
      place.readyAtMs = clock.monotonicMs();
      changed();
      served.resolve();
    });
    place.process = process;
    const ended = process.exited.then((how) => {
      place.process = null;
      place.address = null;
      changed();
      throw new Error(`node ${place.number} did not start: it ended with ${how}`);
    });
    // What becomes of it later is for whoever keeps it to see.
    ended.catch(() => {});
    await Promise.race([served.promise, ended]);
  }

  /** Until the end there is always one in its place. */
  async #keep(place: Place): Promise<void> {
    const { clock, timers, log } = this.#needs;
    for (;;) {
      const how = await place.process?.exited;
      if (this.#isEnding) return;
      const wasSettled = clock.monotonicMs() - place.readyAtMs >= settledMs;
      place.deaths = wasSettled ? 1 : place.deaths + 1;
      const pauseMs = place.deaths === 1 ? 0 : pauseAfter(place.deaths);
      log.error("a node has ended and is started again", { node: place.number, how, pauseMs });
      await sleep(timers, pauseMs);
      if (this.#isEnding) return;
      await this.#start(place).catch(() => {});
    }
  }
}

function pauseAfter(deaths: number): number {
  return Math.min(pauseMsMin * 2 ** (deaths - 2), pauseMsMax);
}
