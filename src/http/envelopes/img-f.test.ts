import { expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { envelopeImgF } from "./img-f.ts";

function written(error: GatewayError) {
  const { status, body } = envelopeImgF(error);
  return { status, body: JSON.parse(body) };
}

test("N8 a refusal has the dialect's number and names the field", () => {
  const numberOf = (code: ConstructorParameters<typeof GatewayError>[0]) =>
    written(new GatewayError(code)).body.code;
  const wrong = new GatewayError("invalid_request", { param: "index", message: "index is wrong." });
  expect(written(wrong)).toMatchObject({
    status: 400,
    body: { code: 4, description: "index is wrong.", properties: { param: "index" } },
  });
  expect(numberOf("task_not_found")).toBe(3);
  expect(numberOf("request_body_too_large")).toBe(4);
  expect(numberOf("rate_limit_exceeded")).toBe(23);
  const shown = {
    upstreamStatus: 400,
    type: "invalid_request_error",
    code: "content_policy_violation",
  };
  expect(written(new GatewayError("invalid_request", { shown }))).toMatchObject({
    status: 200,
    body: { code: 24 },
  });
  expect(numberOf("insufficient_quota")).toBe(9);
  expect(numberOf("invalid_api_key")).toBe(9);
});
