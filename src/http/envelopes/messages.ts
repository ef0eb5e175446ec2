// The messages routes: envelope A inside the shape that Anthropic's clients read.
import type { GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeMessages(error: GatewayError, { requestId }: EnvelopeFacts): Written {
  const { message, type, param, shownCode: code } = error;
  // Anthropic's clients look for a code among the details.
  const details = code !== null && { details: { error_code: code } };
  const shown = { type, message, param, code, ...details };
  const body = { type: "error", error: shown, request_id: requestId };
  return { status: statusOf(error), body: JSON.stringify(body) };
}
