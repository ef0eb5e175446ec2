// The messages routes: envelope A inside the shape that Anthropic's clients read.
import type { GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";

export function envelopeMessages(error: GatewayError, { requestId }: EnvelopeFacts): Written {
  const { message, type, param, shownCode: code, status } = error;
  const body = { type: "error", error: { type, message, param, code }, request_id: requestId };
  return { status, body: JSON.stringify(body) };
}
