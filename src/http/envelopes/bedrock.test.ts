import { expect, test } from "bun:test";
import { catalogue, GatewayError, type ErrorCode } from "../../core/errors.ts";
import { envelopeBedrock } from "./bedrock.ts";

const codes = Object.keys(catalogue) as ErrorCode[];

/** Names by which Amazon's clients try again, and those by which they do not. */
const names: Readonly<Record<number, readonly string[]>> = {
  401: ["UnrecognizedClientException", "ValidationException", "InternalServerException"],
  402: ["ServiceQuotaExceededException"],
  429: ["ThrottlingException"],
};

test.each(codes)("N41 %s has a kind that Amazon's clients know, and its fields", (code) => {
  const { status, body, headers } = envelopeBedrock(new GatewayError(code, { param: "x" }));
  expect(JSON.parse(body)).toMatchObject({ message: catalogue[code].message, param: "x" });
  const kind = headers?.["x-amzn-errortype"];
  expect(kind).toMatch(/^[A-Z][A-Za-z]+Exception$/);
  if (names[status]) expect(names[status]).toContain(kind ?? "");
});

test("N41 a vendor's own words keep its status, and their kind follows from it", () => {
  const statuses = { 400: "Validation", 404: "ResourceNotFound", 429: "Throttling" };
  for (const [status, kind] of Object.entries(statuses)) {
    const shown = { upstreamStatus: Number(status), type: "x", code: null };
    const written = envelopeBedrock(new GatewayError("upstream_refused", { shown }));
    expect(written.status).toBe(Number(status));
    expect(written.headers).toEqual({ "x-amzn-errortype": `${kind}Exception` });
  }
});
