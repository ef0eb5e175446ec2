// The port to upstreams: `wire/` carries a call out over sockets of our own, `fetch/` over
// the platform's client. No redirects, no decoding of more than is asked for, no waiting that a
// signal cannot end, no query or header in any error.
import type { Abortable } from "./abort.ts";
import type { Take } from "./later.ts";
import type { OutboundPass } from "./pass/pass.ts";

export interface OutboundRequest {
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Headers; frozen ones are rendered once. */
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
  /** The name the certificate must be for, where the URL holds an address that was looked up. */
  serverName?: string;
  /** On a connection of its own: a kept one may be dead, and nobody knows what got through. */
  isFresh?: boolean;
  /** Called when a connection of its own is open, over our own sockets. */
  connected?: () => void;
  /** The way to a channel. Without it: over our own sockets, through no proxy. */
  transport?: Transport;
  /** Signs it on its way out. */
  pass?: OutboundPass | undefined;
  /** The channel's way to an exchange, where the request itself takes another. */
  passTransport?: Transport | undefined;
  /** Called when what signs it is there. */
  granted?: () => void;
  signal: Abortable;
}

export interface Transport {
  /** An http or https URL, with credentials where the proxy wants some. */
  readonly proxy: string | null;
  readonly isHttp2: boolean;
}

/** The transport of channels unless they or the environment say otherwise. */
export const plainTransport: Transport = Object.freeze({ proxy: null, isHttp2: false });

export interface OutboundReply {
  status: number;
  headers: Headers;
  /** The content type, in lower case and empty where none is told: known without the headers. */
  mediaType: string;
  /** The whole body; throws BodyTooLarge past the cap, counted after decompression. */
  bytes(bytesMax: number, allowance?: Allowance): Promise<Uint8Array>;
  /** The body as it arrives, without a value at its end. */
  read(): Promise<Chunk>;
  /** The same at once, or not yet. */
  take: Take<Chunk>;
  cancel(): void;
}

export interface Chunk {
  value?: Uint8Array | undefined;
}

/** A bound that may come up while a body is read. */
export interface Allowance {
  /** False when that was too much. */
  mayTake(bytes: number): boolean;
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

  /** The runtime's errors may name the address; only the kind of failure is kept. */
  static from(error: unknown): OutboundFailed {
    if (error instanceof OutboundFailed) return error;
    if (!(error instanceof Error)) return new OutboundFailed("failed");
    const hasCode = "code" in error && typeof error.code === "string";
    return new OutboundFailed(hasCode ? String(error.code) : error.name);
  }
}

export function throwFailure(error: unknown): never {
  throw OutboundFailed.from(error);
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Nothing that a caller says can end a line or the head. */
export function assertHeader(name: string, value: string): void {
  if (!token.test(name) || !fieldValue.test(value)) throw new OutboundFailed("InvalidHeader", true);
}

/** Its bytes have to be known before its length can be said. */
export async function encodeForm(form: FormData): Promise<{ type: string; bytes: Uint8Array }> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { type, bytes: await encoded.bytes().catch(throwFailure) };
}

/** The whole body, read piece by piece. */
export async function readBounded(
  reply: Pick<OutboundReply, "read" | "cancel">,
  bytesMax: number,
  allowance?: Allowance,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (let { value } = await reply.read(); value; { value } = await reply.read()) {
    total += value.length;
    if (total > bytesMax || allowance?.mayTake(value.length) === false) {
      throw refuseBody(reply, Math.min(total, bytesMax));
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, total);
}

export function refuseBody(reply: Pick<OutboundReply, "cancel">, bytesMax: number): BodyTooLarge {
  reply.cancel();
  return new BodyTooLarge(`the body is longer than ${bytesMax} bytes`);
}

/** For libraries that want to fetch by themselves: what came by here, in the shape they know. */
export function toPlatform(reply: { status: number; headers: Headers; body: Uint8Array }) {
  const { status, headers, body } = reply;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
