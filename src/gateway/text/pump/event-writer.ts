// A framing of a stream, as a client may want it instead of events.
import type { GatewayError } from "../../../core/errors.ts";

export interface EventWriter {
  readonly contentType: string;
  /** Whole events in its own framing; at the end with what closes it. */
  write(events: Uint8Array, isEnd: boolean): Uint8Array;
  /** The end of a stream that failed; `event` is how the format says so. */
  fail(error: GatewayError, event: Uint8Array): Uint8Array;
}
