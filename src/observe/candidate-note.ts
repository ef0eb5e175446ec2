// Record of each channel that a request could have gone to, for whoever asks why it went where it
// went. Kept only where the first choice did not serve it.

/** `resting`: every key that it has rests; `disabled`: none is enabled. */
export type CandidateState = "open" | "ejected" | "saturated" | "spent" | "resting" | "disabled";

export interface CandidateNote {
  channelId: string;
  channelName: string;
  priority: number;
  weight: number;
  inFlight: number;
  state: CandidateState;
}

/** One for all, because most requests have nothing to tell. */
export const noCandidates: readonly CandidateNote[] = [];

const candidatesMax = 16;

export function encodeCandidates(notes: readonly CandidateNote[]): string | null {
  return notes.length === 0 ? null : JSON.stringify(notes.slice(0, candidatesMax));
}

export function decodeCandidates(text: string | null): readonly CandidateNote[] {
  return text === null ? noCandidates : JSON.parse(text);
}
