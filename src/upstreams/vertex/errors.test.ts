// Blame for an error on Vertex, in the envelopes of the platform and of the models it serves.
import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readVertexFault } from "./errors.ts";

const google = (status: string, reason?: string): Json => ({
  error: {
    code: 0,
    message: "words",
    status,
    ...(reason !== undefined && { details: [{ reason }] }),
  },
});
const claude = (type: string): Json => ({ type: "error", error: { type, message: "words" } });
const blameOf = (status: number, body: Json) => readVertexFault(status, new Headers(), body).blame;

test.each([
  [401, google("UNAUTHENTICATED"), "key"],
  [403, google("PERMISSION_DENIED"), "suspect"],
  [403, google("PERMISSION_DENIED", "SERVICE_DISABLED"), "key"],
  [403, google("PERMISSION_DENIED", "BILLING_DISABLED"), "key"],
  [403, google("PERMISSION_DENIED", "CONSUMER_INVALID"), "key"],
  [404, google("NOT_FOUND"), "channel"],
  [429, google("RESOURCE_EXHAUSTED"), "load"],
  [429, [google("RESOURCE_EXHAUSTED")], "load"],
  [400, google("INVALID_ARGUMENT"), "request"],
  [400, google("FAILED_PRECONDITION"), "request"],
  [499, google("CANCELLED"), "channel"],
  [500, google("INTERNAL"), "channel"],
  [503, google("UNAVAILABLE"), "channel"],
  [504, google("DEADLINE_EXCEEDED"), "channel"],
  [400, claude("invalid_request_error"), "request"],
  [404, claude("not_found_error"), "channel"],
  [429, claude("rate_limit_error"), "load"],
  [529, claude("overloaded_error"), "channel"],
  [400, { error: { type: "invalid_request_error", message: "words", code: null } }, "request"],
  [502, null, "channel"],
])("%d with %o is the %s's", (status, body, blame) => {
  expect(blameOf(status, body)).toBe(blame as ReturnType<typeof blameOf>);
});

test("a shared quota that is used up tells no time to come back", () => {
  expect(readVertexFault(429, new Headers(), google("RESOURCE_EXHAUSTED"))).toEqual({
    blame: "load",
    message: "words",
    retryAfterSeconds: null,
  });
});
