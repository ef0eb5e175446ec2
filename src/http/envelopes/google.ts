// Google's routes: envelope A with Google's word for the status added; a client that sent Google's
// own header reads Google's own shape, with ours among the details.
import type { GatewayError } from "../../core/errors.ts";
import { statusWord } from "../../formats/content/index.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";

export function envelopeGoogle(error: GatewayError, { headers }: EnvelopeFacts): Written {
  const { message, type, param, shownCode: code, status } = error;
  const word = statusWord(status);
  const body = headers.has("x-goog-api-key")
    ? { error: { code: status, message, status: word, details: [{ type, param, code }] } }
    : { error: { message, type, param, code, status: word } };
  return { status, body: JSON.stringify(body) };
}
