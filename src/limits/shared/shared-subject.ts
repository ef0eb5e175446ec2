// This node's loan of one subject's limits, and its share while nothing can be lent. All of it is
// decided in memory; who asks, and when, is the limiter's affair.
import type { Gauge } from "../headers.ts";
import { longer, refusals, type Refusal } from "../refusal.ts";
import type { LimitRule, LimitScope, LimitSubject } from "../rule.ts";
import { KnownLevel } from "./known-level.ts";
import type { LeaseAsk, LeaseMemory, LeaseReply } from "./lease-script.ts";
import { NodeShare, placesOf } from "./node-share.ts";

/** "ask": only the common count can tell. */
type Verdict = Refusal | "ask" | null;

/** The node's standing with the common count. */
export interface LimitStanding {
  isUp: boolean;
  epoch: number;
  /** Until then a count that a loss may have emptied is not gone by: others are yet to tell. */
  settlesAtMs: number;
  /** The count of nodes that share the limits where nothing can be lent, and this one's number. */
  nodes: number;
  rank: number;
}

/** A node is lent a tenth of a second's worth of a minute at a time. */
const chunksPerMinute = 600;
/** Age up to which others' use of the tokens counts as known; past it one asks before admitting. */
const tokensAgeMsMax = 1000;
const blockMsMax = 1000;
/** Long enough for all who waited for the answer to hear it. */
const shortMs = 5;
const longAgoMs = 1e12;

export class SharedSubject {
  readonly scope: LimitScope;
  readonly id: string;
  readonly of?: string;
  rule: LimitRule;
  inFlight = 0;
  /** Those who wait for an answer to a question about this subject. */
  waiting = 0;
  asking: Promise<void> | null = null;
  usedAtMs = 0;
  askedAtMs = -longAgoMs;
  isContested = false;
  #epoch = -1;
  #lent = 0;
  #left = 0;
  #blockedUntilMs = 0;
  #tokensLeft = 0;
  #isLevelKnown = false;
  #tokensUsed = 0;
  #tokensBlockedUntilMs = 0;
  #places = 0;
  #shortUntilMs = 0;
  #admittedAtMs = -longAgoMs;
  #admittedAlone = 0;
  #refilledAtMs = 0;
  #alone: { requests: NodeShare; tokens: NodeShare } | null = null;
  /** The common count is back, and may have been emptied. */
  #isMemoryDue = false;
  readonly #requestsKnown = new KnownLevel();
  readonly #tokensKnown = new KnownLevel();

  constructor({ scope, id, of, rule }: LimitSubject) {
    if (of !== undefined) this.of = of;
    this.scope = scope;
    this.id = id;
    this.rule = rule;
  }

  /** To be called before all else: what was lent before a loss, or decided alone, is over. */
  enter(standing: LimitStanding, nowMs: number): void {
    const isGoneBy = standing.isUp && nowMs >= standing.settlesAtMs;
    if (this.#epoch !== standing.epoch) {
      this.#isMemoryDue = standing.isUp && (!isGoneBy || this.remembers(nowMs));
      this.#epoch = standing.epoch;
      this.askedAtMs = -longAgoMs;
      this.#blockedUntilMs = 0;
      this.#tokensBlockedUntilMs = 0;
      this.#shortUntilMs = 0;
      this.#places = 0;
      if (!isGoneBy) this.#beginAlone(standing.nodes, nowMs);
    }
    if (isGoneBy && this.#alone) {
      this.#refillAlone(standing.nodes, nowMs);
      this.#alone = null;
    }
  }

  /** Refill what was used alone at the common rate: a new common count is told the rest. */
  #refillAlone(nodes: number, nowMs: number): void {
    const { requestsPerMinute, tokensPerMinute } = this.rule;
    const minutes = (nowMs - this.#refilledAtMs) / 60_000 / nodes;
    this.#refilledAtMs = nowMs;
    const requests = (requestsPerMinute ?? 0) * minutes;
    this.#admittedAlone = Math.max(0, this.#admittedAlone - requests);
    this.#tokensUsed = Math.max(0, this.#tokensUsed - (tokensPerMinute ?? 0) * minutes);
  }

  #beginAlone(nodes: number, nowMs: number): void {
    if (this.#alone) return;
    this.#refilledAtMs = nowMs;
    const perMinute = (this.rule.requestsPerMinute ?? 0) / nodes;
    const past = { idleMs: nowMs - this.#admittedAtMs, left: this.#left / nodes };
    this.#alone = {
      requests: NodeShare.ofRequests(perMinute, past, nowMs),
      tokens: new NodeShare(this.#isLevelKnown ? Math.min(1, this.#tokensLevel) : 1, nowMs),
    };
  }

  get #tokensLevel(): number {
    return this.#tokensLeft - this.#tokensUsed;
  }

  verdict(standing: LimitStanding, nowMs: number): Verdict {
    if (!this.#alone) return this.#verdictLent(nowMs);
    // Telling what it remembers, it may hear that nothing was lost.
    if (this.#isMemoryDue) return "ask";
    return this.#verdictAlone(this.#alone, standing, nowMs);
  }

  #verdictLent(nowMs: number): Verdict {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.rule;
    let worst: Refusal | null = null;
    let isUnknown = false;
    if (concurrency !== null && this.inFlight >= this.#places) {
      if (nowMs >= this.#shortUntilMs) isUnknown = true;
      else worst = refusals.concurrency(this, concurrency);
    }
    if (requestsPerMinute !== null && this.#lent < 1) {
      const waitMs = this.#blockedUntilMs - nowMs;
      if (waitMs <= 0) isUnknown = true;
      else worst = longer(worst, refusals.requests(this, requestsPerMinute, waitMs));
    }
    if (tokensPerMinute !== null) {
      const waitMs = this.#tokensBlockedUntilMs - nowMs;
      const isSpent = this.#tokensLevel <= 0;
      if (isSpent && waitMs > 0)
        worst = longer(worst, refusals.tokens(this, tokensPerMinute, waitMs));
      else if (isSpent || nowMs - this.askedAtMs > tokensAgeMsMax) isUnknown = true;
    }
    return worst ?? (isUnknown ? "ask" : null);
  }

  #verdictAlone(
    alone: { requests: NodeShare; tokens: NodeShare },
    { nodes, rank }: LimitStanding,
    nowMs: number,
  ): Refusal | null {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.rule;
    this.#refillAlone(nodes, nowMs);
    let worst: Refusal | null = null;
    if (concurrency !== null && this.inFlight >= placesOf(concurrency, nodes, rank)) {
      worst = refusals.concurrency(this, concurrency);
    }
    if (requestsPerMinute !== null) {
      alone.requests.refill(requestsPerMinute / nodes, nowMs);
      const waitMs = this.#lent >= 1 ? 0 : alone.requests.waitMs(1, requestsPerMinute / nodes);
      if (waitMs > 0) worst = longer(worst, refusals.requests(this, requestsPerMinute, waitMs));
    }
    if (tokensPerMinute !== null) {
      alone.tokens.refill(tokensPerMinute / nodes, nowMs);
      const waitMs = alone.tokens.waitMs(1 / 1000, tokensPerMinute / nodes);
      if (waitMs > 0) worst = longer(worst, refusals.tokens(this, tokensPerMinute, waitMs));
    }
    return worst;
  }

  /** Only after a verdict of null. */
  take(nowMs: number): void {
    this.inFlight += 1;
    this.#admittedAtMs = nowMs;
    if (this.rule.requestsPerMinute === null) return;
    if (this.#lent >= 1) this.#lent -= 1;
    else {
      this.#alone?.requests.take(1);
      this.#admittedAlone += 1;
      this.#requestsKnown.take(1);
    }
  }

  /** Takes an admission back; one that was not lent stays, so that never too much is admitted. */
  giveBack(): void {
    if (this.rule.requestsPerMinute !== null && !this.#alone) this.#lent += 1;
  }

  release(): void {
    this.inFlight -= 1;
    this.#shortUntilMs = 0;
  }

  spend(tokens: number): void {
    this.#tokensUsed += tokens;
    this.#tokensKnown.take(tokens);
    this.#alone?.tokens.take(tokens);
  }

  /** True where the next admission would have to wait for what could be there by then. */
  isRunningLow(nowMs: number): boolean {
    const { requestsPerMinute } = this.rule;
    if (requestsPerMinute === null || nowMs < this.#blockedUntilMs) return false;
    const chunk = chunkOf(requestsPerMinute);
    return chunk >= 4 && this.#lent < chunk / 4;
  }

  get hasSpare(): boolean {
    return this.#places > this.inFlight + this.waiting;
  }

  /** Something that others want to know of. */
  get hasNews(): boolean {
    return this.hasSpare || this.#tokensUsed > 0 || this.#admittedAlone > 0 || this.#isMemoryDue;
  }

  /** To be told at once: others may be lent what was taken. */
  get isMemoryDue(): boolean {
    return this.#isMemoryDue;
  }

  get holdsPlaces(): boolean {
    return this.#places > 0 || this.inFlight > 0;
  }

  get isIdle(): boolean {
    return !this.holdsPlaces && !this.hasNews && this.waiting === 0 && this.asking === null;
  }

  /** A question, with which what it tells is told. What it gives back is given up here already. */
  ask(isForAdmission: boolean, nowMs: number): LeaseAsk {
    const { rule } = this;
    const { requestsPerMinute: perMinute, concurrency } = rule;
    const chunk = perMinute === null ? 0 : Math.max(chunkOf(perMinute), this.waiting);
    const needed = this.inFlight + this.waiting;
    const places = isForAdmission && !this.isContested ? Math.max(needed, this.#places) : needed;
    const ask: LeaseAsk = {
      subject: `${this.scope}:${this.id}`,
      requestsPerMinute: perMinute,
      tokensPerMinute: rule.tokensPerMinute,
      concurrency,
      requests: isForAdmission && !this.#alone ? Math.max(0, Math.floor(chunk - this.#lent)) : 0,
      admittedAlone: Math.ceil(this.#admittedAlone),
      tokens: Math.ceil(this.#tokensUsed),
      places: concurrency === null ? 0 : Math.min(places, concurrency + 1),
      placesInUse: this.inFlight,
      memory: this.#isMemoryDue ? this.#memory(nowMs) : null,
    };
    this.#places = Math.min(this.#places, ask.places);
    this.#requestsKnown.tell();
    this.#tokensKnown.tell();
    return ask;
  }

  /** It knows of something that an emptied count would give once more. */
  remembers(nowMs: number): boolean {
    const { requestsMissing, requestsTaken, tokensMissing, tokensTaken } = this.#memory(nowMs);
    return Math.max(requestsMissing, requestsTaken, tokensMissing, tokensTaken) > 0;
  }

  #memory(nowMs: number): LeaseMemory {
    const { requestsPerMinute, tokensPerMinute } = this.rule;
    return {
      requestsMissing: this.#requestsKnown.missing(requestsPerMinute ?? 0, nowMs),
      requestsTaken: this.#requestsKnown.taken,
      tokensMissing: this.#tokensKnown.missing(tokensPerMinute ?? 0, nowMs),
      tokensTaken: this.#tokensKnown.taken,
    };
  }

  lent(ask: LeaseAsk, reply: LeaseReply, nowMs: number): void {
    if (ask.memory) this.#isMemoryDue = false;
    this.#requestsKnown.hear(reply.requestsLeft, nowMs);
    this.#tokensKnown.hear(reply.tokensLeft, nowMs);
    this.#lent += reply.requests;
    this.#left = reply.requestsLeft;
    this.#admittedAlone = Math.max(0, this.#admittedAlone - ask.admittedAlone);
    this.#tokensUsed = Math.max(0, this.#tokensUsed - ask.tokens);
    this.#tokensLeft = reply.tokensLeft;
    this.#isLevelKnown = true;
    this.#places = reply.places;
    this.isContested = reply.contestedMs > 0;
    this.askedAtMs = nowMs;
    if (ask.requests > 0 && reply.requests === 0) {
      this.#blockedUntilMs = nowMs + Math.min(reply.requestsWaitMs, blockMsMax);
    }
    if (reply.tokensWaitMs > 0) {
      this.#tokensBlockedUntilMs = nowMs + Math.min(reply.tokensWaitMs, blockMsMax);
    }
  }

  /** The places were short, also after others had the time to give theirs back. */
  refusePlaces(nowMs: number): void {
    this.#shortUntilMs = nowMs + shortMs;
  }

  /** The gauge for the headers. */
  get requests(): Gauge | null {
    const { requestsPerMinute: perMinute } = this.rule;
    if (perMinute === null) return null;
    const alone = Math.max(0, Math.floor(this.#alone?.requests.level ?? 0));
    return gauge(perMinute, this.#lent + (this.#alone ? alone : this.#left));
  }

  get tokens(): Gauge | null {
    const { tokensPerMinute: perMinute } = this.rule;
    if (perMinute === null) return null;
    return gauge(perMinute, Math.floor(this.#alone?.tokens.level ?? this.#tokensLevel));
  }
}

function chunkOf(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute / chunksPerMinute));
}

function gauge(perMinute: number, level: number): Gauge {
  const missing = perMinute - level;
  const resetMs = missing <= 0 || perMinute === 0 ? 0 : Math.ceil((missing / perMinute) * 60_000);
  return { perMinute, remaining: Math.min(perMinute, Math.max(0, level)), resetMs };
}
