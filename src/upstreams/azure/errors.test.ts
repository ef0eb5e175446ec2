// The blame for each of Azure's errors.
import { describe, expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readAzureFault } from "./errors.ts";

const read = (status: number, body: Json, headers: Record<string, string> = {}) =>
  readAzureFault(status, new Headers(headers), body);
const coded = (code: string | null, message = "words") => ({ error: { code, message } });

describe("a refusal of the key", () => {
  test.each<[string, Json]>([
    ["in the envelope", coded("401", "Access denied due to invalid subscription key")],
    ["of API Management", { statusCode: 401, message: "Access denied" }],
    ["of a token without the role", coded("PermissionDenied")],
    ["without a word", null],
  ])("%s is the key's fault", (_where, body) => {
    expect(read(401, body)).toMatchObject({ blame: "key" });
  });

  test("keeps the words of API Management", () => {
    expect(read(401, { statusCode: 401, message: "Access denied" }).message).toBe("Access denied");
  });
});

test.each(["403", "AccessDenied", "Forbidden"])("403 with %s may be the key's fault", (code) => {
  expect(read(403, coded(code))).toMatchObject({ blame: "suspect", isOfCredit: false });
});

test.each<[number, string]>([
  [404, "DeploymentNotFound"],
  [404, "404"],
  [400, "OperationNotSupported"],
  [400, "unavailable_model"],
  [500, "InternalServerError"],
  [503, "503"],
  [424, "424"],
])("%i with %s is the channel's fault", (status, code) => {
  expect(read(status, coded(code))).toMatchObject({ blame: "channel" });
});

describe("load", () => {
  test.each(["429", "RateLimitReached", "too_many_requests", "insufficient_quota"])(
    "is what 429 with %s means",
    (code) => {
      expect(read(429, coded(code))).toMatchObject({ blame: "load" });
    },
  );

  test("lasts as long as the finer header says", () => {
    const headers = { "retry-after": "7", "retry-after-ms": "6250" };
    expect(read(429, coded("429"), headers)).toMatchObject({ retryAfterSeconds: 6.25 });
    expect(read(429, coded("429"), { "retry-after": "7" })).toMatchObject({ retryAfterSeconds: 7 });
  });
});

describe("a prompt that the filter refuses", () => {
  const innererror = { code: "ResponsibleAIPolicyViolation", content_filter_result: {} };
  const error = { message: "filtered", type: null, param: "prompt", status: 400 };

  test.each<[string, Json]>([
    ["by its code", { error: { ...error, code: "content_filter", innererror } }],
    ["by the code inside alone", { error: { ...error, code: null, innererror } }],
    ["by the code of images", { error: { ...error, code: "contentFilter" } }],
  ])("is the client's own, %s", (_how, body) => {
    expect(read(400, body)).toEqual({
      blame: "request",
      status: 400,
      type: "invalid_request_error",
      code: "content_filter",
      param: "prompt",
      message: "filtered",
    });
  });
});

test("a code that repeats the status is not told as a code", () => {
  expect(read(400, coded("400"))).toMatchObject({ blame: "request", code: null });
  expect(read(400, coded("BadRequest"))).toMatchObject({ blame: "request", code: "BadRequest" });
});

test("Anthropic's envelope is read as such", () => {
  const error = { type: "invalid_request_error", message: "max_tokens: is required" };
  expect(read(400, { type: "error", error })).toMatchObject({ blame: "request", code: null });
  const busy = { type: "rate_limit_error", message: "slow down" };
  expect(read(429, { type: "error", error: busy })).toMatchObject({ blame: "load" });
});
