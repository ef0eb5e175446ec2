// Embeddings in the neutral shape: texts in, vectors out. Far less than an exchange, so formats of
// embeddings are converted into one another by a shape of their own.
import type { JsonObject } from "../core/json.ts";

export interface EmbeddingAsk {
  texts: string[];
  /** Length of a vector; null leaves it to the model. */
  dimensions: number | null;
  /** Client fields that no other format has. */
  ignored: string[];
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
    /** Takes the upstream's name of the model. */
    encodeRequest(ask: EmbeddingAsk, model: string): JsonObject;
    /** Null when it is not a reply of this format. */
    decodeReply(body: unknown): EmbeddingReply | null;
  };
}
