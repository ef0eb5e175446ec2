// Room for one piece of long work at a time: who is in it, how far it is, and how it ended.
import type { WorkProgress } from "../../admin/progress.ts";
import type { Clock, Stop, Timers } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";

interface SlotNeeds {
  clock: Clock;
  timers: Timers;
  /** Words for whoever wants a second one. */
  busy: string;
  /** The longest that it may take, and how people say that. */
  most: { ms: number; words: string };
}

interface Begun<Kind> {
  kind: Kind;
  name: string;
  stepsTotal: number;
  /** Lets go of what does it, however it ends. */
  end(): void;
  /** Removes what it leaves where it fails. */
  failed(): void;
}

export class WorkSlot<Kind extends string, Step extends string, Result> {
  readonly #needs: SlotNeeds;
  #work: WorkProgress<Kind, Step, Result> | null = null;
  #begun: Begun<Kind> | null = null;
  #stopWaiting: Stop = () => {};

  constructor(needs: SlotNeeds) {
    this.#needs = needs;
  }

  /** The one that runs, or else the last. */
  get work(): WorkProgress<Kind, Step, Result> | null {
    return this.#work;
  }

  get isBusy(): boolean {
    return this.#begun !== null;
  }

  assertIdle(): void {
    if (this.isBusy) throw new GatewayError("conflict", { message: this.#needs.busy });
  }

  begin(begun: Begun<Kind>): WorkProgress<Kind, Step, Result> {
    this.assertIdle();
    const { clock, timers, most } = this.#needs;
    this.#begun = begun;
    this.#work = {
      kind: begun.kind,
      name: begun.name,
      step: null,
      stepsDone: 0,
      stepsTotal: begun.stepsTotal,
      startedAtMs: clock.nowMs(),
      endedAtMs: null,
      result: null,
      problem: null,
    };
    this.#stopWaiting = timers.after(most.ms, () => this.fail(`it took more than ${most.words}`));
    return this.#work;
  }

  toStep(step: Step): void {
    const work = this.#work;
    if (!work || !this.isBusy) return;
    if (work.step !== null) work.stepsDone++;
    work.step = step;
  }

  done(result: Result): void {
    if (!this.#work || !this.isBusy) return;
    this.#work.result = result;
    this.#work.stepsDone = this.#work.stepsTotal;
    this.#end();
  }

  fail(problem: string): void {
    if (!this.#work || !this.#begun) return;
    const { failed } = this.#begun;
    this.#work.problem = problem;
    this.#end();
    failed();
  }

  /** Gives up what runs. */
  close(): void {
    this.fail("the gateway was stopped");
  }

  #end(): void {
    if (!this.#work || !this.#begun) return;
    this.#work.endedAtMs = this.#needs.clock.nowMs();
    this.#work.step = null;
    this.#stopWaiting();
    this.#begun.end();
    this.#begun = null;
  }
}
