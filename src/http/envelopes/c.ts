// Envelope C: `{error: {message, type}}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";

export function envelopeC({ message, type, status }: GatewayError): Written {
  return { status, body: JSON.stringify({ error: { message, type } }) };
}
