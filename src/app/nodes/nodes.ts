// Several nodes on one port of one machine, and who looks after them: each is started, one that
// dies is started again, and at the end all may end what they have begun.
import { sleep, type Clock, type Timers } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";

/** Address of one node alone, and its token. */
export interface NodeAddress {
  url: string;
  token: string;
}

export interface NodeProcess {
  readonly exited: Promise<string>;
  signal(name: "SIGTERM" | "SIGHUP"): void;
}

/** Reports of a node about its start. */
export interface NodeNews {
  /** The database has answered it. */
  reached(): void;
  /** It serves. */
  ready(address: NodeAddress): void;
}

interface NodesNeeds {
  count: number;
  spawn(number: number, news: NodeNews): NodeProcess;
  /** One was ready, or has ended. */
  changed(): void;
  clock: Clock;
  timers: Timers;
  log: Log;
}

/** With this a node ends whose start failed because the database is away, as sysexits.h has it. */
export const awayCode = 75;

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
  /** The database was there: if it is away now, it comes back. */
  #isReached = false;
  #isEnding = false;

  constructor(needs: NodesNeeds) {
    this.#needs = needs;
    this.#places = Array.from({ length: needs.count }, (_, at) => {
      return { number: at + 1, process: null, address: null, deaths: 0, readyAtMs: 0 };
    });
  }

  /** Address of the first node that serves; null while none does. */
  get address(): NodeAddress | null {
    return this.#places.find(({ address }) => address !== null)?.address ?? null;
  }

  /**
   * The first makes what all need. A start that fails ends all, but for one that lost its database
   * on the way: it is made again, as is one that dies later.
   */
  async begin(): Promise<void> {
    const [first, ...others] = this.#places;
    try {
      if (first) await this.#begin(first);
      await Promise.all(others.map((place) => this.#begin(place)));
    } catch (error) {
      await this.end();
      throw error;
    }
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

  /** Resolves when it serves for the first time, and is kept from there on. */
  async #begin(place: Place): Promise<void> {
    while (!this.#isEnding) {
      const how = await this.#start(place);
      if (how === null) return void this.#keep(place);
      if (this.#isEnding) return;
      if (!this.#isReached || how !== `code ${awayCode}`) {
        throw new Error(`node ${place.number} did not start: it ended with ${how}`);
      }
      await this.#rest(place, how);
    }
  }

  /** Null when it serves; how it ended, when it did before. */
  async #start(place: Place): Promise<string | null> {
    const { spawn, clock, changed } = this.#needs;
    const served = Promise.withResolvers<null>();
    const process = spawn(place.number, {
      reached: () => {
        this.#isReached = true;
      },
      ready(address) {
        place.address = address;
        place.readyAtMs = clock.monotonicMs();
        changed();
        served.resolve(null);
      },
    });
    place.process = process;
    const ended = process.exited.then((how) => {
      place.process = null;
      place.address = null;
      changed();
      return how;
    });
    return await Promise.race([served.promise, ended]);
  }

  /** Until the end there is always one in its place. */
  async #keep(place: Place): Promise<void> {
    for (;;) {
      const how = (await place.process?.exited) ?? "an end before";
      if (this.#isEnding) return;
      await this.#rest(place, how);
      if (this.#isEnding) return;
      await this.#start(place);
    }
  }

  /** At a growing pace while it does not stay. */
  async #rest(place: Place, how: string): Promise<void> {
    const { clock, timers, log } = this.#needs;
    const wasSettled = clock.monotonicMs() - place.readyAtMs >= settledMs;
    place.deaths = wasSettled ? 1 : place.deaths + 1;
    const pauseMs = place.deaths === 1 ? 0 : pauseAfter(place.deaths);
    log.error("a node has ended and is started again", { node: place.number, how, pauseMs });
    await sleep(timers, pauseMs);
  }
}

function pauseAfter(deaths: number): number {
  return Math.min(pauseMsMin * 2 ** (deaths - 2), pauseMsMax);
}
