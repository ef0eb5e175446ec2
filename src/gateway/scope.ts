// Facts that travel with every request through the flows.
import type { RequestId } from "../core/ids.ts";
import type { RequestTrace } from "../observe/otlp/request-trace.ts";

export interface Scope {
  requestId: RequestId;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** On the clock that never goes back. */
  startedAtMs: number;
  /** The count of gateways like this one that the request has passed. */
  hops: number;
  /** Null where nothing is traced. */
  trace?: RequestTrace | null;
}

export const hopHeader = "x-sluice-hops";
export const hopsMax = 5;
