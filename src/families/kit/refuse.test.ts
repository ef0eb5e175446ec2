import { expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { invalid, missing, oneOf, tooLarge } from "./refuse.ts";
import { statusOf } from "../../http/envelopes/status.ts";

/** What a client is told: status, code and the field; null when nothing is refused. */
export function refusalOf(run: () => unknown): [number, string | null, string | null] | null {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return [statusOf(error), error.shownCode, error.param];
    throw error;
  }
  return null;
}

export function bad(param: string): [number, string, string] {
  return [400, "invalid_request", param];
}

function thrower(error: Error): () => never {
  return () => {
    throw error;
  };
}

test("a refusal names the field and says what is wrong with it", () => {
  expect(invalid("size", "must be text").message).toBe("size must be text.");
  expect(missing("prompt").message).toBe("prompt is required.");
  expect(oneOf("ratio", ["1:1", "16:9"]).message).toBe("ratio must be one of 1:1, 16:9.");
  expect(refusalOf(thrower(missing("prompt")))).toEqual(bad("prompt"));
  expect(refusalOf(thrower(tooLarge("video", 5)))).toEqual([
    413,
    "request_body_too_large",
    "video",
  ]);
});
