// Signs that tell a busy vendor from a request that is larger than its limit.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { loadFault } from "./load.ts";

const message = "Slow down.";

function read(headers: Record<string, string>, rest: object = {}) {
  return loadFault({ status: 429, headers: new Headers(headers), message, ...rest });
}

function quota(...violations: JsonObject[]) {
  return { details: [{ "@type": "x/QuotaFailure", violations }] };
}

describe("the request's own size", () => {
  test("is told by its name", () => {
    const size = { blame: "size", status: 429, message, retryAfterSeconds: null } as const;
    expect(read({}, { names: ["request_too_large", null] })).toEqual(size);
    expect(read({}, { names: ["request_too_large"], status: 413 })).toMatchObject({ status: 413 });
  });

  test.each([
    ["Request too large for m in organization org-1 on tokens per min (TPM).", "size"],
    ["Rate limit reached for m on TPM: Limit 30,000, Requested 40,000.", "size"],
    ["Rate limit reached for m on TPM: Limit 30000, Used 29000, Requested 5000.", "load"],
    ["The limit is known. What was requested is not.", "load"],
    ["Please try again.", "load"],
  ])("is told by its words alone where there is nothing else: %s", (words, blame) => {
    expect(read({}, { message: words }).blame).toBe(blame as "size");
  });
});

describe("the limits of a busy vendor", () => {
  test("are those that its headers name", () => {
    expect(read({ "x-ratelimit-limit-tokens": "30000" })).toMatchObject({
      blame: "load",
      limits: { total: 30_000, input: null, output: null },
    });
    const anthropic = {
      "anthropic-ratelimit-input-tokens-limit": "20000",
      "anthropic-ratelimit-output-tokens-limit": "4000",
      "anthropic-ratelimit-tokens-limit": "24000",
    };
    const limits = { total: 24_000, input: 20_000, output: 4000 };
    expect(read(anthropic)).toMatchObject({ blame: "load", limits });
  });

  test("are those of the quota that was violated", () => {
    const tokens = {
      quotaId: "GenerateContentInputTokensPerModelPerMinute",
      quotaValue: "250000",
    };
    expect(read({}, quota(tokens))).toMatchObject({ limits: { input: 250_000, output: null } });
    const all = { quotaMetric: "x/total_token_count", quotaValue: "1000" };
    expect(read({}, quota(tokens, all))).toMatchObject({ limits: { input: 250_000, total: 1000 } });
  });

  test("do not matter where it was the number of requests", () => {
    const busy = { blame: "load", message, retryAfterSeconds: null } as const;
    const headers = { "x-ratelimit-limit-tokens": "30000" };
    expect(read({ ...headers, "x-ratelimit-remaining-requests": "0" })).toEqual(busy);
    expect(read(headers, { names: ["requests"] })).toEqual(busy);
    const perDay = { quotaId: "RequestsPerDay", quotaValue: "50" };
    expect(read({}, quota(perDay))).toEqual(busy);
    expect(read({})).toEqual(busy);
    expect(read({ "x-ratelimit-limit-tokens": "many" })).toEqual(busy);
  });
});
