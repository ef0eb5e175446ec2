// The unified video route: envelope A, and B where there were too many requests.
import type { GatewayError } from "../../core/errors.ts";
import { envelopeA } from "./a.ts";
import { envelopeB } from "./b.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeUnified(error: GatewayError): Written {
  return statusOf(error) === 429 ? envelopeB(error) : envelopeA(error);
}
