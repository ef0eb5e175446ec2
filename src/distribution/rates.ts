// Requests and tokens a minute that a channel's vendor takes, counted before they are sent, so that
// its 429 is the exception. Each of several nodes has an equal share.
import { Bucket, perMinuteMax } from "../core/rate/bucket.ts";

/** At least one of them is there. */
export interface RateRules {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

export class ChannelRates {
  readonly #liveNodes: () => number;
  #rules: RateRules;
  #requests: Bucket | null = null;
  #tokens: Bucket | null = null;

  constructor(rules: RateRules, liveNodes: () => number) {
    this.#rules = rules;
    this.#liveNodes = liveNodes;
  }

  /** Change the rules; a share already taken stays taken. */
  update(rules: RateRules): void {
    this.#rules = rules;
  }

  /** Milliseconds until another request may be sent, 0 when it may. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return Math.max(this.#requests?.waitForOneMs ?? 0, this.#tokens?.waitForAnyMs ?? 0);
  }

  /** One request, and as many tokens as it seems to be. */
  take(tokens: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
  }

  /** Tokens that came besides, or below zero those that did not. */
  correct(tokens: number): void {
    this.#tokens?.take(tokens);
  }

  #refill(nowMs: number): void {
    const { requestsPerMinute, tokensPerMinute } = this.#rules;
    const nodes = this.#liveNodes();
    this.#requests = refilled(this.#requests, shareOf(requestsPerMinute, nodes), nowMs);
    this.#tokens = refilled(this.#tokens, shareOf(tokensPerMinute, nodes), nowMs);
  }
}

/** Never more than the whole, and never nothing. */
function shareOf(perMinute: number | null, nodes: number): number | null {
  if (perMinute === null) return null;
  return Math.min(perMinuteMax, Math.max(1, Math.floor(perMinute / nodes)));
}

/** Whole milliseconds keep buckets exact. */
function refilled(bucket: Bucket | null, perMinute: number | null, nowMs: number): Bucket | null {
  if (perMinute === null) return null;
  const wholeMs = Math.floor(nowMs);
  if (!bucket) return new Bucket(perMinute, wholeMs);
  bucket.refill(wholeMs);
  if (bucket.perMinute !== perMinute) bucket.rescale(perMinute);
  return bucket;
}
