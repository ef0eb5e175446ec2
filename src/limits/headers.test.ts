import { expect, test } from "bun:test";
import { noHeaders, renderDuration, renderHeaders } from "./headers.ts";
import type { LimitRule } from "./rule.ts";
import { SubjectState } from "./subjects.ts";

function stateWith(rule: Partial<LimitRule>): SubjectState {
  const state = new SubjectState();
  const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
  state.update({ ...none, ...rule }, 0);
  return state;
}

test.each([
  [0, "0s"],
  [-5, "0s"],
  [0.2, "1ms"],
  [120, "120ms"],
  [999, "999ms"],
  [1000, "1s"],
  [1001, "2s"],
  [6000, "6s"],
  [59_999, "1m0s"],
  [60_000, "1m0s"],
  [61_000, "1m1s"],
  [3_600_000, "1h0m0s"],
  [3_723_000, "1h2m3s"],
  [Number.POSITIVE_INFINITY, "24h0m0s"],
])("%d milliseconds are written as %s", (durationMs, text) => {
  expect(renderDuration(durationMs)).toBe(text);
});

test("requests and tokens each show the bucket that runs out first", () => {
  const key = stateWith({ requestsPerMinute: 600, tokensPerMinute: 1000 });
  const account = stateWith({ requestsPerMinute: 60, tokensPerMinute: 100_000 });
  account.requests?.take(1);
  key.tokens?.take(400);
  expect(renderHeaders([key, account])).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-limit-tokens": "1000",
    "x-ratelimit-remaining-tokens": "600",
    "x-ratelimit-reset-tokens": "24s",
  });
});

test("of two buckets with as much left, the one that resets later is shown", () => {
  const slow = stateWith({ requestsPerMinute: 10 });
  const quick = stateWith({ requestsPerMinute: 100 });
  slow.requests?.take(10);
  quick.requests?.take(100);
  quick.requests?.take(100);
  const shown = renderHeaders([slow, quick])["x-ratelimit-limit-requests"];
  expect(shown).toBe("100");
  expect(renderHeaders([quick, slow])["x-ratelimit-limit-requests"]).toBe("100");
});

test("a debt shows as nothing left", () => {
  const state = stateWith({ tokensPerMinute: 100 });
  state.tokens?.take(1000);
  expect(renderHeaders([state])["x-ratelimit-remaining-tokens"]).toBe("0");
});

test("a limit on concurrency alone needs no headers", () => {
  expect(renderHeaders([stateWith({ concurrency: 3 })])).toBe(noHeaders);
});
