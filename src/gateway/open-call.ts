// A request that was admitted, as its flow sees it: open until all about it is known, and finished
// exactly once. Finishing it is what gives its place under the limits back and puts it on record.
import type { Caller } from "../identity/caller.ts";
import type { ChainNotes } from "../observe/chain-note.ts";
import type { Progress } from "./progress.ts";
import type { RequestOutcome } from "./outcome.ts";
import type { Scope } from "./scope.ts";
import type { TextCapture } from "./text/capture.ts";

/** A way to end running work from elsewhere, as if its client had left. */
export interface CallEnding {
  /** Bytes of a stream that its client has taken so far. */
  readonly shownBytes: number;
  end(): void;
}

/**
 * A call under way. Its writable fields are filled in as they become known, and are on record
 * however the call ends.
 */
export interface OpenCall extends Progress {
  readonly caller: Caller;
  readonly scope: Scope;
  /** x-ratelimit-* as of the admission. */
  readonly limitHeaders: Readonly<Record<string, string>>;
  model: string;
  stream: boolean;
  /** The name the client wrote, where its key has it stand for another. */
  askedModel: string | null;
  /** Notes of the chain, where the model is a virtual one. */
  chain: ChainNotes | null;
  /** The format that the upstream was spoken to in, and what was left out, where it was another. */
  converted: string | null;
  /** The task that was made, if one was. */
  taskId: string | null;
  /** The request whose answer it was given, which it repeats. */
  replayOf: string | null;
  /** The request's own word, by its header or its metadata. */
  label: string | null;
  /** Set by a flow whose work can be ended before its time. */
  ending: CallEnding | null;
  /** Null where nothing of its contents is kept. */
  content: TextCapture | null;
  /**
   * Counts it to the rates that its key has for the model; null where there are none. Rejects with
   * the 429 of what is used up.
   */
  askFor(names: readonly string[]): Promise<void> | null;
  /** Its client is gone: its place under the limits is given back before it is finished. */
  left(): void;
  /** A flow that throws leaves it to the server. */
  finish(outcome: RequestOutcome): void;
}
