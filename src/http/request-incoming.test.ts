import { expect, test } from "bun:test";
import { Deadlines } from "../core/deadline.ts";
import type { RequestId } from "../core/ids.ts";
import type { Scope } from "../gateway/scope.ts";
import { ClientCall } from "./client/client-call.ts";
import { RequestIncoming, requestIdleSeconds } from "./request-incoming.ts";

/** A paid request whose body has been read, and the bounds on silence that it was given. */
function readRequest() {
  let nowMs = 0;
  let tick = () => {};
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const timers = {
    after: () => () => {},
    every(_periodMs: number, run: () => void) {
      tick = run;
      return () => {};
    },
  };
  const bounds: number[] = [];
  const request = new Request("http://127.0.0.1/v1/chat/completions", { method: "POST" });
  const { signal } = request;
  const requestId = "req_1" as RequestId;
  const scope: Scope = { requestId, signal, startedAtMs: 0, hops: 0, trace: null };
  const call = new ClientCall(scope, "POST", { ip: "127.0.0.1" }, { finished() {} });
  const incoming = new RequestIncoming({
    request,
    server: { timeout: (_request, seconds) => void bounds.push(seconds) },
    target: { path: "/v1/chat/completions", query: "" },
    params: {},
    call,
    deadlines: new Deadlines(clock, timers),
    bodyMs: 1000,
    rules: { publicUrl: null, trustProxy: false },
  });
  incoming.begin(() => {});
  incoming.willTakeTime();
  incoming.end();
  const pass = (seconds: number) => {
    nowMs += seconds * 1000;
    tick();
  };
  return { incoming, bounds, pass };
}

test("an answer that comes soon leaves the bound on silence as it is", () => {
  const { incoming, bounds, pass } = readRequest();
  pass(5);
  incoming.answered();
  pass(60);
  expect(bounds).toEqual([]);
});

test("an answer that takes long is waited for, and behind it silence is bounded again", () => {
  const { incoming, bounds, pass } = readRequest();
  pass(requestIdleSeconds - 1);
  expect(bounds).toEqual([0]);
  pass(600);
  incoming.answered();
  expect(bounds).toEqual([0, requestIdleSeconds]);
});
