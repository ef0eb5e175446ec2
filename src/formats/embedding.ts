// Embeddings in the neutral shape: texts in, vectors out. Far less than an exchange, so formats of
// embeddings are converted into one another by a shape of their own.
import type { JsonObject } from "../core/json.ts";

export interface EmbeddingAsk {
  texts: string[];
  /** Words of Google's on the texts; absent where there are none. */
  hints?: EmbeddingHints;
  /** Length of a vector; null leaves it to the model. */
  dimensions: number | null;
  /** Client fields that no other format has. */
  ignored: string[];
}

export interface EmbeddingHints {
  /** One for each text. */
  of: EmbeddingHint[];
  /** The client's names of the fields they stood in. */
  names: string[];
}

/** The purpose of a vector, and the title of the document that it is of. */
interface EmbeddingHint {
  task: string | null;
  title: string | null;
}

export interface EmbeddingReply {
  vectors: number[][];
  /** The vendor's own count; null where it gave none. */
  inputTokens: number | null;
}

export interface EmbeddingSide {
  /** Throws the 400 that names what only this format can say. */
  decodeRequest(body: JsonObject): EmbeddingAsk;
  /** Counted where the vendor did not say; `model` is the client's name. */
  encodeReply(reply: EmbeddingReply, request: { body: JsonObject; model: string }): JsonObject;
  /** Absent where upstreams are asked in another format of the same wire. */
  upstream?: {
    /** Whether hints have a place in its requests; else they are told as ignored. */
    takesHints?: true;
    /** Takes the upstream's name of the model. */
    encodeRequest(ask: EmbeddingAsk, model: string): JsonObject;
    /** Null when it is not a reply of this format. */
    decodeReply(body: unknown): EmbeddingReply | null;
  };
}
