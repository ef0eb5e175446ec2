// Orders to the vendor of tasks, and its observations since.

export interface Watch {
  /** Pause between two polls of a job that the gateway was told to keep. */
  readonly paceMs: number;
  /** Time that each answer to a poll is held back. */
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
