// Looks at the media behind a user's URL without keeping it.
import { FetchFailed, piecesOf, type GuardedFetch } from "./fetch.ts";
import { probe, type Probe } from "./probe.ts";
import type { Spool } from "./spool.ts";

export type Inspection =
  | { kind: "media"; probe: Probe }
  | { kind: "not media" }
  | { kind: "too large" }
  | { kind: "not fetchable" };

interface InspectNeeds {
  fetch: GuardedFetch;
  spool: Spool;
}

export interface InspectLimits {
  bytesMax: number;
  timeoutMs: number;
}

/** Throws only when our own disk fails. */
export async function inspect(
  { fetch, spool }: InspectNeeds,
  url: string,
  limits: InspectLimits,
): Promise<Inspection> {
  try {
    const fetched = await fetch.open(url, { ...limits, allowPrivate: false });
    try {
      const result = await spool.hold(piecesOf(fetched), ({ path }) => probe(Bun.file(path)));
      return result ? { kind: "media", probe: result } : { kind: "not media" };
    } finally {
      fetched.close();
    }
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { kind: error.isTooLarge ? "too large" : "not fetchable" };
  }
}
