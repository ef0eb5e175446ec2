// The reason a request was not admitted, and the 429 that says so without naming anybody.
import { GatewayError, type ErrorCode } from "../core/errors.ts";
import type { LimitHeaders } from "./headers.ts";
import type { LimitScope, LimitSubject } from "./rule.ts";
import type { SubjectState } from "./subjects.ts";

type Refused = Pick<LimitSubject, "scope" | "of">;

export interface Refusal {
  subject: Refused;
  limit: string;
  waitMs: number;
}

const secondMs = 1000;
const retryAfterSecondsMax = 60;

const codes: Readonly<Record<LimitScope, ErrorCode>> = {
  key: "rate_limit_exceeded",
  member: "rate_limit_exceeded",
  project: "rate_limit_exceeded",
  account: "rate_limit_exceeded",
  group: "too_many_requests",
};

const owners: Readonly<Record<LimitScope, string>> = {
  key: "this API key",
  member: "this member",
  project: "this project",
  account: "this account",
  group: "this group",
};

/** A 429 that carries the x-ratelimit headers of the subject that ran out. */
export class LimitError extends GatewayError {
  readonly headers: LimitHeaders;

  constructor(refusal: Refusal, headers: LimitHeaders) {
    const seconds = Math.ceil(refusal.waitMs / secondMs);
    const { scope, of } = refusal.subject;
    const whose = of === undefined ? owners[scope] : `${of} with ${owners[scope]}`;
    super(codes[scope], {
      message: `The limit of ${refusal.limit} for ${whose} is reached.`,
      retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAfterSecondsMax),
    });
    this.headers = headers;
  }
}

export const refusals = {
  // Nobody knows when one ends; a second is as good a guess as any.
  concurrency: (subject: Refused, limit: number): Refusal => {
    return { subject, limit: `${limit} requests at a time`, waitMs: secondMs };
  },
  requests: (subject: Refused, perMinute: number, waitMs: number): Refusal => {
    return { subject, limit: `${perMinute} requests per minute`, waitMs };
  },
  tokens: (subject: Refused, perMinute: number, waitMs: number): Refusal => {
    return { subject, limit: `${perMinute} tokens per minute`, waitMs };
  },
};

/**
 * The longest obstacle at this subject, or null when there is none. It is named by the limit that
 * was set, of which the state may have a share alone.
 */
export function findRefusal(subject: LimitSubject, state: SubjectState): Refusal | null {
  const { rule } = subject;
  let worst: Refusal | null = null;
  const { concurrency, requests, tokens } = state;
  if (concurrency !== null && state.inFlight >= concurrency) {
    worst = refusals.concurrency(subject, rule.concurrency ?? concurrency);
  }
  if (requests !== null && requests.waitForOneMs > 0) {
    const perMinute = rule.requestsPerMinute ?? requests.perMinute;
    worst = longer(worst, refusals.requests(subject, perMinute, requests.waitForOneMs));
  }
  if (tokens !== null && tokens.waitForAnyMs > 0) {
    const perMinute = rule.tokensPerMinute ?? tokens.perMinute;
    worst = longer(worst, refusals.tokens(subject, perMinute, tokens.waitForAnyMs));
  }
  return worst;
}

export function longer(first: Refusal | null, second: Refusal | null): Refusal | null {
  if (first === null || second === null) return first ?? second;
  return second.waitMs > first.waitMs ? second : first;
}
