// videoE's own routes: envelope A, beside what its vendor's clients look at.
import type { GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

/** The vendor's numbers; anything but 0 is an error. */
const numbers: Readonly<Record<number, number>> = {
  401: 1000,
  402: 1102,
  403: 1103,
  404: 1203,
  429: 1302,
  503: 5001,
};

export function envelopeVideoE(error: GatewayError, { requestId }: EnvelopeFacts): Written {
  const { message, type, param, shownCode } = error;
  const status = statusOf(error);
  const code = numbers[status] ?? (status < 500 ? 1201 : 5000);
  const body = {
    code,
    message,
    request_id: requestId,
    error: { message, type, param, code: shownCode },
  };
  return { status, body: JSON.stringify(body) };
}
