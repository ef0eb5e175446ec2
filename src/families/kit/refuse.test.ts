import { expect, test } from "bun:test";
import { bad, refusalOf } from "./fixtures/refusals.ts";
import { invalidValue, missing, oneOf, tooLarge } from "./refuse.ts";

function thrower(error: Error): () => never {
  return () => {
    throw error;
  };
}

test("a refusal names the field and says what is wrong with it", () => {
  expect(invalidValue("size", "must be text").message).toBe("size must be text.");
  expect(missing("prompt").message).toBe("prompt is required.");
  expect(oneOf("ratio", ["1:1", "16:9"]).message).toBe("ratio must be one of 1:1, 16:9.");
  expect(refusalOf(thrower(missing("prompt")))).toEqual(bad("prompt"));
  expect(refusalOf(thrower(tooLarge("video", 5)))).toEqual([
    413,
    "request_body_too_large",
    "video",
  ]);
});
