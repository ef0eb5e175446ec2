// Envelope A: `{error: {message, type, param, code}}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";

export function envelopeA(error: GatewayError): Written {
  const { message, type, param, shownCode: code, status } = error;
  return { status, body: JSON.stringify({ error: { message, type, param, code } }) };
}
