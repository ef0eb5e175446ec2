// Blame for each of Bedrock's errors.
import { describe, expect, test } from "bun:test";
import { readFault } from "./errors.ts";

function named(status: number, exception: string, message = "so it is") {
  const headers = new Headers({ "x-amzn-errortype": `${exception}:http://internal.amazon.com/` });
  return readFault(status, headers, { message });
}

test.each([
  [429, "ThrottlingException", "load"],
  [429, "ModelNotReadyException", "load"],
  [400, "ServiceQuotaExceededException", "load"],
  [503, "ServiceUnavailableException", "channel"],
  [500, "InternalServerException", "channel"],
  [408, "ModelTimeoutException", "channel"],
  [424, "ModelErrorException", "channel"],
  [400, "ValidationException", "request"],
  [404, "ResourceNotFoundException", "channel"],
  [403, "AccessDeniedException", "suspect"],
  [403, "UnrecognizedClientException", "key"],
  [403, "InvalidSignatureException", "key"],
  [403, "InvalidClientTokenId", "key"],
  [403, "SignatureDoesNotMatch", "key"],
  [403, "ExpiredTokenException", "key"],
  [403, "ExpiredToken", "key"],
  [403, "RequestExpired", "channel"],
  [401, "NewException", "key"],
  [403, "NewException", "suspect"],
  [429, "NewException", "load"],
  [400, "NewException", "request"],
  [418, "NewException", "channel"],
])("%i %s is the fault of the %s", (status, exception, blame) => {
  const fault = named(status, exception);
  expect(fault.blame).toBe(blame as typeof fault.blame);
  expect(fault.message).toBe("so it is");
});

describe("what one name has several meanings of", () => {
  test.each([
    ["The provided model identifier is invalid.", "channel"],
    ["Invocation of model ID x with on-demand throughput isn’t supported.", "channel"],
    ["This model version has reached the end of its life.", "channel"],
    ["Input is too long for requested model.", "size"],
    ["prompt is too long: 210000 tokens > 200000 maximum", "size"],
    ["messages.0.content: Extra inputs are not permitted", "request"],
  ])("is told by its words: %s", (message, blame) => {
    const fault = named(400, "ValidationException", message);
    expect(fault.blame).toBe(blame as typeof fault.blame);
  });

  test("is no bad key where the clock is wrong", () => {
    const message = "Signature expired: 20261118T030000Z is now earlier than 20261118T031000Z";
    expect(named(403, "InvalidSignatureException", message).blame).toBe("channel");
  });
});

test("the name may stand in the body", () => {
  const body = { __type: "com.amazon.coral.service#ThrottlingException", Message: "slow down" };
  expect(readFault(400, new Headers(), body)).toMatchObject({
    blame: "load",
    message: "slow down",
  });
});

test("a name from inside a stream counts, whatever the status", () => {
  const error = { type: "api_error", message: "m", exception: "throttlingException" };
  expect(readFault(500, new Headers(), { error })).toMatchObject({ blame: "load" });
});

test("a quota of the day rests a minute, and a time that is told counts", () => {
  const words = "Too many tokens per day, please wait before trying again.";
  expect(named(429, "ThrottlingException", words)).toMatchObject({ retryAfterSeconds: 60 });
  expect(named(429, "ThrottlingException")).toMatchObject({ retryAfterSeconds: null });
  const headers = new Headers({ "x-amzn-errortype": "ThrottlingException", "retry-after": "7" });
  expect(readFault(429, headers, { message: words })).toMatchObject({ retryAfterSeconds: 7 });
});

test("Mantle's errors are read as those of the wire it speaks", () => {
  const error = { message: "bad key", type: "invalid_request_error", code: "invalid_api_key" };
  expect(readFault(401, new Headers(), { error })).toMatchObject({ blame: "key" });
  const anthropic = { type: "error", error: { type: "rate_limit_error", message: "slow" } };
  expect(readFault(429, new Headers(), anthropic)).toMatchObject({ blame: "load" });
});

test("an error in no known shape is judged by its status", () => {
  for (const body of [null, "oops", [], {}, { message: 3 }]) {
    const message = "the upstream answered with status 502";
    expect(readFault(502, new Headers(), body)).toEqual({ blame: "channel", message });
    expect(readFault(400, new Headers(), body)).toMatchObject({ blame: "request", status: 400 });
  }
});
