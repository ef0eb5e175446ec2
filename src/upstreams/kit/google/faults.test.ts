// Blame for an error of Google.
import { describe, expect, test } from "bun:test";
import type { Json } from "../../../core/json.ts";
import { readGoogleFault } from "./faults.ts";

const noHeaders = new Headers();
const retryInfo = "type.googleapis.com/google.rpc.RetryInfo";
const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";

function failure(status: string, details: Json[] = []): Json {
  return { error: { code: 0, message: "Google's words", status, details } };
}

function blameOf(status: number, body: Json) {
  return readGoogleFault(status, noHeaders, body).blame;
}

describe("the key", () => {
  test.each([
    [401, "UNAUTHENTICATED"],
    [400, "UNAUTHENTICATED"],
  ])("is to blame for %d %s", (status, name) => {
    expect(readGoogleFault(status, noHeaders, failure(name))).toEqual({
      blame: "key",
      message: "Google's words",
    });
  });

  test.each([
    [403, "PERMISSION_DENIED", false],
    [403, "", false],
    [402, "", true],
  ])("is only suspect for %d %s, which a file of another account brings too", (...row) => {
    const [status, name, isOfCredit] = row;
    const message = "Google's words";
    const suspect = { blame: "suspect", isOfCredit, message } as const;
    expect(readGoogleFault(status, noHeaders, failure(name))).toEqual(suspect);
  });

  test.each(["API_KEY_INVALID", "BILLING_DISABLED", "CONSUMER_SUSPENDED"])(
    "is to blame for the reason %s, which comes with the status of a bad request",
    (reason) => {
      const details = [{ "@type": errorInfo, reason, domain: "googleapis.com" }];
      expect(blameOf(400, failure("INVALID_ARGUMENT", details))).toBe("key");
      expect(blameOf(400, failure("FAILED_PRECONDITION", details))).toBe("key");
    },
  );
});

describe("the load", () => {
  const waitOf = (details: Json[], headers: Record<string, string> = {}) =>
    readGoogleFault(429, new Headers(headers), failure("RESOURCE_EXHAUSTED", details));

  test("is to blame for 429, with or without a body", () => {
    const message = "the upstream answered with status 429";
    expect(readGoogleFault(429, noHeaders, null)).toEqual({
      blame: "load",
      message,
      retryAfterSeconds: null,
    });
    expect(blameOf(429, failure("RESOURCE_EXHAUSTED"))).toBe("load");
    expect(blameOf(503, failure("RESOURCE_EXHAUSTED"))).toBe("load");
  });

  test.each([
    ["17s", 17],
    ["1.5s", 1.5],
    ["0s", 0],
    ["3600s", 60],
    ["soon", null],
    ["-4s", null],
    ["", null],
  ])("is to pass after the delay %p of the details", (retryDelay, retryAfterSeconds) => {
    const details = [{ "@type": "other" }, { "@type": retryInfo, retryDelay }];
    expect(waitOf(details)).toMatchObject({ retryAfterSeconds });
  });

  test("is to pass after the header's delay where the details have none", () => {
    const headers = { "retry-after": "5" };
    expect(waitOf([], headers)).toMatchObject({ retryAfterSeconds: 5 });
    expect(waitOf([{ retryDelay: "2s" }], headers)).toMatchObject({ retryAfterSeconds: 2 });
    expect(waitOf([], { "retry-after": "Sun, 01 Nov" })).toMatchObject({ retryAfterSeconds: null });
    expect(waitOf([], { "retry-after": "9999" })).toMatchObject({ retryAfterSeconds: 60 });
  });
});

describe("the request", () => {
  test.each([
    [400, "INVALID_ARGUMENT"],
    [400, "FAILED_PRECONDITION"],
    [400, "OUT_OF_RANGE"],
    [413, ""],
    [415, ""],
    [422, ""],
  ])("is to blame for %d %s, without a code of ours", (status, name) => {
    expect(readGoogleFault(status, noHeaders, failure(name))).toEqual({
      blame: "request",
      status,
      type: "invalid_request_error",
      code: null,
      param: null,
      message: "Google's words",
    });
  });

  test("is to blame also when the error comes in a list", () => {
    expect(readGoogleFault(400, noHeaders, [failure("INVALID_ARGUMENT")])).toMatchObject({
      blame: "request",
      message: "Google's words",
    });
  });
});

describe("the channel", () => {
  test.each([
    [404, "NOT_FOUND"],
    [405, ""],
    [408, ""],
    [409, "ABORTED"],
    [499, "CANCELLED"],
    [302, ""],
    [500, "INTERNAL"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
  ])("is to blame for %d %s", (status, name) => {
    expect(blameOf(status, failure(name))).toBe("channel");
  });
});

test("X-U24 where there is no message there is one of ours", () => {
  const bodies: Json[] = [
    null,
    "<html>",
    [],
    {},
    { error: null },
    { error: "no" },
    { error: {} },
    { error: { message: "", status: 5, details: {} } },
    { error: { message: 7, details: [null, "x", { reason: 1, retryDelay: 2 }] } },
  ];
  for (const body of bodies) {
    expect(readGoogleFault(400, noHeaders, body)).toMatchObject({
      blame: "request",
      message: "the upstream answered with status 400",
    });
    expect(blameOf(500, body)).toBe("channel");
  }
});
