// Blame for an error of MiniMax.
import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readFault } from "./errors.ts";

const noHeaders = new Headers();

function failure(type: string): Json {
  return { type: "error", error: { type, message: "MiniMax's words (1)", http_code: "400" } };
}

test.each([
  [400, "bad_request_error", "request"],
  [401, "authorized_error", "key"],
  [402, "insufficient_balance_error", "suspect"],
  [422, "unprocessable_entity_error", "request"],
  [429, "rate_limit_error", "load"],
  [500, "server_error", "channel"],
  [400, "insufficient_balance_error", "suspect"],
  [403, "some_error", "suspect"],
  [402, "some_error", "suspect"],
  [404, "not_found_error", "channel"],
  [400, "toString", "request"],
])("%d %s blames the %s", (status, type, blame) => {
  expect(readFault(status, noHeaders, failure(type))).toMatchObject({
    blame,
    message: "MiniMax's words (1)",
  });
});

test("what breaks a policy is named so", () => {
  expect(readFault(422, noHeaders, failure("unprocessable_entity_error"))).toEqual({
    blame: "request",
    status: 422,
    type: "invalid_request_error",
    code: "content_policy_violation",
    param: null,
    message: "MiniMax's words (1)",
  });
  expect(readFault(400, noHeaders, failure("bad_request_error"))).toMatchObject({ code: null });
});

test("a full queue says when to come back", () => {
  const headers = new Headers({ "retry-after": "5" });
  expect(readFault(429, headers, null)).toMatchObject({ blame: "load", retryAfterSeconds: 5 });
});

test("X-U24 where there is no message there is one of ours", () => {
  const bodies: Json[] = [null, "<html>", [], {}, { error: "no" }, { error: { message: 7 } }];
  for (const body of bodies) {
    const message = "the upstream answered with status 400";
    expect(readFault(400, noHeaders, body)).toMatchObject({ blame: "request", message });
    expect(readFault(500, noHeaders, body)).toMatchObject({ blame: "channel" });
  }
});
