import { expect, test } from "bun:test";
import { AssertionError } from "../core/assert.ts";
import { Limiter } from "./limiter.ts";
import { LimitError } from "./refusal.ts";
import { limitScopes, type LimitRule, type LimitScope } from "./rule.ts";
import { statusOf } from "../http/envelopes/status.ts";

const none: LimitRule = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

function setup() {
  const time = { ms: 1000 };
  const limiter = new Limiter({ nowMs: () => time.ms, monotonicMs: () => time.ms });
  return { time, limiter };
}

function subject(scope: LimitScope, rule: Partial<LimitRule>) {
  return { scope, id: `${scope}_secret`, rule: { ...none, ...rule } };
}

function refusalOf(run: () => unknown): LimitError {
  try {
    run();
  } catch (error) {
    if (error instanceof LimitError) return error;
    throw error;
  }
  throw new Error("was admitted");
}

test("without a limit every request gets the same empty admission", () => {
  const { limiter } = setup();
  const first = limiter.tryAdmit([
    subject("key", {}),
    subject("account", {}),
    subject("group", {}),
  ]);
  expect(limiter.tryAdmit([])).toBe(first);
  expect(first.headers).toEqual({});
  expect(Object.isFrozen(first) && Object.isFrozen(first.headers)).toBe(true);
  first.spend(1_000_000);
  first.release();
  expect(limiter.size).toBe(0);
});

test("a minute's requests may come at once, the next waits for the refill", () => {
  const { limiter, time } = setup();
  const key = subject("key", { requestsPerMinute: 10 });
  for (let at = 0; at < 10; at++) limiter.tryAdmit([key]).release();
  const refusal = refusalOf(() => limiter.tryAdmit([key]));
  expect(refusal.code).toBe("rate_limit_exceeded");
  expect(statusOf(refusal)).toBe(429);
  expect(refusal.type).toBe("rate_limit_error");
  expect(refusal.retryAfterSeconds).toBe(6);
  time.ms += 6000;
  limiter.tryAdmit([key]).release();
  expect(refusalOf(() => limiter.tryAdmit([key])).retryAfterSeconds).toBe(6);
});

test("a refusal says which limit of which scope, never whose", () => {
  const texts: Record<LimitScope, string> = {
    key: "The limit of 0 requests per minute for this API key is reached.",
    member: "The limit of 0 requests per minute for this member is reached.",
    project: "The limit of 0 requests per minute for this project is reached.",
    account: "The limit of 0 requests per minute for this account is reached.",
    group: "The limit of 0 requests per minute for this group is reached.",
  };
  for (const scope of limitScopes) {
    const { limiter } = setup();
    const limited = subject(scope, { requestsPerMinute: 0 });
    const refusal = refusalOf(() => limiter.tryAdmit([limited]));
    expect(refusal.message).toBe(texts[scope]);
    expect(refusal.code).toBe(scope === "group" ? "too_many_requests" : "rate_limit_exceeded");
    expect(refusal.retryAfterSeconds).toBe(60);
  }
});

test("a refusal carries the headers of the bucket that ran out", () => {
  const { limiter } = setup();
  const key = subject("key", { requestsPerMinute: 2 });
  limiter.tryAdmit([key]);
  limiter.tryAdmit([key]);
  expect(refusalOf(() => limiter.tryAdmit([key])).headers).toEqual({
    "x-ratelimit-limit-requests": "2",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "1m0s",
  });
});

test("a refusal by the third subject takes nothing from the first two", () => {
  const { limiter } = setup();
  const key = subject("key", { requestsPerMinute: 5, concurrency: 5 });
  const account = subject("account", { requestsPerMinute: 5, tokensPerMinute: 100 });
  const group = subject("group", { concurrency: 0 });
  for (let at = 0; at < 20; at++) refusalOf(() => limiter.tryAdmit([key, account, group]));
  const { headers } = limiter.tryAdmit([key, account]);
  expect(headers["x-ratelimit-remaining-requests"]).toBe("4");
  expect(headers["x-ratelimit-remaining-tokens"]).toBe("100");
});

test("the limit that takes longest to pass is the one that is told", () => {
  const { limiter } = setup();
  const key = subject("key", { concurrency: 1 });
  const account = subject("account", { requestsPerMinute: 1 });
  limiter.tryAdmit([key, account]);
  const refusal = refusalOf(() => limiter.tryAdmit([key, account]));
  expect(refusal.message).toContain("1 requests per minute for this account");
  expect(refusal.retryAfterSeconds).toBe(60);
});

test("requests in flight are limited and a release makes room, once", () => {
  const { limiter } = setup();
  const group = subject("group", { concurrency: 2 });
  const first = limiter.tryAdmit([group]);
  limiter.tryAdmit([group]);
  const refusal = refusalOf(() => limiter.tryAdmit([group]));
  expect(refusal.code).toBe("too_many_requests");
  expect(refusal.message).toBe("The limit of 2 requests at a time for this group is reached.");
  expect(refusal.retryAfterSeconds).toBe(1);
  first.release();
  first.release();
  limiter.tryAdmit([group]);
  refusalOf(() => limiter.tryAdmit([group]));
});

test("one key's requests do not take another key's room", () => {
  const { limiter } = setup();
  const rule = { ...none, concurrency: 1 };
  limiter.tryAdmit([{ scope: "key", id: "a", rule }]);
  expect(() => limiter.tryAdmit([{ scope: "key", id: "b", rule }])).not.toThrow();
  expect(() => limiter.tryAdmit([{ scope: "account", id: "a", rule }])).not.toThrow();
});

test("tokens are taken when they are spent, and a debt has to refill", () => {
  const { limiter, time } = setup();
  const key = subject("key", { tokensPerMinute: 600 });
  const admission = limiter.tryAdmit([key]);
  limiter.tryAdmit([key]).release();
  admission.spend(900);
  admission.release();
  const refusal = refusalOf(() => limiter.tryAdmit([key]));
  expect(refusal.message).toBe("The limit of 600 tokens per minute for this API key is reached.");
  expect(refusal.retryAfterSeconds).toBe(31);
  time.ms += 30_001;
  limiter.tryAdmit([key]).release();
});

test("spending after the release still counts", () => {
  const { limiter } = setup();
  const key = subject("key", { tokensPerMinute: 1000 });
  const admission = limiter.tryAdmit([key]);
  admission.release();
  admission.spend(400);
  expect(limiter.tryAdmit([key]).headers["x-ratelimit-remaining-tokens"]).toBe("600");
});

test("a changed rule takes effect at once and keeps the share that is left", () => {
  const { limiter } = setup();
  for (let at = 0; at < 5; at++) limiter.tryAdmit([subject("key", { requestsPerMinute: 10 })]);
  const { headers } = limiter.tryAdmit([subject("key", { requestsPerMinute: 100 })]);
  expect(headers["x-ratelimit-limit-requests"]).toBe("100");
  expect(headers["x-ratelimit-remaining-requests"]).toBe("49");
  refusalOf(() => limiter.tryAdmit([subject("key", { concurrency: 6 })]));
  limiter.tryAdmit([subject("key", { concurrency: 7 })]);
});

test("a count of tokens that is not a whole number is a bug", () => {
  const { limiter } = setup();
  const key = subject("key", { tokensPerMinute: 1000 });
  const admission = limiter.tryAdmit([key]);
  for (const tokens of [-1, 0.5, Number.NaN]) {
    expect(() => admission.spend(tokens)).toThrow(AssertionError);
  }
});
