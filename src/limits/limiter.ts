// Admits a request by the limits of its key, its account and its group at once. A refusal takes
// nothing from any of them. Everything is decided in memory, without a timer.
import { assert } from "../core/assert.ts";
import type { Clock } from "../core/clock.ts";
import { noHeaders, renderHeaders, type LimitHeaders } from "./headers.ts";
import { findRefusal, LimitError, longer, type Refusal } from "./refusal.ts";
import { isLimited, type LimitScope, type LimitSubject } from "./rule.ts";
import { Subjects, type SubjectState, type Taken } from "./subjects.ts";

export interface Admission {
  /** x-ratelimit-* as of the admission; empty when no limit per minute is set. */
  readonly headers: LimitHeaders;
  /** Ends the request. Idempotent: a second call does nothing. */
  release(): void;
  /** Ends it as if it had never been admitted: it was refused by what was known later. */
  cancel(): void;
  /** Takes the tokens that were used. */
  spend(tokens: number): void;
}

/** Throws the 429 of what takes longest to pass. */
export interface Limits {
  /** Null where somebody has to be asked first. */
  tryAdmit(subjects: readonly LimitSubject[]): Admission | null;
  admit(subjects: readonly LimitSubject[]): Promise<Admission>;
  /** The taken part of a subject's limits now; null where it is not known here. */
  look(scope: LimitScope, id: string): Taken | null;
}

const subjectsMaxDefault = 100_000;

const unlimited: Admission = Object.freeze({
  headers: noHeaders,
  release() {},
  cancel() {},
  spend() {},
});

const alone = () => 1;

export class Limiter implements Limits {
  readonly #needs: LimitNeeds;

  /** Nodes that cannot ask each other have equal shares of every limit. */
  constructor(
    clock: Clock,
    subjectsMax: number = subjectsMaxDefault,
    liveNodes: () => number = alone,
  ) {
    this.#needs = { clock, subjects: new Subjects(subjectsMax), liveNodes };
  }

  /** The count of subjects remembered. */
  get size(): number {
    return this.#needs.subjects.size;
  }

  /** The taken part of a subject's limits now; null where it is not remembered. */
  look(scope: LimitScope, id: string): Taken | null {
    const { clock, subjects } = this.#needs;
    return subjects.look(scope, id, wholeNowMs(clock));
  }

  /** Throws the 429 of the limit that takes longest to pass. Each subject may be named once. */
  tryAdmit(subjects: readonly LimitSubject[]): Admission {
    if (!hasLimit(subjects)) return unlimited;
    const { clock, subjects: known, liveNodes } = this.#needs;
    const nowMs = wholeNowMs(clock);
    const nodes = liveNodes();
    known.trim(nowMs);
    const states: SubjectState[] = [];
    let refusal: Refusal | null = null;
    for (const subject of subjects) {
      if (!isLimited(subject.rule)) continue;
      const state = known.open(subject, nowMs, nodes);
      refusal = longer(refusal, findRefusal(subject, state));
      states.push(state);
    }
    if (refusal !== null) throw new LimitError(refusal, renderHeaders(states));
    return new Granted(this.#needs, subjects, states);
  }

  async admit(subjects: readonly LimitSubject[]): Promise<Admission> {
    return this.tryAdmit(subjects);
  }
}

interface LimitNeeds {
  clock: Clock;
  subjects: Subjects;
  liveNodes(): number;
}

class Granted implements Admission {
  readonly headers: LimitHeaders;
  readonly #needs: LimitNeeds;
  readonly #subjects: readonly LimitSubject[];
  readonly #states: readonly SubjectState[];
  #isReleased = false;

  constructor(
    needs: LimitNeeds,
    subjects: readonly LimitSubject[],
    states: readonly SubjectState[],
  ) {
    this.#needs = needs;
    this.#subjects = subjects;
    this.#states = states;
    for (const state of states) {
      state.inFlight += 1;
      state.requests?.take(1);
    }
    this.headers = renderHeaders(states);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    for (const state of this.#states) state.inFlight -= 1;
  }

  cancel(): void {
    if (this.#isReleased) return;
    for (const state of this.#states) state.requests?.give(1);
    this.release();
  }

  spend(tokens: number): void {
    assert(isCount(tokens), "tokens are a count");
    const { clock, subjects, liveNodes } = this.#needs;
    const nowMs = wholeNowMs(clock);
    for (const subject of this.#subjects) {
      if (subject.rule.tokensPerMinute === null) continue;
      subjects.spend(subject, tokens, nowMs, liveNodes());
    }
  }
}

function hasLimit(subjects: readonly LimitSubject[]): boolean {
  for (const subject of subjects) if (isLimited(subject.rule)) return true;
  return false;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Whole milliseconds keep the buckets exact. */
function wholeNowMs(clock: Clock): number {
  return Math.floor(clock.monotonicMs());
}
