// An error that is written in another envelope than its route's, because what was asked for decides
// that and not the address.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { EnvelopeName } from "./index.ts";

export class EnvelopedError extends GatewayError {
  /** Null leaves it to the route. */
  readonly envelope: EnvelopeName | null;

  constructor(envelope: EnvelopeName | null, error: GatewayError) {
    super(error.code, error.details);
    this.envelope = envelope;
  }
}

/** Write every failure of the work in this envelope. */
export async function inEnvelope<Value>(
  envelope: EnvelopeName | null,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw new EnvelopedError(envelope, toGatewayError(error));
  }
}

/** The same error with another status, in the envelope it has. */
export function withStatus(error: GatewayError, upstreamStatus: number): GatewayError {
  const { code, details, type, shownCode } = error;
  const shown = { upstreamStatus, type, code: shownCode };
  const changed = new GatewayError(code, { ...details, shown });
  return error instanceof EnvelopedError ? new EnvelopedError(error.envelope, changed) : changed;
}
