// Limits of key, account and group that many nodes keep together. A node admits from what it was
// lent; only when that is used up a request waits, for one call that all who wait share.
import { assert } from "../../core/assert.ts";
import { sleep, type Clock, type Stop, type Timers } from "../../core/clock.ts";
import { noHeaders, renderHeaders, type LimitHeaders } from "../headers.ts";
import type { Admission, Limits } from "../limiter.ts";
import { LimitError, longer, type Refusal } from "../refusal.ts";
import { isLimited, type LimitSubject } from "../rule.ts";
import { placeLifeMs, type LeaseAsk, type LeaseReply } from "./lease-script.ts";
import { SharedSubject, type LimitStanding } from "./shared-subject.ts";

export interface Lender {
  readonly isUp: boolean;
  /** Another one after every loss and every return; at most 1 before the first loss. */
  readonly epoch: number;
  lease(ask: LeaseAsk): Promise<LeaseReply>;
}

interface SharedLimiterNeeds {
  lender: Lender;
  clock: Clock;
  timers: Timers;
  /** The count of nodes that share the limits where nothing can be lent. */
  liveNodes(): number;
  /** This node's number among them. */
  rank(): number;
}

const tickMs = 100;
const newsMs = 250;
const renewMs = placeLifeMs / 3;
const forgetMs = 120_000;
/** Within it every node has heard that places are short, and has given back what is not used. */
const recallMs = 300;
/** A node that used all of its places may not have heard of it: it gives back with its tick. */
const raceMs = tickMs + 50;

/** Within it every node is back as well, and has told what it remembers. */
const settleMs = 1000;
/** A store is not emptied that is older than the loss by so much. */
const proofMs = 1000;
const memoriesAtOnce = 50;

const unlimited: Admission = Object.freeze({
  headers: noHeaders,
  release() {},
  cancel() {},
  spend() {},
});

export class SharedLimiter implements Limits {
  readonly #needs: SharedLimiterNeeds;
  readonly #subjects = new Map<string, SharedSubject>();
  readonly #watched = new Set<SharedSubject>();
  readonly #stop: Stop;
  readonly #standing: LimitStanding = { isUp: false, epoch: -1, settlesAtMs: 0, nodes: 1, rank: 0 };
  /** Times at which the link was last seen in its former state, and in its present one. */
  #wellAtMs = 0;
  #seenAtMs = 0;
  #sweptAtMs = 0;

  constructor(needs: SharedLimiterNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(tickMs, () => this.#tick());
  }

  tryAdmit(limited: readonly LimitSubject[]): Admission | null {
    const subjects = this.#openAll(limited);
    return subjects.length === 0 ? unlimited : this.#decide(subjects);
  }

  async admit(limited: readonly LimitSubject[]): Promise<Admission> {
    return this.tryAdmit(limited) ?? (await this.#wait(this.#openAll(limited)));
  }

  /** A loan to this node says nothing of what all of them have taken. */
  look(): null {
    return null;
  }

  /** Gives back what was lent, as far as it can be. */
  async close(): Promise<void> {
    this.#stop();
    const held = [...this.#watched].filter((subject) => subject.hasNews || subject.holdsPlaces);
    if (this.#needs.lender.isUp) await Promise.all(held.map((one) => this.#ask(one, false)));
  }

  /** Null when one of them has to be asked about first. Throws what stands in the way longest. */
  #decide(subjects: readonly SharedSubject[]): Admission | null {
    const nowMs = this.#needs.clock.monotonicMs();
    const standing = this.#stand(nowMs);
    let refusal: Refusal | null = null;
    let isUnknown = false;
    for (const subject of subjects) {
      subject.enter(standing, nowMs);
      subject.usedAtMs = nowMs;
      const verdict = subject.verdict(standing, nowMs);
      if (verdict === "ask") isUnknown = true;
      else refusal = longer(refusal, verdict);
    }
    if (refusal !== null) throw new LimitError(refusal, renderHeaders(subjects));
    if (isUnknown) return null;
    for (const subject of subjects) {
      subject.take(nowMs);
      this.#watched.add(subject);
      if (subject.isRunningLow(nowMs)) void this.#askOnce(subject, true);
    }
    return new SharedAdmission(subjects, renderHeaders(subjects), (one) => this.#changed(one));
  }

  async #wait(subjects: readonly SharedSubject[]): Promise<Admission> {
    for (const subject of subjects) subject.waiting += 1;
    try {
      for (;;) {
        const nowMs = this.#needs.clock.monotonicMs();
        const standing = this.#stand(nowMs);
        const unknown = subjects.filter((one) => one.verdict(standing, nowMs) === "ask");
        await Promise.all(unknown.map((one) => this.#askOnce(one, true)));
        const admission = this.#decide(subjects);
        if (admission) return admission;
      }
    } finally {
      for (const subject of subjects) subject.waiting -= 1;
    }
  }

  #openAll(limited: readonly LimitSubject[]): SharedSubject[] {
    const subjects: SharedSubject[] = [];
    for (const one of limited) if (isLimited(one.rule)) subjects.push(this.#open(one));
    return subjects;
  }

  #open(limited: LimitSubject): SharedSubject {
    const name = `${limited.scope}:${limited.id}`;
    let subject = this.#subjects.get(name);
    if (!subject) this.#subjects.set(name, (subject = new SharedSubject(limited)));
    subject.rule = limited.rule;
    return subject;
  }

  #askOnce(subject: SharedSubject, isForAdmission: boolean): Promise<void> {
    subject.asking ??= this.#ask(subject, isForAdmission).finally(() => {
      subject.asking = null;
      this.#giveBack(subject);
    });
    return subject.asking;
  }

  /** Never rejects: a loss is seen by the lender's state, and the subject goes by its share. */
  async #ask(subject: SharedSubject, isForAdmission: boolean): Promise<void> {
    const reply = await this.#lease(subject, isForAdmission);
    if (!isForAdmission || !reply || !isShort(subject, reply)) return;
    if (reply.placesElsewhere > 0) {
      // Others may have places that they do not use, or have just given some back.
      const { contestedMs } = reply;
      await sleep(this.#needs.timers, contestedMs < recallMs ? recallMs - contestedMs : raceMs);
      const again = await this.#lease(subject, true);
      if (!again || !isShort(subject, again)) return;
    }
    subject.refusePlaces(this.#needs.clock.monotonicMs());
  }

  async #lease(subject: SharedSubject, isForAdmission: boolean): Promise<LeaseReply | null> {
    const ask = subject.ask(isForAdmission, this.#needs.clock.monotonicMs());
    const { epoch } = this.#needs.lender;
    try {
      const reply = await this.#needs.lender.lease(ask);
      // A loan from before a loss is not known over there any more.
      if (epoch !== this.#needs.lender.epoch) return null;
      this.#watched.add(subject);
      const nowMs = this.#needs.clock.monotonicMs();
      subject.lent(ask, reply, nowMs);
      if (reply.storeAgeMs > nowMs - this.#wellAtMs + proofMs) this.#standing.settlesAtMs = 0;
      return reply;
    } catch {
      return null;
    }
  }

  /** This node's standing with the others now. */
  #stand(nowMs: number): LimitStanding {
    const { lender, liveNodes, rank } = this.#needs;
    const standing = this.#standing;
    if (lender.epoch !== standing.epoch) {
      if (standing.isUp) this.#wellAtMs = this.#seenAtMs;
      standing.epoch = lender.epoch;
      standing.isUp = lender.isUp;
      if (lender.isUp && lender.epoch > 1) this.#comeBack(nowMs);
    }
    this.#seenAtMs = nowMs;
    standing.nodes = liveNodes();
    standing.rank = rank();
    return standing;
  }

  /** The store may be empty: what is remembered of it is told before anybody goes by it. */
  #comeBack(nowMs: number): void {
    this.#standing.settlesAtMs = nowMs + settleMs;
    for (const subject of this.#subjects.values()) {
      if (!subject.remembers(nowMs)) continue;
      subject.enter(this.#standing, nowMs);
      this.#watched.add(subject);
    }
  }

  /** While places are short, what is not used goes back at once; otherwise with the next tick. */
  #giveBack(subject: SharedSubject): void {
    const { lender } = this.#needs;
    if (subject.isContested && subject.hasSpare && lender.isUp) void this.#askOnce(subject, false);
  }

  /** Also long after its release, when it may have been forgotten. */
  #changed(subject: SharedSubject): void {
    this.#watched.add(subject);
    this.#giveBack(subject);
  }

  #tick(): void {
    const nowMs = this.#needs.clock.monotonicMs();
    const { lender } = this.#needs;
    const standing = this.#stand(nowMs);
    let memories = 0;
    for (const subject of this.#watched) {
      if (subject.isIdle) {
        this.#watched.delete(subject);
        continue;
      }
      if (!lender.isUp || subject.asking !== null) continue;
      subject.enter(standing, nowMs);
      if (subject.isMemoryDue && ++memories > memoriesAtOnce) continue;
      const ageMs = nowMs - subject.askedAtMs;
      const isDue = subject.hasSpare || (subject.hasNews && ageMs >= newsMs) || ageMs >= renewMs;
      if (isDue) void this.#askOnce(subject, false);
    }
    if (nowMs - this.#sweptAtMs < forgetMs) return;
    this.#sweptAtMs = nowMs;
    for (const [name, subject] of this.#subjects) {
      if (subject.isIdle && nowMs - subject.usedAtMs > forgetMs) this.#subjects.delete(name);
    }
  }
}

function isShort(subject: SharedSubject, reply: LeaseReply): boolean {
  const { concurrency } = subject.rule;
  return concurrency !== null && subject.waiting > 0 && subject.inFlight >= reply.places;
}

class SharedAdmission implements Admission {
  readonly headers: LimitHeaders;
  readonly #subjects: readonly SharedSubject[];
  readonly #changed: (subject: SharedSubject) => void;
  #isReleased = false;

  constructor(
    subjects: readonly SharedSubject[],
    headers: LimitHeaders,
    changed: (subject: SharedSubject) => void,
  ) {
    this.#subjects = subjects;
    this.headers = headers;
    this.#changed = changed;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    for (const subject of this.#subjects) {
      subject.release();
      this.#changed(subject);
    }
  }

  cancel(): void {
    if (this.#isReleased) return;
    for (const subject of this.#subjects) subject.giveBack();
    this.release();
  }

  spend(tokens: number): void {
    assert(Number.isSafeInteger(tokens) && tokens >= 0, "tokens are a count");
    for (const subject of this.#subjects) {
      if (subject.rule.tokensPerMinute === null) continue;
      subject.spend(tokens);
      this.#changed(subject);
    }
  }
}
