// A streamed reply in neutral pieces. The laws that every decoder keeps and every encoder may rely
// on: `reply-start` comes first and once; each block is started once, ended once and has its pieces
// in between; blocks may be open side by side; `choice-end` comes once for each choice, after its
// blocks; `usage` may come at any time and counts everything so far; `reply-end` comes last, once,
// and only when the protocol's own end was seen.
import type { JsonObject } from "../core/json.ts";
import type { Citation, MediaPart, Proof, SearchPart, StopReason } from "./exchange.ts";
import type { Usage } from "./usage.ts";

export type StreamPart =
  | { kind: "reply-start"; id: string | null }
  | BlockStart
  /** Text, reasoning, refusal, or the next piece of a call's input. */
  | { kind: "block-delta"; block: number; text: string }
  /** The proof of a reasoning block, a call or a text; at most once for a block. */
  | { kind: "block-proof"; block: number; proof: Proof }
  | { kind: "block-citation"; block: number; citation: Citation }
  | { kind: "block-end"; block: number }
  | { kind: "choice-end"; choice: number; stop: StopReason; stopSequence: string | null }
  | { kind: "usage"; usage: Usage }
  | { kind: "reply-end" }
  /** The vendor reported an error inside the stream; nothing follows. */
  | { kind: "fault"; message: string };

export interface BlockStart {
  kind: "block-start";
  /** Counted from 0 over the whole reply, in the order of the starts. */
  block: number;
  choice: number;
  content: BlockContent;
}

export type BlockContent =
  | { kind: "text" }
  | { kind: "reasoning"; isRedacted: boolean }
  | { kind: "refusal" }
  | { kind: "call"; id: string; name: string; isCustom: boolean }
  /** These come whole; no deltas follow. */
  | { kind: "media"; part: MediaPart }
  | { kind: "search"; part: SearchPart };

/** Reads one upstream's stream, event by event. */
export interface StreamDecoder {
  push(event: { event: string | null; data: string }): StreamPart[];
  /** Parts left to say when the connection was closed; without `reply-end` the stream was cut. */
  close(): StreamPart[];
  /** The input, where it is told long before the usage. */
  told?(): Usage | null;
}

/** Writes one client's stream: the text of whole server-sent events, or "" for none yet. */
export interface StreamEncoder {
  push(part: StreamPart): string;
  /** The reply as far as it was told, for formats whose replies are referred to later. */
  reply?(): JsonObject | null;
}
