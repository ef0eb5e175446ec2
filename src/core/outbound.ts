// What a call to an upstream is, as `wire/` carries it out. No redirects, no decoding of more than
// is asked for, no waiting that a signal cannot end, no query or header in any error.
import type { Abortable } from "./abort.ts";
import type { Take } from "./later.ts";

export interface OutboundRequest {
  url: string;
  method: "GET" | "POST" | "DELETE";
  /** Where they are frozen, they are read once. */
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
  /** The name the certificate must be for, where the URL holds an address that was looked up. */
  serverName?: string;
  /** On a connection of its own: a kept one may be dead, and nobody knows what got through. */
  isFresh?: boolean;
  signal: Abortable;
}

export interface OutboundReply {
  status: number;
  headers: Headers;
  /** The whole body; throws BodyTooLarge past the cap, counted after decompression. */
  bytes(bytesMax: number): Promise<Uint8Array>;
  /** The body as it arrives, without a value at its end. */
  read(): Promise<Chunk>;
  /** The same at once, or not yet. */
  take: Take<Chunk>;
  cancel(): void;
}

export interface Chunk {
  value?: Uint8Array | undefined;
}

export type Send = (request: OutboundRequest) => Promise<OutboundReply>;

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The upstream could not be reached, or the connection broke. */
export class OutboundFailed extends Error {
  override readonly name = "OutboundFailed";
  /** Nothing of it can have reached the upstream, so that another may be asked. */
  readonly isUnsent: boolean;

  constructor(message: string, isUnsent = false) {
    super(message);
    this.isUnsent = isUnsent;
  }
}

/** For libraries that want to fetch by themselves: what came by here, in the shape they know. */
export function toPlatform(reply: { status: number; headers: Headers; body: Uint8Array }) {
  const { status, headers, body } = reply;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
