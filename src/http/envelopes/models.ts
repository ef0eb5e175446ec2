// The lists of models under `/v1`, which clients of several vendors ask for: Google's for a client
// that sent Google's header, envelope A for all others.
import type { GatewayError } from "../../core/errors.ts";
import { isGoogleClient } from "../credentials.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { envelopeGoogle } from "./google.ts";
import { envelopeA } from "./plain.ts";

export function envelopeModels(error: GatewayError, facts: EnvelopeFacts): Written {
  return isGoogleClient(facts.headers) ? envelopeGoogle(error, facts) : envelopeA(error);
}
