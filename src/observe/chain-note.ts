// Record of a request for a virtual model, for whoever asks why it went where it went.

/**
 * Fate of a member of a virtual model. `unserved`: no channel of the caller's has it; `unpriced`:
 * it has no price; `unaffordable`: the wallet does not cover it; `too_long`: the body is over its
 * window; `not_meant`: it is not for what the one before it was left for; `passed`: none of its
 * channels could be used just then.
 */
export type MemberFate =
  | "served"
  | "failed"
  | "refused"
  | "passed"
  | "unserved"
  | "unpriced"
  | "unaffordable"
  | "too_long"
  | "not_meant"
  | "not_needed";

export interface MemberNote {
  model: string;
  fate: MemberFate;
}

/** A virtual model as one request went through it, up to now. */
export interface ChainNotes {
  /** Null until a member serves. */
  readonly served: string | null;
  readonly members: readonly MemberNote[];
}

export function encodeMembers(chain: ChainNotes | null): string | null {
  return chain && JSON.stringify(chain.members);
}

export function decodeMembers(text: string | null): readonly MemberNote[] {
  return text === null ? [] : JSON.parse(text);
}
