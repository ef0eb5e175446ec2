// Blame for an error of Ark.
import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readFault } from "./errors.ts";

const noHeaders = new Headers();

function failure(code: string, param = ""): Json {
  return { error: { code, message: "Ark's words", param, type: "BadRequest" } };
}

test.each([
  [401, "AuthenticationError", "key"],
  [403, "AccessDenied", "suspect"],
  [403, "AccountOverdueError", "key"],
  [403, "OperationDenied", "suspect"],
  [400, "AccountOverdueError", "key"],
  [429, "RateLimitExceeded.EndpointRPMExceeded", "load"],
  [429, "ModelAccountRpmRateLimitExceeded", "load"],
  [429, "ServerOverloaded", "load"],
  [400, "MissingParameter", "request"],
  [400, "InvalidParameter.Duration", "request"],
  [413, "", "request"],
  [404, "InvalidEndpointOrModel.NotFound", "channel"],
  [404, "ModelNotOpen", "channel"],
  [500, "InternalServiceError", "channel"],
])("%d %s blames the %s", (status, code, blame) => {
  expect(readFault(status, noHeaders, failure(code))).toMatchObject({
    blame,
    message: "Ark's words",
  });
});

test("a bad request keeps the vendor's code and field", () => {
  expect(readFault(400, noHeaders, failure("InvalidParameter", "duration"))).toEqual({
    blame: "request",
    status: 400,
    type: "invalid_request_error",
    code: "InvalidParameter",
    param: "duration",
    message: "Ark's words",
  });
});

test.each([
  "InputTextSensitiveContentDetected",
  "InputImageSensitiveContentDetected.PrivacyInformation",
  "InputVideoSensitiveContentDetected",
])("%s breaks a policy", (code) => {
  expect(readFault(400, noHeaders, failure(code))).toMatchObject({
    blame: "request",
    code: "content_policy_violation",
  });
});

test("a full queue says when to come back, though never later than a minute", () => {
  const after = (seconds: string) =>
    readFault(429, new Headers({ "retry-after": seconds }), failure("ServerOverloaded"));
  expect(after("5")).toMatchObject({ retryAfterSeconds: 5 });
  expect(after("9999")).toMatchObject({ retryAfterSeconds: 60 });
  expect(after("-1")).toMatchObject({ retryAfterSeconds: null });
});

test("X-U24 where there is no message there is one of ours", () => {
  const bodies: Json[] = [null, "<html>", [], {}, { error: "no" }, { error: { message: 7 } }];
  for (const body of bodies) {
    const message = "the upstream answered with status 400";
    expect(readFault(400, noHeaders, body)).toMatchObject({
      blame: "request",
      code: null,
      message,
    });
    expect(readFault(500, noHeaders, body)).toMatchObject({ blame: "channel" });
  }
});
