// A text wire format: what clients send and read, and what an upstream of the same format does.
import type { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { SseEvent } from "../core/sse.ts";
import type { Usage } from "./usage.ts";

export type FormatName = "chat" | "completions" | "responses" | "messages" | "content";

/** What the gateway must know of a request, whatever its format. */
export interface TextRequest {
  model: string;
  stream: boolean;
  /** How many answers are asked for. */
  choices: number;
  /** The client's own bound on the output of one answer. */
  outputTokensMax: number | null;
  /** Images and files, and how many bytes of the body are their encoded data. */
  mediaParts: number;
  mediaBytes: number;
  /** The client asked to see the usage of a stream. */
  wantsUsage: boolean;
}

export interface Reply {
  /** Null when the vendor did not say. */
  usage: Usage | null;
  /** Roughly what was generated, for where the vendor counts nothing. */
  outputTokensEstimate: number;
}

export type Sighting =
  | { kind: "pass" }
  | { kind: "hide" }
  | { kind: "replace"; data: string }
  | { kind: "end" }
  /** The vendor reported an error inside the stream. */
  | { kind: "fault"; message: string };

/** Watches a stream that is passed through. */
export interface StreamObserver {
  /**
   * True when the bytes are whole events of plain content that may pass unread: the cheap look that
   * most of a stream gets. Otherwise each event is to be shown to `see`.
   */
  skim(bytes: Uint8Array): boolean;
  see(event: SseEvent): Sighting;
  reply(): Reply;
}

export interface Format {
  name: FormatName;
  /** Where an upstream of this format takes requests, below its base URL. */
  path: string;
  /** Checks a body and reads what is needed of it; throws the 400 that names the field. */
  read(body: JsonObject): TextRequest;
  /** The body for an upstream of the same format: everything kept, the model and usage set. */
  forward(body: JsonObject, model: string): JsonObject;
  /** Null when the body is not a reply of this format. */
  readReply(body: unknown): Reply | null;
  observe(request: TextRequest): StreamObserver;
  /** An error as the client reads it once the stream has begun. */
  encodeError(error: GatewayError, requestId: string): Uint8Array;
}
