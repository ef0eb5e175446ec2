// Google's routes: envelope A with Google's word for the status added; a client that sent Google's
// own header reads Google's own shape, with ours among the details.
import type { GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

const statusWords: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  503: "UNAVAILABLE",
};

export function envelopeGoogle(error: GatewayError, { headers }: EnvelopeFacts): Written {
  const { message, type, param, shownCode: code } = error;
  const status = statusOf(error);
  const word = statusWords[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  const body = headers.has("x-goog-api-key")
    ? { error: { code: status, message, status: word, details: [{ type, param, code }] } }
    : { error: { message, type, param, code, status: word } };
  return { status, body: JSON.stringify(body) };
}
