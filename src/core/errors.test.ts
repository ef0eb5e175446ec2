import { describe, expect, test } from "bun:test";
import {
  catalogue,
  DependencyError,
  GatewayError,
  toGatewayError,
  type ErrorCode,
} from "./errors.ts";

const codes = Object.keys(catalogue) as ErrorCode[];
const shown = { upstreamStatus: 418, type: "teapot_error", code: "short_and_stout" };

describe("the catalogue", () => {
  test.each(codes)("%s has a type and a sentence", (code) => {
    const { message, type } = catalogue[code];
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(type).toMatch(/^[a-z_]+$/);
  });
});

describe("an error of ours", () => {
  test.each(codes)("%s takes everything from its row", (code) => {
    const error = new GatewayError(code);
    const { blame, type, message } = catalogue[code];
    expect([error.blame, error.type, error.message]).toEqual([blame, type, message]);
    expect([error.param, error.retryAfterSeconds, error.shown]).toEqual([null, null, null]);
  });

  test("shows what a vendor said instead of its row", () => {
    const error = new GatewayError("upstream_refused", { shown, message: "I am a teapot." });
    expect([error.blame, error.type, error.shownCode, error.message]).toEqual([
      "client",
      "teapot_error",
      "short_and_stout",
      "I am a teapot.",
    ]);
    expect(error.code).toBe("upstream_refused");
  });

  test.each(codes)("shows what a vendor said also in place of %s", (code) => {
    expect(new GatewayError(code, { shown }).shownCode).toBe("short_and_stout");
    expect(new GatewayError(code, { shown: { ...shown, code: null } }).shownCode).toBeNull();
  });

  test("shows no code where the vendor gave none", () => {
    const error = new GatewayError("upstream_refused", { shown: { ...shown, code: null } });
    expect(error.shownCode).toBeNull();
  });

  test("shows its own code, save for the two that clients know by another name", () => {
    const renamed = codes.filter((code) => new GatewayError(code).shownCode !== code);
    expect(renamed).toEqual(["overloaded", "model_not_priced"]);
    expect(new GatewayError("model_not_priced").shownCode).toBe("model_not_found");
    expect(new GatewayError("overloaded").shownCode).toBe("server_error");
  });

  test("is worth another try unless its row says no", () => {
    const final = codes.filter((code) => !new GatewayError(code).isRetryable);
    expect(final).toEqual([
      "insufficient_quota",
      "insufficient_user_quota",
      "budget_exceeded",
      "upgrade_required",
      "model_not_found",
      "model_not_priced",
    ]);
  });

  test("carries its details", () => {
    const cause = new Error("why");
    const error = new GatewayError("invalid_request", {
      param: "model",
      retryAfterSeconds: 3,
      cause,
    });
    expect([error.param, error.retryAfterSeconds, error.cause]).toEqual(["model", 3, cause]);
  });
});

describe("toGatewayError", () => {
  test("leaves an error of ours as it is", () => {
    const error = new GatewayError("not_found");
    expect(toGatewayError(error)).toBe(error);
  });

  test.each<[string, unknown]>([
    ["an error", new TypeError("a detail that is nobody's business")],
    ["a text", "thrown"],
    ["nothing", undefined],
  ])("makes %s an inner error that says nothing of its cause", (_name, thrown) => {
    const error = toGatewayError(thrown);
    expect([error.code, error.message, error.cause]).toEqual([
      "server_error",
      catalogue.server_error.message,
      thrown,
    ]);
  });
});

test("what failed because the database is away may be tried again, and all else is our fault", () => {
  class Away extends DependencyError {
    readonly isAway: boolean;
    constructor(isAway: boolean) {
      super("the database system is starting up");
      this.isAway = isAway;
    }
  }
  expect(toGatewayError(new Away(true))).toMatchObject({
    code: "overloaded",
    retryAfterSeconds: 1,
  });
  expect(toGatewayError(new Away(false))).toMatchObject({ code: "server_error" });
});
