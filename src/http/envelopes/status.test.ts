import { expect, test } from "bun:test";
import { catalogue, GatewayError, type ErrorCode } from "../../core/errors.ts";
import { statuses, statusOf } from "./status.ts";

const codes = Object.keys(catalogue) as ErrorCode[];

test.each(codes)("%s has the status of an error", (code) => {
  expect(statuses[code]).toBeWithin(400, 600);
  expect(statusOf(new GatewayError(code))).toBe(statuses[code]);
});

test.each(codes)("%s blames the gateway or an upstream only for what they do", (code) => {
  const { blame } = catalogue[code];
  if (statuses[code] < 500) expect(["client", "caller"]).toContain(blame);
  if (statuses[code] === 500) expect(["gateway", "upstream"]).toContain(blame);
});

test("what a vendor said has the vendor's own status", () => {
  const shown = { upstreamStatus: 418, type: "teapot_error", code: "short_and_stout" };
  expect(statusOf(new GatewayError("upstream_refused", { shown }))).toBe(418);
});
