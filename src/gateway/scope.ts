// What travels with every request through the flows.
import type { RequestId } from "../core/ids.ts";

export interface Scope {
  requestId: RequestId;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** On the clock that never goes back. */
  startedAtMs: number;
  /** How many gateways like this one the request has passed. */
  hops: number;
}

export const hopHeader = "x-sluice-hops";
export const hopsMax = 5;
