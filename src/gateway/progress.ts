// The way of a request over its attempts, noted as it goes.
import type { ChannelId } from "../core/ids.ts";
import type { PlacedBy } from "../distribution/affinity.ts";
import type { Channel, ChannelKey } from "../distribution/channel.ts";
import { noNotes, type AttemptNote } from "../observe/attempt-note.ts";
import { noCandidates, type CandidateNote } from "../observe/candidate-note.ts";
import type { RequestTrace } from "../observe/otlp/request-trace.ts";
import type { Scope } from "./scope.ts";

/** Progress of a request, for readers after it has failed. */
export interface Progress {
  attempts: number;
  channel: Channel | null;
  /** That of the channel by which it was asked. */
  key: ChannelKey | null;
  /** Those that were at fault, one for each attempt that failed. */
  failedChannels: readonly ChannelId[];
  /** Every attempt, where one of them did not serve the request. */
  trail: readonly AttemptNote[];
  /** The candidates there were, where the first choice did not serve. */
  candidates: readonly CandidateNote[];
  /** The way its last choice came about; null where it is of no conversation. */
  affinity: PlacedBy | null;
  /** For channels that were back in a moment. */
  waitedMs: number;
  /** Tokens taken of the channel's minute, judged by the size the request seems to have. */
  takenTokens: number;
  /** The scope whose client may leave; absent where none listens. */
  readonly scope?: Pick<Scope, "signal">;
  /** Time of the request's arrival, by the clock that never goes back. */
  readonly arrivedAtMs: number;
  /** Null where nothing is traced. */
  readonly trace?: RequestTrace | null;
}

export function newProgress(arrivedAtMs: number, trace: RequestTrace | null = null): Progress {
  return {
    attempts: 0,
    channel: null,
    key: null,
    failedChannels: [],
    trail: noNotes,
    candidates: noCandidates,
    affinity: null,
    waitedMs: 0,
    takenTokens: 0,
    arrivedAtMs,
    trace,
  };
}
