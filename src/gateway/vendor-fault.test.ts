// What a vendor's error means for the attempt.
import { describe, expect, test } from "bun:test";
import type { TokenLimits } from "../upstreams/upstream.ts";
import { toAttempt } from "./vendor-fault.ts";

const none: TokenLimits = { input: null, output: null, total: null };

function blameOf(limits: Partial<TokenLimits>, asked: { input: number; output: number } | null) {
  const fault = {
    blame: "load",
    message: "Slow.",
    retryAfterSeconds: 7,
    limits: { ...none, ...limits },
  } as const;
  const attempt = toAttempt(fault, fault.message, asked);
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
  expect(toAttempt(fault, message)).toMatchObject({
    kind: "failed",
    blame: "size",
    error: {
      message: "Request too large in organization [account] of [account]: Limit 1.",
      shown: { upstreamStatus: 413, type: "rate_limit_error", code: "request_too_large" },
    },
  });
});

test("what a suspect key was refused with is for the log alone", () => {
  const fault = { blame: "suspect", isOfCredit: true, message: "org-1 is spent" } as const;
  expect(toAttempt(fault, fault.message)).toMatchObject({
    blame: "suspect",
    isOfCredit: true,
    error: { code: "bad_response", message: "The upstream answered with an error." },
  });
});
