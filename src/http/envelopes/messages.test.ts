import { expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { envelopeMessages } from "./messages.ts";

function bodyOf(error: GatewayError): unknown {
  const { body } = envelopeMessages(error, { requestId: "req_1", headers: new Headers() });
  return JSON.parse(body);
}

test("N2 a code stands where Anthropic's clients look for it as well", () => {
  const error = new GatewayError("thread_unsupported_request", { param: "thread" });
  expect(bodyOf(error)).toEqual({
    type: "error",
    error: {
      type: "invalid_request_error",
      message: error.message,
      param: "thread",
      code: "thread_unsupported_request",
      details: { error_code: "thread_unsupported_request" },
    },
    request_id: "req_1",
  });
});

test("N2 what a vendor said without a code has none", () => {
  const shown = { upstreamStatus: 400, type: "invalid_request_error", code: null };
  const error = new GatewayError("upstream_refused", { message: "Too long.", shown });
  expect(bodyOf(error)).toEqual({
    type: "error",
    error: { type: "invalid_request_error", message: "Too long.", param: null, code: null },
    request_id: "req_1",
  });
});
