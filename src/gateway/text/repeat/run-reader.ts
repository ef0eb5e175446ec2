// One client's reading of an answer that others may read as well.
import type { ByteSource } from "../../answer.ts";
import type { CallEnding } from "../../open-call.ts";
import type { AnswerRun, Attendant } from "./answer-run.ts";

/** Told once how it ended: the client has it all, or has left. */
type Done = (isLeft: boolean) => void;

export class RunReader implements ByteSource, Attendant, CallEnding {
  readonly #run: AnswerRun;
  readonly #signal: AbortSignal;
  #at = 0;
  #isAsking = false;
  #isLeft = false;
  #shownBytes = 0;
  #ready: (() => void) | null = null;
  #done: Done | null = null;

  constructor(run: AnswerRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
    run.join(this);
    // Look first: a signal that has aborted already tells nobody.
    if (signal.aborted) this.cancel();
    else signal.addEventListener("abort", this);
  }

  get at(): number {
    return this.#at;
  }

  get isHungry(): boolean {
    return this.#isAsking || this.#ready !== null;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  get isWhole(): boolean {
    return this.#run.isWhole;
  }

  get shownBytes(): number {
    return this.#shownBytes;
  }

  /** Replaces whoever was to be told before. */
  whenDone(done: Done): void {
    this.#done = done;
    if (this.#isLeft) this.#finish(true);
  }

  handleEvent(): void {
    this.cancel();
  }

  wake(): void {
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }

  take(ready: () => void): Uint8Array | null | undefined {
    if (this.#isLeft) return null;
    // Nothing is woken that asks at this moment.
    this.#isAsking = true;
    this.#run.pull();
    this.#isAsking = false;
    const piece = this.#next();
    if (piece === undefined) this.#ready = ready;
    else if (piece === null) this.close();
    else {
      this.#at++;
      this.#shownBytes += piece.length;
    }
    return piece;
  }

  #next(): Uint8Array | null | undefined {
    try {
      return this.#run.piece(this.#at);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  cancel(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.close();
    this.wake();
  }

  end(): void {
    this.cancel();
  }

  interrupt(): void {
    this.#run.interrupt();
  }

  /** It has what it came for, or nothing comes. */
  close(): void {
    this.#signal.removeEventListener("abort", this);
    this.#run.leave(this);
    this.#finish(this.#isLeft);
  }

  #finish(isLeft: boolean): void {
    const done = this.#done;
    this.#done = null;
    done?.(isLeft);
  }
}
