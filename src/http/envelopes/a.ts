// Envelope A: `{error: {message, type, param, code}}`.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeA(error: GatewayError): Written {
  const { message, type, param, shownCode: code } = error;
  return {
    status: statusOf(error),
    body: JSON.stringify({ error: { message, type, param, code } }),
  };
}
