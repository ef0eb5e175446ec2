import { expect, test } from "bun:test";
import { CallLog } from "./call-log.ts";

test("requests are counted by path and outcome", () => {
  const log = new CallLog();
  log.begin("/a", null).end("completed");
  log.begin("/a", null).end("refused");
  log.begin("/b", null).end("aborted");
  log.begin("/b", null);
  const { total, open, aborted, byPath } = log.snapshot();
  expect({ total, open, aborted }).toEqual({ total: 4, open: 1, aborted: 1 });
  expect(byPath).toEqual({
    "/a": { completed: 1, refused: 1, faulted: 0, aborted: 0 },
    "/b": { completed: 0, refused: 0, faulted: 0, aborted: 1 },
  });
});

test("only the first end of a request counts", () => {
  const log = new CallLog();
  const call = log.begin("/a", null);
  call.end("completed");
  call.end("aborted");
  expect(log.snapshot()).toMatchObject({ open: 0, aborted: 0, recent: [{ outcome: "completed" }] });
});

test("a record says what was seen and never the whole key", () => {
  const log = new CallLog();
  const call = log.begin("/a", "req_1");
  call.note({ bearer: "sk-secret-1234" });
  call.note({ model: "m", stream: true });
  call.begun(200);
  call.sent(10);
  call.sent(5);
  expect(log.snapshot().recent).toEqual([
    {
      path: "/a",
      requestId: "req_1",
      model: "m",
      bearerLast4: "1234",
      stream: true,
      status: 200,
      outcome: null,
      aborted: false,
      bytesSent: 15,
    },
  ]);
});

test("only the newest thousand requests are kept", () => {
  const log = new CallLog();
  for (let at = 0; at < 1005; at++) log.begin(`/${at}`, null).end("completed");
  const { total, recent, byPath } = log.snapshot();
  expect(total).toBe(1005);
  expect(recent).toHaveLength(1000);
  expect(recent[0]?.path).toBe("/5");
  expect(byPath["other"]?.completed).toBe(905);
});
