// Envelope B: `{code, message, data: null}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeB(error: GatewayError): Written {
  const { message, shownCode: code } = error;
  return { status: statusOf(error), body: JSON.stringify({ code, message, data: null }) };
}
