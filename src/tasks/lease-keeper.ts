// Keeps the node's lease on its tasks: renews it, takes over what dead nodes left, notices what
// others have taken over from this one, and lets go at the end. One statement each.
import { sleep, type Clock, type Stop, type Timers } from "../core/clock.ts";
import type { TaskId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Database } from "../store/database.ts";
import type { TaskBook } from "./book.ts";
import type { Lease } from "./lease.ts";
import { claimTasks, readTasks, releaseTasks, renewTasks } from "./queries.ts";
import { isTerminal, type Task } from "./task.ts";

interface LeaseKeeperNeeds {
  lease: Lease;
  book: TaskBook;
  database: Database;
  clock: Clock;
  timers: Timers;
  log: Log;
  /** Told of tasks that are this node's from now on. */
  taken(tasks: Task[]): Promise<void>;
}

const tickMs = 500;
const claimMs = 5000;
/** Others shall have some too. */
const claimedMax = 100;
const restMs = 2000;
const closeMsMax = 5000;

export class LeaseKeeper {
  readonly #needs: LeaseKeeperNeeds;
  readonly #stop: Stop;
  #working: Promise<unknown> | null = null;
  #claimAtMs = 0;
  #restUntilMs = 0;

  constructor(needs: LeaseKeeperNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(tickMs, () => this.#tick());
  }

  /** Takes what no other node looks after: all there is, where there can be no other. */
  async claim(): Promise<Task[]> {
    const { lease, book, database, clock } = this.#needs;
    this.#claimAtMs = clock.monotonicMs() + claimMs;
    // After a lapse some are still this node's by name, and no longer in its book.
    const hasLapsed = !lease.isHeld;
    const renewal = lease.renew();
    const rows = await claimTasks(database, {
      owner: lease.owner,
      untilMs: renewal.untilMs,
      expiredMs: lease.isSole ? Number.MAX_SAFE_INTEGER : clock.nowMs(),
      withOwn: hasLapsed,
      // Those that a lapse has left here are all looked at again.
      limit: lease.isSole || hasLapsed ? null : claimedMax,
    });
    // There may be more.
    if (!lease.isSole && rows.length === claimedMax) this.#claimAtMs = 0;
    if (hasLapsed) renewal.written();
    const tasks = await book.adopt(rows);
    if (tasks.length > 0) await this.#needs.taken(tasks);
    return tasks;
  }

  /** Lets go of everything, so that others need not wait for the lease to run out. */
  async release(): Promise<void> {
    const { lease, book, database, timers, log } = this.#needs;
    this.#stop();
    await this.#working;
    lease.end();
    // A write that came after the release would find that the task is not this node's any more.
    const isSafe = await Promise.race([
      book.allSettled().then(() => true),
      sleep(timers, closeMsMax).then(() => false),
    ]);
    if (!isSafe) return;
    await releaseTasks(database, lease.owner).catch((error: unknown) => {
      // The lease runs out by itself.
      log.warn("tasks could not be let go of", { error: describe(error) });
    });
  }

  #tick(): void {
    if (this.#working || this.#needs.clock.monotonicMs() < this.#restUntilMs) return;
    const work = this.#next();
    if (!work) return;
    this.#working = work
      .catch((error: unknown) => {
        this.#restUntilMs = this.#needs.clock.monotonicMs() + restMs;
        this.#needs.log.error("the lease on tasks could not be kept", { error: describe(error) });
      })
      .finally(() => {
        this.#working = null;
      });
  }

  #next(): Promise<unknown> | null {
    const { lease, clock } = this.#needs;
    if (!lease.isHeld) return this.#regain();
    if (lease.isDue) return this.#renew();
    if (!lease.isSole && clock.monotonicMs() >= this.#claimAtMs) return this.claim();
    return null;
  }

  /** Read the tasks anew: others may know them better by now than this node did. */
  async #regain(): Promise<void> {
    const { book, log } = this.#needs;
    const ids = book.settledIds();
    log.warn("the lease on tasks was not renewed in time", { tasks: ids.length });
    book.forget(ids);
    await this.claim();
  }

  async #renew(): Promise<void> {
    const { lease, book, database, log } = this.#needs;
    const ids = book.settledIds();
    const renewal = lease.renew();
    const renewed = await renewTasks(database, lease.owner, renewal.untilMs);
    renewal.written();
    if (!lease.isSole) await this.#adoptUnknown(renewed);
    const lost = ids.filter((id) => !renewed.has(id) && book.peek(id) !== null);
    if (lost.length === 0) return;
    log.warn("another node has taken tasks over", { tasks: lost.length });
    book.forget(lost);
  }

  /** Taken by name, and never heard of: the answer was lost. Nobody else would look after them. */
  async #adoptUnknown(renewed: ReadonlySet<TaskId>): Promise<void> {
    const { lease, book, database } = this.#needs;
    const unknown = [...renewed].filter((id) => !book.isOpen(id));
    if (unknown.length === 0) return;
    const rows = await readTasks(database, unknown);
    const own = rows.filter(({ state, owner }) => !isTerminal(state) && owner === lease.owner);
    const tasks = await book.adopt(own);
    if (tasks.length > 0) await this.#needs.taken(tasks);
  }
}
