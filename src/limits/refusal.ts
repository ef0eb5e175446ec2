// The reason a request was not admitted, and the 429 that says so without naming anybody.
import { GatewayError, type ErrorCode } from "../core/errors.ts";
import type { LimitHeaders } from "./headers.ts";
import type { LimitScope, LimitSubject } from "./rule.ts";
import type { SubjectState } from "./subjects.ts";

export interface Refusal {
  scope: LimitScope;
  limit: string;
  waitMs: number;
}

const secondMs = 1000;
const retryAfterSecondsMax = 60;

const codes: Readonly<Record<LimitScope, ErrorCode>> = {
  key: "rate_limit_exceeded",
  account: "rate_limit_exceeded",
  group: "too_many_requests",
};

const owners: Readonly<Record<LimitScope, string>> = {
  key: "this API key",
  account: "this account",
  group: "this group",
};

/** A 429 that carries the x-ratelimit headers of the subject that ran out. */
export class LimitError extends GatewayError {
  readonly headers: LimitHeaders;

  constructor(refusal: Refusal, headers: LimitHeaders) {
    const seconds = Math.ceil(refusal.waitMs / secondMs);
    super(codes[refusal.scope], {
      message: `The limit of ${refusal.limit} for ${owners[refusal.scope]} is reached.`,
      retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAfterSecondsMax),
    });
    this.headers = headers;
  }
}

export const refusals = {
  // Nobody knows when one ends; a second is as good a guess as any.
  concurrency: (scope: LimitScope, limit: number): Refusal => {
    return { scope, limit: `${limit} requests at a time`, waitMs: secondMs };
  },
  requests: (scope: LimitScope, perMinute: number, waitMs: number): Refusal => {
    return { scope, limit: `${perMinute} requests per minute`, waitMs };
  },
  tokens: (scope: LimitScope, perMinute: number, waitMs: number): Refusal => {
    return { scope, limit: `${perMinute} tokens per minute`, waitMs };
  },
};

/**
 * The longest obstacle at this subject, or null when there is none. It is named by the limit that
 * was set, of which the state may have a share alone.
 */
export function findRefusal({ scope, rule }: LimitSubject, state: SubjectState): Refusal | null {
  let worst: Refusal | null = null;
  const { concurrency, requests, tokens } = state;
  if (concurrency !== null && state.inFlight >= concurrency) {
    worst = refusals.concurrency(scope, rule.concurrency ?? concurrency);
  }
  if (requests !== null && requests.waitForOneMs > 0) {
    const perMinute = rule.requestsPerMinute ?? requests.perMinute;
    worst = longer(worst, refusals.requests(scope, perMinute, requests.waitForOneMs));
  }
  if (tokens !== null && tokens.waitForAnyMs > 0) {
    const perMinute = rule.tokensPerMinute ?? tokens.perMinute;
    worst = longer(worst, refusals.tokens(scope, perMinute, tokens.waitForAnyMs));
  }
  return worst;
}

export function longer(first: Refusal | null, second: Refusal | null): Refusal | null {
  if (first === null || second === null) return first ?? second;
  return second.waitMs > first.waitMs ? second : first;
}
