// The slices that a node was lent, and those who wait for more. It decides what the next turn asks
// for and gives back, and what an answer means; it sends nothing itself.
import type { Clock, Timers } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { CapCells, LentCells, RoundReply } from "../../store/turns.ts";
import type { Wallet } from "../balance.ts";
import type { CapTerms } from "../cap.ts";
import { CapSlice } from "./cap-slice.ts";
import { RecallQueue } from "./recall-queue.ts";
import type { AskCells, Slice } from "./slice.ts";
import { SliceMap } from "./slice-map.ts";
import { isCovered, type Waiter } from "./waiter.ts";

interface SlicesNeeds {
  clock: Clock;
  timers: Timers;
  /** Something is to be asked for or given back. */
  wanted(): void;
}

/** Asks and returns of a turn. */
type SliceLists = Partial<Record<Slice["asks"] | Slice["returns"], AskCells[]>> & {
  recalls?: string[];
};

/** Amounts needed and wanted of each subject, to tell a poor answer from a full one. */
type SentAsks = ReadonlyMap<Slice, { need: number; want: number }>;

const holdsWanted = 64;
const contestedMs = 30_000;
const restMs = 1000;
const fastRefillMs = 500;
const retryMs = 5;
const waitMsMax = 2000;
const idleMs = 60_000;
const contestedIdleMs = 4000;
const wantMax = 2 ** 50;
/** A window that was over for so long, and idle, is forgotten. */
const overMs = 60_000;

export class Slices extends SliceMap {
  readonly #needs: SlicesNeeds;
  /** Caps that the next turn moves. */
  readonly #moved = new Set<CapSlice>();
  readonly #waiters = new Set<Waiter>();
  readonly #asking = new Set<Slice>();
  readonly #returns = new Map<Slice, number>();
  readonly #recalls = new RecallQueue();
  #takenAtMs = 0;
  #isRetrying = false;

  constructor(needs: SlicesNeeds) {
    super();
    this.#needs = needs;
  }

  get waitingCount(): number {
    return this.#waiters.size;
  }

  /** There is something that a turn should carry. */
  get isWanting(): boolean {
    return this.#asking.size > 0 || this.#returns.size > 0 || !this.#recalls.isEmpty;
  }

  /** More is asked for before it runs out. */
  used({ account, key, caps }: Wallet): void {
    const nowMs = this.#needs.clock.monotonicMs();
    this.#used(this.account(account.id), nowMs);
    this.#used(this.key(key.id, key.accountId), nowMs);
    if (caps.length === 0) return;
    for (const cap of this.capsOf(caps)) {
      this.#used(cap, nowMs);
      this.#moved.add(cap);
    }
  }

  /**
   * Serves in this very step, once there is enough, or with what surely lacks; fails when nobody
   * knows.
   */
  wait<T>(
    slices: readonly Slice[],
    micros: number,
    serve: (lacking?: readonly Slice[]) => T,
    least: { leastMicros: number } | null = null,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (lacking?: readonly Slice[]) => {
      try {
        resolve(serve(lacking));
      } catch (error) {
        reject(error);
      }
    };
    const waiter: Waiter = {
      slices,
      micros,
      leastMicros: least?.leastMicros ?? micros,
      sinceMs: this.#needs.clock.monotonicMs(),
      isCounted: false,
      isAsked: false,
      lacking: [],
      serve: settle,
      refuse: () => settle(waiter.lacking),
      giveUp: reject,
    };
    this.#waiters.add(waiter);
    this.#count(waiter);
    for (const slice of slices) slice.isNewlyWanted = true;
    this.#needs.wanted();
    return promise;
  }

  /** Whether all of it can be had here: what is held elsewhere, or by who is silent, cannot. */
  async gathers(id: AccountId, micros: number): Promise<boolean> {
    const slice = this.account(id);
    return await this.wait([slice], micros, () => slice.covers(micros)).catch(() => false);
  }

  /** So much of it goes back, to be taken from the account itself. */
  returnSome(slice: Slice, micros: number): void {
    this.#returns.set(slice, (this.#returns.get(slice) ?? 0) + micros);
    slice.move(-micros);
    this.#needs.wanted();
  }

  /** Everybody gives it back, and asks anew: its terms have changed. Resolves when that is told. */
  recallEverywhere(subject: string): Promise<void> {
    const telling = this.#recalls.add(subject);
    this.#needs.wanted();
    return telling;
  }

  /** Another node wants it, or its terms have changed. */
  recall(subject: string): void {
    const slice = this.find(subject);
    slice?.noteRecall();
    if (!slice?.hasRow) return;
    slice.contestedUntilMs = this.#needs.clock.monotonicMs() + contestedMs;
    this.#giveBack(slice);
    this.#needs.wanted();
  }

  /** Give back the rest of a slice that others want too, with what was just settled. */
  settled({ account, key, caps }: Wallet): void {
    const nowMs = this.#needs.clock.monotonicMs();
    this.#giveBackContested(this.account(account.id), nowMs);
    this.#giveBackContested(this.key(key.id, key.accountId), nowMs);
    if (caps.length === 0) return;
    for (const cap of this.capsOf(caps)) {
      this.#giveBackContested(cap, nowMs);
      this.#moved.add(cap);
    }
  }

  /** Note caps that something was counted under, without an account or a key. */
  counted(caps: Wallet["caps"]): void {
    const nowMs = this.#needs.clock.monotonicMs();
    for (const cap of this.capsOf(caps)) {
      this.#used(cap, nowMs);
      this.#moved.add(cap);
    }
  }

  /** Caps that need not admit anything, with rows, and told anew of what all have spent. */
  async findCaps(terms: readonly CapTerms[]): Promise<readonly CapSlice[]> {
    const caps = terms.map((one) => this.cap(one));
    return await this.wait(caps, 0, () => caps);
  }

  /** Takes what the next turn is to carry. */
  take(): { lists: SliceLists; sent: SentAsks } {
    const lists: SliceLists = {};
    const sent = new Map<Slice, { need: number; want: number }>();
    const nowMs = this.#needs.clock.monotonicMs();
    this.#takenAtMs = nowMs;
    this.#layDown(nowMs);
    for (const [slice, micros] of this.#returns) {
      const isLast = slice instanceof CapSlice && this.#isOver(slice, nowMs);
      (lists[slice.returns] ??= []).push(isLast ? [slice.id, micros, 1] : [slice.id, micros]);
      if (isLast) this.dropCap(slice);
    }
    for (const cap of this.#moved) cap.note();
    this.#moved.clear();
    for (const slice of this.#asking) {
      const { needMicros: need } = slice;
      const want = slice.isContested(nowMs) ? need : need + slice.wantMicros;
      sent.set(slice, { need, want });
      slice.note();
      slice.recallsAtAsk = slice.recalls;
      (lists[slice.asks] ??= []).push(slice.askCells(want));
      slice.needMicros = 0;
      slice.isNewlyWanted = false;
    }
    for (const waiter of this.#waiters) {
      waiter.isAsked = waiter.isCounted;
      waiter.isCounted = false;
    }
    if (!this.#recalls.isEmpty) lists.recalls = this.#recalls.take();
    this.#returns.clear();
    this.#asking.clear();
    return { lists, sent };
  }

  /** The answer of the turn that carried them. */
  hear(reply: RoundReply, sent: SentAsks): void {
    const nowMs = this.#needs.clock.monotonicMs();
    this.#recalls.told();
    // A turn that was taken before tells what is there now: others may have given back since what
    // it did not find, or called this node dead. Nobody is judged by it.
    if (reply.again) for (const waiter of this.#waiters) waiter.isAsked = false;
    for (const slice of sent.keys()) {
      slice.isAsking = slice.needMicros > 0;
      slice.isMissing = !reply.again;
      if (reply.again) slice.isKnown = false;
    }
    for (const cells of [...(reply.slices ?? []), ...(reply.keys ?? [])]) {
      this.#learn(this.find(cells[0]), cells, sent, nowMs);
    }
    for (const cells of reply.caps ?? []) this.#learnCap(cells, sent, nowMs);
    for (const [id, limit, spent] of reply.told ?? []) this.findCap(id)?.tell(limit, spent, nowMs);
    this.#serve(nowMs);
    for (const subject of reply.recalled ?? []) this.recall(subject);
    for (const slice of sent.keys()) this.#giveBackContested(slice, nowMs);
  }

  /** Give back slices that nobody has used for long. */
  heartbeat(): void {
    const nowMs = this.#needs.clock.monotonicMs();
    for (const slice of this.all()) {
      const afterMs = slice.isContested(nowMs) ? contestedIdleMs : idleMs;
      if (slice.uses > 0 || slice.isAsking || nowMs - slice.usedAtMs < afterMs) continue;
      const isOver = slice instanceof CapSlice && this.#isOver(slice, nowMs);
      const hasNothing = !slice.isKnown || slice.hasGivenBack;
      if (isOver && !slice.hasRow) this.dropCap(slice);
      if (isOver ? !slice.hasRow : hasNothing) continue;
      // It stays in memory: only there is it known how much of what was lent has been heard of.
      this.#giveBack(slice);
      slice.wantMicros = 0;
      this.#needs.wanted();
    }
  }

  /** Everything goes back that nothing is held of. */
  giveAllBack(): void {
    for (const slice of this.all()) if (slice.isKnown) this.#giveBack(slice);
  }

  /** Others have what was this node's. */
  forget(error: Error): void {
    this.clear();
    this.#moved.clear();
    this.#asking.clear();
    this.#returns.clear();
    this.#recalls.fail(error);
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.giveUp(error);
  }

  /** A window that is over for long: the database need not keep this node's part of it. */
  #isOver(slice: CapSlice, nowMs: number): boolean {
    const isIdle = slice.uses === 0 && !slice.isAsking && nowMs - slice.usedAtMs >= idleMs;
    return isIdle && slice.isOver(this.#needs.clock.nowMs() - overMs);
  }

  #used(slice: Slice, nowMs: number): void {
    slice.usedAtMs = nowMs;
    slice.hasGivenBack = false;
    if (slice.isAsking || !slice.isLow(nowMs)) return;
    slice.isAsking = true;
    this.#asking.add(slice);
    this.#needs.wanted();
  }

  #count(waiter: Waiter): void {
    waiter.isCounted = true;
    for (const slice of waiter.slices) {
      slice.usedAtMs = this.#needs.clock.monotonicMs();
      slice.needMicros += waiter.micros;
      slice.wantMicros = Math.max(slice.wantMicros, waiter.micros * holdsWanted);
      slice.isAsking = true;
      this.#asking.add(slice);
    }
  }

  #learnCap(cells: CapCells, sent: SentAsks, nowMs: number): void {
    const [id, flag, lentEver, pending, unheardMs, limit, spent, closesAtMs, excess] = cells;
    const slice = this.findCap(id);
    slice?.tell(limit, spent, nowMs);
    if (slice) slice.closesAtMs = closesAtMs;
    this.#learn(slice, [id, flag, lentEver, pending, unheardMs], sent, nowMs);
    if (!slice || slice.isUnbounded || slice.recalls > slice.recallsAtAsk) return;
    slice.excessMicros = excess;
    if (excess > 0) this.#giveBackContested(slice, nowMs);
  }

  #learn(slice: Slice | undefined, cells: LentCells, sent: SentAsks, nowMs: number): void {
    if (!slice) return;
    const [, flag, lentEver, pending, unheardMs] = cells;
    const lent = lentEver - slice.lentEverMicros;
    slice.lentEverMicros = lentEver;
    slice.learn(flag, lent);
    slice.isMissing = false;
    slice.hasRow = true;
    slice.isKnown = true;
    // Its terms may have changed after the answer was made.
    if (slice.isUnbounded && slice.recalls > slice.recallsAtAsk) slice.isKnown = false;
    if (lent > 0) slice.hasGivenBack = false;
    slice.pendingMicros = pending;
    slice.heardAtMs = this.#takenAtMs - unheardMs;
    const { need, want } = sent.get(slice) ?? { need: 0, want: 0 };
    slice.isExhausted = lent < need || need === 0;
    const isPoor = !slice.isUnbounded && lent < want;
    if (isPoor) slice.restUntilMs = nowMs + restMs;
    // Refills that come fast ask for more.
    else if (nowMs - slice.refilledAtMs < fastRefillMs) {
      slice.wantMicros = Math.min(slice.wantMicros * 2, wantMax);
    }
    slice.refilledAtMs = nowMs;
  }

  /** In the order they came; who cannot be served asks again while others may have something. */
  #serve(nowMs: number): void {
    let isLeft = false;
    for (const waiter of this.#waiters) {
      const verdict = isCovered(waiter) ? "serve" : this.#judge(waiter, nowMs);
      if (verdict === "wait") {
        isLeft = true;
        continue;
      }
      this.#waiters.delete(waiter);
      if (verdict === "serve") waiter.serve();
      else if (verdict === "refuse") waiter.refuse();
      else waiter.giveUp(new GatewayError("overloaded", { retryAfterSeconds: 1 }));
    }
    if (isLeft) this.#retry();
  }

  #judge(waiter: Waiter, nowMs: number): "wait" | "serve" | "refuse" | "give up" {
    const { slices, micros, sinceMs } = waiter;
    const isOwnUnderWay = slices.some((slice) => this.#returns.has(slice));
    const isJudged = waiter.isAsked && !isOwnUnderWay;
    waiter.isAsked = false;
    if (isJudged) {
      const short = slices.filter((slice) => !slice.covers(micros));
      const hopeless = short.filter((slice) => slice.isHopelessSince(sinceMs));
      if (hopeless.length > 0) {
        const most = Math.min(...hopeless.map(({ freeMicros }) => freeMicros));
        waiter.lacking = hopeless;
        if (hopeless.some(({ isMissing }) => isMissing) || most < waiter.leastMicros)
          return "refuse";
        waiter.micros = most;
        if (isCovered(waiter)) return "serve";
      }
      for (const slice of short) slice.contestedUntilMs = nowMs + contestedMs;
    }
    if (nowMs - sinceMs <= waitMsMax) return "wait";
    // Accept the least that will do: what others have did not come in time.
    waiter.micros = waiter.leastMicros;
    return isCovered(waiter) ? "serve" : "give up";
  }

  #retry(): void {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    this.#needs.timers.after(retryMs, () => {
      this.#isRetrying = false;
      for (const waiter of this.#waiters) if (!waiter.isCounted) this.#count(waiter);
      if (this.isWanting) this.#needs.wanted();
    });
  }

  #giveBackContested(slice: Slice, nowMs: number): void {
    const isWanted = slice.isContested(nowMs) && slice.needMicros === 0;
    if (slice.freeMicros <= 0 || !(isWanted || slice.excessMicros > 0)) return;
    this.#giveBack(slice);
    this.#needs.wanted();
  }

  /**
   * Give back what is free of each slice that goes back in part or that others want too, also where
   * more of it is asked for: whoever has given back is believed to keep only what it holds.
   */
  #layDown(nowMs: number): void {
    const contested = [...this.#asking].filter((slice) => slice.isContested(nowMs));
    for (const slice of new Set([...this.#returns.keys(), ...contested])) {
      if (slice.freeMicros > 0) this.#giveBack(slice);
    }
  }

  /** Even nothing, which tells that there is nothing. */
  #giveBack(slice: Slice): void {
    this.returnSome(slice, slice.isUnbounded ? 0 : Math.max(0, slice.freeMicros));
    slice.hasGivenBack = true;
  }
}
