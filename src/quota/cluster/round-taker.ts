// A node among others: its id, the numbers of its turns, and until when it may act. A turn whose
// answer did not come is sent again under its number, for ever, and counts once.
import { sleep, type Clock, type Timers } from "../../core/clock.ts";
import {
  RoundRefused,
  type NodeSelf,
  type RoundReply,
  type CommitRounds,
} from "../../store/turns.ts";

interface TurnTakerNeeds {
  turns: CommitRounds;
  clock: Clock;
  timers: Timers;
  self: NodeSelf;
  newNodeId(): string;
  /** Told when a turn had to be sent again. */
  faulted(error: unknown): void;
}

interface NodeLease {
  /** Unheard of for so long, others may call it dead. */
  ttlMs: number;
  /** It stops acting so long before. */
  marginMs: number;
}

/** Half of what a waiting request has: it hears of a recall in time even where a notice is lost. */
const heartbeatMsMax = 1000;
/** So many in the time of a lease, however short it is. */
const heartbeatsMin = 4;
const resendMsMin = 10;
const resendMsMax = 250;

export class RoundTaker {
  readonly #needs: TurnTakerNeeds;
  readonly #lease: NodeLease;
  #nodeId = "";
  #seq = 0;
  #actsUntilMs = -Infinity;
  #steadySinceMs = Infinity;
  #sentAtMs = -Infinity;
  #hasEnded = false;

  constructor(needs: TurnTakerNeeds, lease: NodeLease) {
    this.#needs = needs;
    this.#lease = lease;
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  /** A node that has nothing to write takes a turn as often as that. */
  get heartbeatMs(): number {
    return Math.min(heartbeatMsMax, this.#lease.ttlMs / heartbeatsMin);
  }

  /** Until then it has no turns to take. */
  get hasJoined(): boolean {
    return this.#nodeId !== "";
  }

  /** Courtesy: it is the database that refuses a node which others have called dead. */
  get isHeld(): boolean {
    return this.#needs.clock.monotonicMs() < this.#actsUntilMs;
  }

  /** Time of sending the last turn that was answered. */
  get sentAtMs(): number {
    return this.#sentAtMs;
  }

  /** Time that this node may act yet. */
  get leaseMs(): number {
    return Math.max(0, this.#actsUntilMs - this.#needs.clock.monotonicMs());
  }

  /** Time since the last turn was sent that was answered. */
  get silentMs(): number {
    return this.#needs.clock.monotonicMs() - this.#sentAtMs;
  }

  /** After an outage everybody's lease has run out: all get the time to renew it. */
  get mayReap(): boolean {
    const steadyMs = this.#needs.clock.monotonicMs() - this.#steadySinceMs;
    return this.isHeld && steadyMs >= this.#lease.ttlMs;
  }

  async join(): Promise<void> {
    const { turns, clock, newNodeId, self } = this.#needs;
    this.#actsUntilMs = -Infinity;
    for (let attempt = 0; !this.#hasEnded; attempt++) {
      const sentAtMs = clock.monotonicMs();
      const nodeId = newNodeId();
      try {
        await turns.join(nodeId, this.#lease.ttlMs, self);
        this.#nodeId = nodeId;
        this.#seq = 0;
        this.#steadySinceMs = clock.monotonicMs();
        this.#extend(sentAtMs);
        return;
      } catch (error) {
        await this.#rest(attempt, error);
      }
    }
  }

  /** Fails only with what will never be taken. */
  async take(document: string, logged: string | undefined): Promise<RoundReply> {
    const { turns, clock } = this.#needs;
    const { ttlMs } = this.#lease;
    const turn = { node: this.#nodeId, seq: ++this.#seq, ttlMs, document, logged };
    for (let attempt = 0; ; attempt++) {
      const sentAtMs = clock.monotonicMs();
      try {
        const reply = await turns.take(turn);
        if (attempt > 0) this.#steadySinceMs = clock.monotonicMs();
        this.#extend(sentAtMs);
        return reply;
      } catch (error) {
        if (error instanceof RoundRefused) throw error;
        if (this.#hasEnded) throw new RoundRefused("fenced", "the node has ended");
        this.#steadySinceMs = Infinity;
        await this.#rest(attempt, error);
      }
    }
  }

  /** For good: nothing is sent again. */
  end(): void {
    this.#hasEnded = true;
  }

  #extend(sentAtMs: number): void {
    const { ttlMs, marginMs } = this.#lease;
    this.#sentAtMs = sentAtMs;
    this.#actsUntilMs = Math.max(this.#actsUntilMs, sentAtMs + ttlMs - marginMs);
    if (this.#steadySinceMs === Infinity) this.#steadySinceMs = this.#needs.clock.monotonicMs();
  }

  async #rest(attempt: number, error: unknown): Promise<void> {
    this.#needs.faulted(error);
    await sleep(this.#needs.timers, Math.min(resendMsMin * 2 ** attempt, resendMsMax));
  }
}
