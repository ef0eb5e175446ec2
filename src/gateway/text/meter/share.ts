// The memory that all tallies keep replies in: each has a little of its own and asks for more.

export interface ShareRules {
  /** Bytes a tally may keep without asking, and the most it may keep. */
  tallyBytesMin: number;
  tallyBytesMax: number;
  /** Bytes all of them may keep beyond their own. */
  sharedBytesMax: number;
}

export class Share {
  readonly rules: ShareRules;
  #takenBytes = 0;

  constructor(rules: ShareRules) {
    this.rules = rules;
  }

  take(bytes: number): boolean {
    if (this.#takenBytes + bytes > this.rules.sharedBytesMax) return false;
    this.#takenBytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}
