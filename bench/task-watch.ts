// What the vendor of tasks is told to watch for, and what it has seen since.

export interface Watch {
  /** What the gateway was told to wait between two polls of a job. */
  readonly paceMs: number;
  /** How long each answer to a poll is held back. */
  readonly holdMs: number;
}

export interface Seen {
  readonly jobs: number;
  readonly polls: number;
  /** The most polls that were open at once. */
  readonly openMost: number;
  /** Between two polls of a job. */
  readonly waitP50Ms: number;
  readonly waitP99Ms: number;
  readonly waitMostMs: number;
}
