// Record of one attempt of a request, for whoever asks why it went as it did. Kept only where an
// attempt did not serve its request: otherwise the request's row says all of it.

/** Ending of the attempt: `broken` is a stream that was served and then broke off. */
export type AttemptOutcome = "served" | "refused" | "failed" | "abandoned" | "broken";

export interface AttemptNote {
  channelId: string;
  channelName: string;
  /** Empty where the key is so short that four characters would give it away. */
  keyLast4: string;
  keyPosition: number;
  outcome: AttemptOutcome;
  /** Party at fault for a failure, as the gateway judged it. */
  blame: string | null;
  /** Status of the vendor's answer; null when there was none. */
  status: number | null;
  /** Ours, of the catalogue. */
  code: string | null;
  /** The vendor's own, or what the network said, without credentials. */
  words: string | null;
  /** The vendor's id for the request, where it told one. */
  vendorRequestId: string | null;
  /** Member of a virtual model that it was for. */
  model: string | null;
  /** Both since the request came in. */
  startedMs: number;
  endedMs: number;
}

/** One for all, because most requests have nothing to tell. */
export const noNotes: readonly AttemptNote[] = [];
