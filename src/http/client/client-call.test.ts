import { expect, test } from "bun:test";
import { AssertionError } from "../../core/assert.ts";
import { GatewayError } from "../../core/errors.ts";
import { systemClock } from "../../core/clock.ts";
import { Limiter } from "../../limits/limiter.ts";
import type { RequestId } from "../../core/ids.ts";
import { answeredOutcome, failedOutcome, type RequestOutcome } from "../../gateway/outcome.ts";
import type { Caller } from "../../identity/caller.ts";
import { ClientCall } from "./client-call.ts";

const caller = { keyName: "of the test" } as Caller;

function open({ isPaid = true } = {}) {
  const told: string[] = [];
  const recorded: RequestOutcome[] = [];
  const { signal } = new AbortController();
  const scope = { requestId: "req_1" as RequestId, signal, startedAtMs: 0, hops: 0 };
  const call = new ClientCall(
    scope,
    "POST",
    { ip: "10.1.2.3" },
    { finished: (_call, outcome) => void recorded.push(outcome) },
  );
  const admission = {
    headers: {},
    spend: (tokens: number) => void told.push(`spend ${tokens}`),
    release: () => void told.push("release"),
    cancel: () => void told.push("cancel"),
  };
  const limits = new Limiter(systemClock);
  return { call, told, recorded, admit: () => call.admit({ caller, admission, limits, isPaid }) };
}

test("the end of a call takes its tokens, gives its place back and is recorded", () => {
  const { call, told, recorded, admit } = open();
  admit();
  const tokens = { inputTokens: 3, outputTokens: 4, reasoningTokens: 2 };
  const usage = { ...tokens, cacheReadTokens: 1, cacheWriteTokens: 0 };
  const outcome = { ...answeredOutcome(200), usage, micros: 7 };
  expect(call.isOpen).toBe(true);
  call.finish(outcome);
  expect(call.isOpen).toBe(false);
  expect(told).toEqual(["spend 7", "release"]);
  expect(recorded).toEqual([outcome]);
});

test("a second end is a bug, and changes nothing", () => {
  const { call, told, recorded, admit } = open();
  admit();
  call.finish(answeredOutcome(200));
  expect(() => call.finish(failedOutcome(new GatewayError("server_error"), 500))).toThrow(
    AssertionError,
  );
  expect(told).toEqual(["release"]);
  expect(recorded).toHaveLength(1);
});

test("a call that was not admitted is recorded too, and has no caller", () => {
  const { call, told, recorded } = open();
  expect(() => call.caller).toThrow(AssertionError);
  call.finish(failedOutcome(new GatewayError("invalid_api_key"), 200));
  expect(told).toEqual([]);
  expect(recorded).toMatchObject([{ kind: "rejected", status: 200, micros: 0 }]);
  expect(call.payer).toBeNull();
});

test("only who starts paid work is the payer", () => {
  const paid = open();
  const free = open({ isPaid: false });
  paid.admit();
  free.admit();
  expect([paid.call.payer, free.call.payer]).toEqual([caller, null]);
  expect(free.call.caller).toBe(caller);
});
