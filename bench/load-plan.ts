// The load generator's contract with main.ts: one JSON argument in, one JSON line out.

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connections take these API keys in turn, in place of what `headers` authorize. */
  readonly keys?: readonly string[];
  readonly body: string;
  readonly isStream: boolean;
  /** Closing bytes of a stream that came to its proper end. */
  readonly streamEnd: string;
  readonly connections: number;
  /** Stop after this time, or after this many requests when that comes first. */
  readonly seconds: number;
  readonly requestsMax: number;
  /** Open streams: one request a connection, left unfinished until this time has passed. */
  readonly holdSeconds?: number;
}

export interface LoadResult {
  readonly count: number;
  readonly errors: number;
  readonly firstError: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the first byte of the body, which a gateway that flushes its headers early cannot fake. */
  readonly firstByteP50Ms: number;
  /** Streams that had begun and were still open when the hold ended. */
  readonly openStreams: number;
}
