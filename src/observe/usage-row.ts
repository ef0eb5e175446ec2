// What is remembered of a request: who asked for what, what became of it, and what it cost.
import type { AttemptNote } from "./attempt-note.ts";
import type { CandidateNote } from "./candidate-note.ts";
import type { OutcomeKind } from "./outcome.ts";

/** Stands before what was put into a request. */
export const addedMark = "+";

export interface UsageRow {
  /** The request's id, or the task's whose end is told here: the id of the ledger's entry. */
  id: string;
  /** A request, or the end of a task that a request before it made. */
  kind: "request" | "task";
  /** When it came in, which is the moment its id was made in; of a task, when it ended. */
  atMs: number;
  accountId: string;
  keyId: string;
  keyName: string;
  group: string;
  route: string;
  model: string;
  channelId: string | null;
  channelName: string | null;
  status: number;
  outcome: OutcomeKind;
  stream: boolean;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  images: number;
  /** The length of what was made, of videos and sounds. */
  mediaMs: number;
  /** True when the tokens were counted here because the upstream did not tell. */
  estimated: boolean;
  micros: number;
  latencyMs: number;
  firstByteMs: number | null;
  attempts: number;
  ip: string;
  errorCode: string | null;
  /** Of a request, the task it made. */
  taskId: string | null;
  /** The channels whose fault an attempt's failure was, one for each such attempt. */
  failedChannels: readonly string[];
  /** Every attempt, where one of them did not serve the request; otherwise none. */
  trail: readonly AttemptNote[];
  /**
   * The format of the upstream, what was put in behind its mark, and what was left out; null where
   * it is the client's own and as it came.
   */
  converted: string | null;
  /** What there was to choose from, where the first choice did not serve; otherwise none. */
  candidates: readonly CandidateNote[];
}
