import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { isRefusal, readFault } from "./errors.ts";

function fault(status: number, body: Json, headers: Record<string, string> = {}) {
  return readFault(status, new Headers(headers), body);
}

test.each([
  [3, { blame: "request", status: 400, code: null }],
  [4, { blame: "request", status: 400, code: null }],
  [9, { blame: "channel" }],
  [23, { blame: "load", retryAfterSeconds: null }],
  [24, { blame: "request", status: 400, code: "content_policy_violation" }],
])("the number %d decides, whatever the status", (code, expected) => {
  expect(isRefusal(code)).toBe(true);
  expect(fault(200, { code, description: "No." })).toMatchObject({ ...expected, message: "No." });
});

test("a refusal of the request keeps a status that says so", () => {
  expect(fault(422, { code: 4, description: "No." })).toMatchObject({ status: 422 });
});

test.each([
  [400, "request"],
  [401, "key"],
  [402, "suspect"],
  [403, "suspect"],
  [404, "channel"],
  [413, "request"],
  [429, "load"],
  [500, "channel"],
])("without a number %d is of the %s", (status, blame) => {
  expect(fault(status, null).blame).toBe(blame as "key");
  expect(fault(status, { code: "x" })).toMatchObject({
    blame,
    message: `the upstream answered with status ${status}`,
  });
});

test("a key that is refused is told by the status alone", () => {
  expect(fault(401, { code: 9, description: "No." })).toEqual({ blame: "key", message: "No." });
});

test("a busy vendor may say for how long", () => {
  expect(fault(429, null, { "retry-after": "7" })).toMatchObject({ retryAfterSeconds: 7 });
});

test("numbers of success and numbers that are not known refuse nothing", () => {
  for (const code of [1, 21, 22, 30, "4", null, undefined]) expect(isRefusal(code)).toBe(false);
});
