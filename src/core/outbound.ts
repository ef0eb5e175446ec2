// The one way out: every call to an upstream goes through here. No redirects, no decoding of more
// than is asked for, no waiting that a signal cannot end, no query or header in any error.

export interface OutboundRequest {
  url: string;
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
  /** The name the certificate must be for, where the URL holds an address that was looked up. */
  serverName?: string;
  /** On a connection of its own: a kept one may be dead, and nobody knows what got through. */
  isFresh?: boolean;
  signal: AbortSignal;
}

export interface OutboundReply {
  status: number;
  headers: Headers;
  /** The whole body; throws BodyTooLarge past the cap, counted after decompression. */
  bytes(bytesMax: number): Promise<Uint8Array>;
  /** The body as it arrives, without a value at its end. */
  read(): Promise<Chunk>;
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
}

export const send: Send = (request) => {
  const { url, method, headers, body, serverName, isFresh = false, signal } = request;
  const asked: BunFetchRequestInit = {
    method,
    headers,
    signal,
    redirect: "manual",
    // Bun's own idle limit is coarse; the watchdogs above decide.
    timeout: false,
    // Bun would unpack whole chunks at once, and a few bytes can unpack to all of the memory.
    decompress: false,
  };
  if (body !== undefined) asked.body = body;
  // A connection to an address is not shared: another name may stand behind it.
  if (serverName !== undefined) asked.tls = { serverName };
  if (serverName !== undefined || isFresh) asked.keepalive = false;
  return fetch(url, asked).then(toReply, throwFailure);
};

function toReply(response: Response): OutboundReply {
  return new FetchReply(response);
}

interface ChunkReader {
  read(): Promise<Chunk>;
  cancel(): Promise<void>;
}

interface Body {
  getReader(): ChunkReader;
}

const noChunk: Promise<Chunk> = Promise.resolve({});

class FetchReply implements OutboundReply {
  readonly #response: Response;
  #reader: ChunkReader | null = null;

  constructor(response: Response) {
    this.#response = response;
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  bytes(bytesMax: number): Promise<Uint8Array> {
    const declared = Number(this.headers.get("content-length") ?? Number.NaN);
    if (declared <= bytesMax && this.#isAsDeclared) {
      return this.#response.bytes().catch(throwFailure);
    }
    if (declared > bytesMax) return Promise.reject(this.#refuse(bytesMax));
    return this.#counted(bytesMax);
  }

  read(): Promise<Chunk> {
    this.#reader ??= this.#unpacked()?.getReader() ?? null;
    return this.#reader?.read().catch(throwFailure) ?? noChunk;
  }

  cancel(): void {
    const ending = this.#reader ? this.#reader.cancel() : this.#response.body?.cancel();
    // It is being thrown away; how it ends is of no interest.
    ending?.catch(() => {});
  }

  /** Nothing packed is asked for, but some send it: gzip is unpacked in small steps, no other. */
  #unpacked(): Body | null {
    const encoding = this.headers.get("content-encoding") ?? "identity";
    const { body } = this.#response;
    if (encoding === "identity" || body === null) return body;
    if (encoding !== "gzip") throw new OutboundFailed("unsupported content encoding");
    return body.pipeThrough(new DecompressionStream("gzip"));
  }

  /** A body that is packed, or that comes in chunks in spite of its length, may be any longer. */
  get #isAsDeclared(): boolean {
    return !this.headers.has("content-encoding") && !this.headers.has("transfer-encoding");
  }

  async #counted(bytesMax: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (let { value } = await this.read(); value; { value } = await this.read()) {
      total += value.length;
      if (total > bytesMax) break;
      chunks.push(value);
    }
    if (total <= bytesMax) return Buffer.concat(chunks, total);
    throw this.#refuse(bytesMax);
  }

  #refuse(bytesMax: number): BodyTooLarge {
    this.cancel();
    return new BodyTooLarge(`the body is longer than ${bytesMax} bytes`);
  }
}

function throwFailure(error: unknown): never {
  throw toFailure(error);
}

/** Bun's errors carry the URL in their fields; only the kind of failure is kept. */
function toFailure(error: unknown): OutboundFailed {
  if (!(error instanceof Error)) return new OutboundFailed("failed");
  const hasCode = "code" in error && typeof error.code === "string";
  return new OutboundFailed(hasCode ? String(error.code) : error.name);
}

/** For libraries that want to fetch by themselves: what came by here, in the shape they know. */
export function toPlatform(reply: { status: number; headers: Headers; body: Uint8Array }) {
  const { status, headers, body } = reply;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
