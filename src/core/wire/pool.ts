// Connections that have carried something and may carry more. The one that rested last goes first,
// so that those which are not needed grow old and are closed.
import { systemTimers, type Timers } from "../clock.ts";
import type { WireConnection, Keeper } from "./wire-connection.ts";

const sweepMs = 10_000;
/** Something between two machines may forget a connection that is quiet for longer. */
const sweepsMax = 3;
const restingMax = 1024;

export class Pool implements Keeper {
  readonly #resting = new Map<string, WireConnection[]>();

  constructor(timers: Timers = systemTimers) {
    timers.every(sweepMs, () => this.#sweep());
  }

  take(key: string): WireConnection | undefined {
    return this.#resting.get(key)?.pop();
  }

  keep(connection: WireConnection): void {
    const { key } = connection;
    let resting = this.#resting.get(key);
    if (!resting) this.#resting.set(key, (resting = []));
    if (resting.length >= restingMax) return connection.drop();
    resting.push(connection);
    connection.rest(this);
  }

  lost(connection: WireConnection): void {
    const resting = this.#resting.get(connection.key);
    const at = resting?.indexOf(connection) ?? -1;
    if (at !== -1) resting?.splice(at, 1);
  }

  #sweep(): void {
    for (const [key, resting] of this.#resting) {
      const young = resting.filter((connection) => ++connection.sweeps <= sweepsMax);
      if (young.length > 0) this.#resting.set(key, young);
      else this.#resting.delete(key);
      for (const connection of resting) if (connection.sweeps > sweepsMax) connection.drop();
    }
  }
}
