// Refusals as the tests of every family expect them.
import { GatewayError } from "../../core/errors.ts";
import { statusOf } from "../../http/envelopes/status.ts";

/** What a client is told: status, code and the field; null when nothing is refused. */
export function refusalOf(run: () => unknown): [number, string | null, string | null] | null {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return [statusOf(error), error.shownCode, error.param];
    throw error;
  }
  return null;
}

export function bad(param: string): [number, string, string] {
  return [400, "invalid_request", param];
}
