// Blame for each of Anthropic's errors.
import { describe, expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readFault } from "./errors.ts";

const bodyOf = (type: string): Json => ({
  type: "error",
  error: { type, message: `said ${type}` },
  request_id: "req_1",
});

function read(status: number, type: string, headers: Record<string, string> = {}) {
  return readFault(status, new Headers(headers), bodyOf(type));
}

test.each([
  [401, "authentication_error", "key"],
  [402, "billing_error", "suspect"],
  [402, "", "suspect"],
  [403, "permission_error", "suspect"],
  [400, "billing_error", "suspect"],
  [429, "rate_limit_error", "load"],
  [429, "request_too_large", "size"],
  [529, "overloaded_error", "channel"],
  [503, "overloaded_error", "channel"],
  [404, "not_found_error", "channel"],
  [400, "not_found_error", "channel"],
  [405, "invalid_request_error", "channel"],
  [500, "api_error", "channel"],
  [504, "timeout_error", "channel"],
  [400, "invalid_request_error", "request"],
  [409, "conflict_error", "request"],
  [413, "request_too_large", "request"],
  [422, "invalid_request_error", "request"],
])("%i %s is the fault of the %s", (status, type, blame) => {
  const fault = read(status, type);
  expect(fault.blame).toBe(blame as typeof fault.blame);
  expect(fault.message).toBe(`said ${type}`);
});

test.each([
  [400, "organization_on_hold", "key"],
  [400, "claude_code_key_creator_not_member", "key"],
  [429, "enforced_spend_limit_reached", "key"],
  [429, "ramp_limit_exceeded", "load"],
  [400, "cmek_key_disabled", "channel"],
  [400, "tool_name_conflict", "request"],
])("%i with the code %s is the fault of the %s", (status, code, blame) => {
  const error = { type: "invalid_request_error", message: "no", details: { error_code: code } };
  const fault = readFault(status, new Headers(), { type: "error", error });
  expect(fault.blame).toBe(blame as typeof fault.blame);
});

test("a refused request keeps the vendor's status and words", () => {
  expect(read(413, "request_too_large")).toEqual({
    blame: "request",
    status: 413,
    type: "invalid_request_error",
    code: null,
    param: null,
    message: "said request_too_large",
  });
});

describe("a busy vendor's wait", () => {
  test.each([
    ["17", 17],
    ["0.5", 0.5],
    ["86400", 60],
    ["-1", null],
    ["Wed, 21 Oct 2026 07:28:00 GMT", null],
  ])("of %s is read as %p seconds", (said, retryAfterSeconds) => {
    const fault = read(429, "rate_limit_error", { "retry-after": said });
    expect(fault).toMatchObject({ blame: "load", retryAfterSeconds });
  });

  test("is unknown without the header", () => {
    expect(read(429, "rate_limit_error")).toMatchObject({ retryAfterSeconds: null });
  });
});

test("an error in no known shape is judged by its status", () => {
  const bodies: Json[] = [null, "oops", [], {}, { error: "oops" }, { error: { message: 3 } }];
  for (const body of bodies) {
    const message = "the upstream answered with status 502";
    expect(readFault(502, new Headers(), body)).toEqual({ blame: "channel", message });
    expect(readFault(400, new Headers(), body)).toMatchObject({ blame: "request", status: 400 });
  }
});
