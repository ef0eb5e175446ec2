// Image tasks that this process works on: so many at once for each channel, the others queued. What
// they ask for is in memory, so the queue is bounded.
import type { Stop, Timers } from "../../../core/clock.ts";
import { GatewayError } from "../../../core/errors.ts";
import type { TaskId } from "../../../core/ids.ts";
import { describe, type Log } from "../../../core/log.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { TaskError } from "../../../tasks/task.ts";
import { ChannelSlots } from "./slots.ts";

interface RunsNeeds {
  timers: Timers;
  log: Log;
  runsPerChannelMax: number;
  /** `waitingBytesMax` is of all bodies in memory. */
  rules: { readonly waitingMax: number; readonly waitingBytesMax: number };
}

/** One task, from its create to its end. */
interface Run {
  id: TaskId;
  /** Bytes it keeps in memory. */
  bytes: number;
  /** Channels it may go to. */
  channels: readonly Channel[];
  /** Called once a channel has room. */
  perform(abort: RunAbort): Promise<void>;
  /** It was never begun, and will not be. */
  drop(why: TaskError): Promise<void>;
}

/** Ends what runs; the first to do so is the one who says why. */
export class RunAbort extends AbortController {
  isLeaving = false;
  #why: TaskError | null = null;

  get why(): TaskError | null {
    return this.#why;
  }

  because(why: TaskError): void {
    this.#why ??= why;
    this.abort();
  }

  /** The process ends: what has not begun is left to the next one. */
  leave(why: TaskError): void {
    this.isLeaving = true;
    this.because(why);
  }
}

interface Known {
  run: Run;
  state: "entered" | "waiting" | "running";
  abort: RunAbort;
  ended: Promise<void>;
  end(): void;
}

/** Channels are also used by others, who tell nobody when they are done. */
const tickMs = 250;

export class ImageRuns {
  readonly slots: ChannelSlots;
  readonly #needs: RunsNeeds;
  readonly #known = new Map<TaskId, Known>();
  readonly #stop: Stop;
  #bytes = 0;
  #closedFor: TaskError | null = null;

  constructor(needs: RunsNeeds) {
    this.#needs = needs;
    this.slots = new ChannelSlots(needs.runsPerChannelMax, () => this.#advance());
    this.#stop = needs.timers.every(tickMs, () => this.#advance());
  }

  /** Takes it in, not to begin yet; throws a 429 when there are too many. */
  enter(run: Run): void {
    const { waitingMax, waitingBytesMax: bytesMax } = this.#needs.rules;
    const waiting = [...this.#known.values()].filter(({ state }) => state !== "running");
    // One alone may be as large as a body may be.
    const isTooLarge = this.#bytes > 0 && this.#bytes + run.bytes > bytesMax;
    if (waiting.length >= waitingMax || isTooLarge) {
      const message = "Too many image tasks are waiting.";
      throw new GatewayError("too_many_requests", { message, retryAfterSeconds: 5 });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = new RunAbort();
    this.#known.set(run.id, { run, state: "entered", abort, ended: promise, end: resolve });
    this.#bytes += run.bytes;
  }

  /** It may begin from now on. */
  begin(id: TaskId): void {
    const known = this.#known.get(id);
    if (!known) return;
    known.state = "waiting";
    if (this.#closedFor) this.leave(id);
    else this.#advance();
  }

  /** It is over. */
  leave(id: TaskId): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#known.delete(id);
    this.#bytes -= known.run.bytes;
    known.end();
  }

  has(id: TaskId): boolean {
    return this.#known.has(id);
  }

  /** Break off a run; one that waits is never begun. */
  async cancel(id: TaskId, why: TaskError): Promise<void> {
    const known = this.#known.get(id);
    if (!known || known.state === "entered") return;
    if (known.state === "running") {
      known.abort.because(why);
      return await known.ended;
    }
    // Nobody may begin it meanwhile.
    known.state = "running";
    await this.#end(known, known.run.drop(why));
  }

  /** Another node has it now: what waits is never begun here. */
  disown(id: TaskId): void {
    if (this.#known.get(id)?.state === "waiting") this.leave(id);
  }

  /** Begins nothing any more. What waits is on record, and is for the next process to begin. */
  stop(why: TaskError): void {
    this.#closedFor = why;
    this.#stop();
    for (const [id, { state }] of this.#known) if (state === "waiting") this.leave(id);
  }

  /** Resolves when nothing runs or waits any more. */
  async drained(): Promise<void> {
    while (this.#known.size > 0) {
      await Promise.all([...this.#known.values()].map(({ ended }) => ended));
    }
  }

  /** Breaks off all that runs. */
  async close(why: TaskError): Promise<void> {
    this.stop(why);
    for (const { abort } of this.#known.values()) abort.leave(why);
    await this.drained();
  }

  #advance(): void {
    if (this.#closedFor) return;
    for (const known of this.#known.values()) {
      const { run, state } = known;
      const hasRoom = () => run.channels.some((channel) => this.#isFree(channel));
      if (state === "waiting" && hasRoom()) this.#start(known);
    }
  }

  #isFree(channel: Channel): boolean {
    return !channel.isSaturated && this.slots.hasRoom(channel);
  }

  #start(known: Known): void {
    known.state = "running";
    void this.#end(known, known.run.perform(known.abort));
  }

  async #end({ run: { id } }: Known, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const fields = { task: id, error: describe(error) };
      this.#needs.log.error("an image task could not be brought to its end", fields);
    } finally {
      this.leave(id);
    }
  }
}
