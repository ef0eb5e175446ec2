// The passes that only watch memory: many connections, many requests, many open streams.
import { measure, type Measure } from "./passes.ts";
import type { Target } from "../targets/target.ts";
import { requestAsk, slowStreamAsk } from "./workload.ts";

export const crowdConnections = 256;
export const soakRequests = 300_000;
const soakSlices = 10;
const soakSliceSecondsMax = 120;
// The slow vendor sends a chunk a second for a minute, so every stream is open when the hold ends.
const holdSeconds = 25;

export interface Soak {
  readonly count: number;
  readonly errors: number;
  readonly rssBytesAfterSlice: readonly number[];
  readonly rssBytesPeak: number;
}

export function measureCrowd(target: Target, seconds: number): Promise<Measure> {
  return measure(target, {
    ...requestAsk,
    connections: crowdConnections,
    seconds,
  });
}

export async function measureSoak(target: Target): Promise<Soak> {
  const slices: Measure[] = [];
  for (let slice = 0; slice < soakSlices; slice++)
    slices.push(
      await measure(target, {
        ...requestAsk,
        connections: crowdConnections,
        seconds: soakSliceSecondsMax,
        requestsMax: soakRequests / soakSlices,
      }),
    );
  return {
    count: slices.reduce((sum, slice) => sum + slice.count, 0),
    errors: slices.reduce((sum, slice) => sum + slice.errors, 0),
    rssBytesAfterSlice: slices.map((slice) => slice.rssBytesAfter),
    rssBytesPeak: Math.max(...slices.map((slice) => slice.rssBytesPeak)),
  };
}

export function measureOpenStreams(target: Target, count: number): Promise<Measure> {
  return measure(target, {
    ...slowStreamAsk,
    connections: count,
    seconds: holdSeconds,
    holdSeconds,
  });
}
