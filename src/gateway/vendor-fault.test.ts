// Meanings of a vendor's error for the attempt.
import { describe, expect, test } from "bun:test";
import type { Fault, TokenLimits } from "../upstreams/upstream.ts";
import { teller } from "./conceal.ts";
import { toAttempt } from "./vendor-fault.ts";

const key = "plain-words-of-a-key";
const conceal = teller({
  settings: { baseUrl: "https://api.vendor.test/v1", headers: {} },
  key: { text: key },
});
const none: TokenLimits = { input: null, output: null, total: null };

function blameOf(limits: Partial<TokenLimits>, asked: { input: number; output: number } | null) {
  const fault = {
    blame: "load",
    message: "Slow.",
    retryAfterSeconds: 7,
    limits: { ...none, ...limits },
  } as const;
  const attempt = toAttempt(fault, conceal, asked);
  return attempt.kind === "failed" ? attempt.blame : attempt.kind;
}

describe("a busy vendor's limit", () => {
  test.each([
    [{ total: 100 }, "load"],
    [{ total: 99 }, "size"],
    [{ input: 60 }, "load"],
    [{ input: 59 }, "size"],
    [{ output: 40 }, "load"],
    [{ output: 39 }, "size"],
    [{ input: 60, output: 40, total: 99 }, "size"],
    [{}, "load"],
  ])("of %p against 60 tokens in and 40 out means %s", (limits, blame) => {
    expect(blameOf(limits, { input: 60, output: 40 })).toBe(blame as "load");
  });

  test("means load where nobody knows what was asked for", () => {
    expect(blameOf({ total: 1 }, null)).toBe("load");
  });
});

test("what is too large is told in the vendor's words, without its account", () => {
  const message = "Request too large in organization org-AbC123 of proj_9: Limit 1.";
  const fault = { blame: "size", status: 413, message, retryAfterSeconds: null } as const;
  expect(toAttempt(fault, conceal)).toMatchObject({
    kind: "failed",
    blame: "size",
    error: {
      message: "Request too large in organization [account] of [account]: Limit 1.",
      shown: { upstreamStatus: 413, type: "rate_limit_error", code: "request_body_too_large" },
    },
  });
});

test("what a suspect key was refused with is for the log alone", () => {
  const fault = { blame: "suspect", isOfCredit: true, message: "org-1 is spent" } as const;
  expect(toAttempt(fault, conceal)).toMatchObject({
    blame: "suspect",
    isOfCredit: true,
    error: { code: "bad_response", message: "The upstream answered with an error." },
  });
});

test("no field of a refusal has the key in it", () => {
  const said = `it is ${key}`;
  const fault: Fault = {
    blame: "request",
    status: 400,
    type: said,
    code: said,
    param: said,
    message: said,
  };
  const attempt = toAttempt(fault, conceal);
  if (attempt.kind !== "refused") throw new Error("it was not refused");
  const { message, param, shown } = attempt.error;
  const clean = "it is [secret]";
  expect([message, param, shown]).toEqual([
    clean,
    clean,
    { upstreamStatus: 400, type: clean, code: clean },
  ]);
});

test("what is absent stays absent", () => {
  const fault: Fault = {
    blame: "request",
    status: 422,
    type: "t",
    code: null,
    param: null,
    message: "no",
  };
  const attempt = toAttempt(fault, conceal);
  expect(attempt).toMatchObject({ error: { param: null, shown: { type: "t", code: null } } });
});
