// Envelope C: `{error: {message, type}}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeC(error: GatewayError): Written {
  const { message, type } = error;
  return { status: statusOf(error), body: JSON.stringify({ error: { message, type } }) };
}
