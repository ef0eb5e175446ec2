// The envelopes of routes without a vendor's dialect of errors.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

/** A: `{error: {message, type, param, code}}`. */
export function envelopeA(error: GatewayError): Written {
  const { message, type, param, shownCode: code } = error;
  return write(error, { error: { message, type, param, code } });
}

/** B: `{code, message, data: null}`. */
export function envelopeB(error: GatewayError): Written {
  const { message, shownCode: code } = error;
  return write(error, { code, message, data: null });
}

/** C: `{error: {message, type}}`. */
export function envelopeC(error: GatewayError): Written {
  const { message, type } = error;
  return write(error, { error: { message, type } });
}

/** The unified video route: A, and B where there were too many requests. */
export function envelopeUnified(error: GatewayError): Written {
  return statusOf(error) === 429 ? envelopeB(error) : envelopeA(error);
}

function write(error: GatewayError, body: object): Written {
  return { status: statusOf(error), body: JSON.stringify(body) };
}
