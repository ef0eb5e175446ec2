// The shape of every envelope: a way of writing an error.
import type { GatewayError } from "../../core/errors.ts";

export interface Written {
  status: number;
  body: string;
  /** The type, where it is not `application/json`. */
  contentType?: string;
  /** Headers that say something of the error. */
  headers?: Readonly<Record<string, string>>;
}

export interface EnvelopeFacts {
  requestId: string;
  /** The client's headers. */
  headers: Headers;
}

export type Envelope = (error: GatewayError, facts: EnvelopeFacts) => Written;
