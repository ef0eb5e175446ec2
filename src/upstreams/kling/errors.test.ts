// Blame for an error of Kling.
import { describe, expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readFault } from "./errors.ts";

const noHeaders = new Headers();

function failure(code: number): Json {
  return { code, message: "Kling's words", request_id: "r" };
}

describe("the code decides", () => {
  test.each([
    [401, 1000, "key"],
    [401, 1004, "key"],
    [429, 1100, "key"],
    [429, 1101, "suspect"],
    [429, 1102, "suspect"],
    [403, 1103, "suspect"],
    [403, 1304, "key"],
    [400, 1200, "request"],
    [400, 1201, "request"],
    [200, 1201, "request"],
    [400, 1301, "request"],
    [429, 1302, "load"],
    [429, 1303, "load"],
    [405, 1202, "channel"],
    [404, 1203, "channel"],
    [500, 5000, "channel"],
    [503, 5001, "channel"],
    [200, 9999, "channel"],
  ])("%d with %d blames the %s", (status, code, blame) => {
    const fault = readFault(status, noHeaders, failure(code));
    expect(fault).toMatchObject({ blame, message: "Kling's words" });
  });

  test("an account without money is suspect for that", () => {
    expect(readFault(429, noHeaders, failure(1102))).toMatchObject({ isOfCredit: true });
    expect(readFault(403, noHeaders, failure(1103))).toMatchObject({ isOfCredit: false });
  });

  test("what breaks a policy is named so", () => {
    expect(readFault(400, noHeaders, failure(1301))).toEqual({
      blame: "request",
      status: 400,
      type: "invalid_request_error",
      code: "content_policy_violation",
      param: null,
      message: "Kling's words",
    });
    expect(readFault(200, noHeaders, failure(1201))).toMatchObject({ status: 400, code: null });
  });
});

test.each([
  [401, "key"],
  [402, "suspect"],
  [403, "suspect"],
  [400, "request"],
  [413, "request"],
  [429, "load"],
  [404, "channel"],
  [502, "channel"],
])("X-U24 without a code %d blames the %s, in words of ours", (status, blame) => {
  const bodies: Json[] = [null, "<html>", [], {}, { code: "1000" }, { message: 7 }];
  for (const body of bodies) {
    expect(readFault(status, noHeaders, body)).toMatchObject({
      blame,
      message: `the upstream answered with status ${status}`,
    });
  }
});

test("a full queue says when to come back, though never later than a minute", () => {
  const after = (seconds: string) =>
    readFault(429, new Headers({ "retry-after": seconds }), failure(1303));
  expect(after("5")).toMatchObject({ retryAfterSeconds: 5 });
  expect(after("9999")).toMatchObject({ retryAfterSeconds: 60 });
  expect(after("soon")).toMatchObject({ retryAfterSeconds: null });
});
