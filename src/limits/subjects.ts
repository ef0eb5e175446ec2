// State of each limited subject. A subject with full buckets and nothing in flight equals one that
// was never seen, so forgetting it is exact; that is how the tables stay bounded.
import { assert } from "../core/assert.ts";
import { Bucket } from "../core/rate/bucket.ts";
import {
  limitScopes,
  ruleOfOne,
  type LimitRule,
  type LimitScope,
  type LimitSubject,
} from "./rule.ts";

const examinedPerTrim = 8;
const wallFactor = 2;

/** The taken part of a minute's allowance. */
export interface Taken {
  requests: number;
  tokens: number;
  in_flight: number;
}

export class SubjectState {
  inFlight = 0;
  concurrency: number | null = null;
  requests: Bucket | null = null;
  tokens: Bucket | null = null;

  /** Brings the buckets to the present time and to the rule of today. */
  update(rule: LimitRule, nowMs: number, nodes: number = 1): void {
    const { concurrency, requestsPerMinute, tokensPerMinute } =
      nodes === 1 ? rule : ruleOfOne(rule, nodes);
    if (this.concurrency !== concurrency) this.concurrency = checked(concurrency);
    this.requests = adjust(this.requests, requestsPerMinute, nowMs);
    this.tokens = adjust(this.tokens, tokensPerMinute, nowMs);
  }

  taken(nowMs: number): Taken {
    this.requests?.refill(nowMs);
    this.tokens?.refill(nowMs);
    return {
      requests: this.requests?.taken ?? 0,
      tokens: this.tokens?.taken ?? 0,
      in_flight: this.inFlight,
    };
  }

  isIdle(nowMs: number): boolean {
    if (this.inFlight > 0) return false;
    this.requests?.refill(nowMs);
    this.tokens?.refill(nowMs);
    return this.requests?.isUntouched !== false && this.tokens?.isUntouched !== false;
  }
}

function checked(concurrency: number | null): number | null {
  const isUsable = concurrency === null || (Number.isSafeInteger(concurrency) && concurrency >= 0);
  assert(isUsable, `not a concurrency limit: ${concurrency}`);
  return concurrency;
}

function adjust(bucket: Bucket | null, perMinute: number | null, nowMs: number): Bucket | null {
  if (perMinute === null) return null;
  if (bucket === null) return new Bucket(perMinute, nowMs);
  bucket.refill(nowMs);
  if (bucket.perMinute !== perMinute) bucket.rescale(perMinute);
  return bucket;
}

export class Subjects {
  readonly #tables: Readonly<Record<LimitScope, Table>>;

  /** The cap holds for each scope by itself, so that a flood of keys cannot push out a group. */
  constructor(subjectsMax: number) {
    this.#tables = {
      key: new Table(subjectsMax),
      member: new Table(subjectsMax),
      project: new Table(subjectsMax),
      account: new Table(subjectsMax),
      group: new Table(subjectsMax),
    };
  }

  get size(): number {
    return limitScopes.reduce((sum, scope) => sum + this.#tables[scope].size, 0);
  }

  open(subject: LimitSubject, nowMs: number, nodes: number = 1): SubjectState {
    return this.#tables[subject.scope].open(subject, nowMs, nodes);
  }

  /** Spending may come long after the release, when the subject was forgotten and is new again. */
  spend(subject: LimitSubject, tokens: number, nowMs: number, nodes: number = 1): void {
    const table = this.#tables[subject.scope];
    const bucket = (table.find(subject.id) ?? table.open(subject, nowMs, nodes)).tokens;
    bucket?.refill(nowMs);
    bucket?.take(tokens);
  }

  look(scope: LimitScope, id: string, nowMs: number): Taken | null {
    return this.#tables[scope].find(id)?.taken(nowMs) ?? null;
  }

  trim(nowMs: number): void {
    for (const scope of limitScopes) this.#tables[scope].trim(nowMs);
  }
}

class Table {
  readonly #states = new Map<string, SubjectState>();
  readonly #statesMax: number;
  #hand = this.#states.entries();

  constructor(statesMax: number) {
    this.#statesMax = statesMax;
  }

  get size(): number {
    return this.#states.size;
  }

  find(id: string): SubjectState | undefined {
    return this.#states.get(id);
  }

  open({ id, rule }: LimitSubject, nowMs: number, nodes: number): SubjectState {
    const known = this.#states.get(id);
    const state = known ?? new SubjectState();
    state.update(rule, nowMs, nodes);
    if (known === undefined) this.#states.set(id, state);
    return state;
  }

  /**
   * A hand goes round and looks at a few subjects per admission, which costs the same however many
   * there are. Idle ones go past the cap. At twice the cap those without a request in flight go
   * too: a fresh bucket for them is the lesser evil against growing without bound.
   */
  trim(nowMs: number): void {
    for (let seen = 0; seen < examinedPerTrim && this.#states.size > this.#statesMax; seen++) {
      const next = this.#hand.next();
      if (next.done) {
        this.#hand = this.#states.entries();
        continue;
      }
      const [id, state] = next.value;
      const isAtWall = this.#states.size > this.#statesMax * wallFactor;
      if (state.isIdle(nowMs) || (isAtWall && state.inFlight === 0)) this.#states.delete(id);
    }
  }
}
