// One node of the simulated cluster: the real ledger over simulated time and a simulated network.
import type { Timers } from "../../../src/core/clock.ts";
import { ClusterLedger } from "../../../src/quota/cluster/cluster-ledger.ts";
import { RoundTaker } from "../../../src/quota/cluster/round-taker.ts";
import type { Held } from "../../../src/quota/held.ts";
import type { Reservation } from "../../../src/quota/ledger.ts";
import type { EntryTable } from "../../../src/store/schema.ts";
import { SimulatedTimers, type SimulatedTime } from "../simulated-time.ts";
import type { SharedDatabase } from "./database.ts";
import type { Network } from "./network.ts";

export const ttlMs = 10_000;
const marginMs = 2000;

interface NodeNeeds {
  time: SimulatedTime;
  database: SharedDatabase;
  network: Network;
  nextId(prefix: string): string;
  /** A flaw: what the ledger looks at most often, its unwritten holds, it never looks at. */
  leavesHoldsUnwritten: boolean;
  wrongMovement: WrongMovement | undefined;
  /** Told of an assertion that failed in an answer. */
  asserted(error: unknown): void;
}

export type WrongMovement = (held: Reservation) => void;

const lookMsMax = 200;

class FlawedLedger extends ClusterLedger {
  wrongMovement: WrongMovement | undefined;

  protected override free(held: Held, row: EntryTable): void {
    super.free(held, row);
    this.wrongMovement?.(held);
  }
}

export class SimulatedNode {
  readonly ledger: ClusterLedger;
  readonly taker: RoundTaker;
  readonly timers: SimulatedTimers;
  /** Requests under way. */
  open: Reservation[] = [];
  isAlive = true;
  isFrozen = false;
  readonly #ids: string[] = [];
  #soon: (() => void)[] = [];

  constructor(needs: NodeNeeds) {
    const { time, database, network, nextId, leavesHoldsUnwritten } = needs;
    this.timers = new SimulatedTimers(time);
    const { timers } = this;
    this.taker = new RoundTaker(
      {
        turns: network.port(),
        clock: time,
        timers,
        self: { name: "", version: "" },
        newNodeId: () => this.#note(nextId("node")),
        faulted: () => undefined,
      },
      { ttlMs, marginMs },
    );
    const ledger = new FlawedLedger(
      {
        taker: this.taker,
        clock: time,
        timers: leavesHoldsUnwritten ? seldom(timers) : timers,
        soon: (run) => void this.#soon.push(run),
        bookGrant: async ({ account }, micros) => database.grant(account.id, micros),
        fenced: (error) => {
          this.open = [];
          if (error.message.startsWith("AssertionError")) needs.asserted(error);
        },
      },
      { queueMax: 1000, stallMs: 60_000 },
    );
    ledger.wrongMovement = needs.wrongMovement;
    this.ledger = ledger;
    void this.taker.join();
  }

  /** Every id it has been live under. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** The end of a turn of its event loop. */
  endTurn(): void {
    if (!this.isAlive || this.isFrozen) return;
    const due = this.#soon;
    this.#soon = [];
    for (const run of due) run();
  }

  ring(): void {
    if (this.isAlive && !this.isFrozen) this.timers.ringDue();
  }

  die(): void {
    this.isAlive = false;
    this.timers.stopAll();
    this.#soon = [];
    this.open = [];
    this.taker.end();
  }

  #note(id: string): string {
    this.#ids.push(id);
    return id;
  }
}

function seldom(timers: Timers): Timers {
  return {
    after: (delayMs, run) => timers.after(delayMs, run),
    every: (periodMs, run) => (periodMs > lookMsMax ? timers.every(periodMs, run) : () => {}),
  };
}
