// Envelope B: `{code, message, data: null}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";

export function envelopeB({ message, shownCode: code, status }: GatewayError): Written {
  return { status, body: JSON.stringify({ code, message, data: null }) };
}
