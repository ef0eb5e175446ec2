// One request of the platform's client and its reply, as the port promises it.
import type { Abortable, AbortListener } from "../abort.ts";
import { Later } from "../later.ts";
import { OutboundFailed, readBounded, refuseBody, type Allowance } from "../outbound.ts";
import type { Chunk, OutboundReply } from "../outbound.ts";
import { ungzip, type ChunkReader } from "../ungzip.ts";

/** Failures from before anything of the request is said: no connection, no tunnel, no trust. */
const unsentCodes = new RegExp(
  "^(?:ECONNREFUSED|ENOTFOUND|EAI_\\w+|ERR_PROXY_TUNNEL|UnsupportedProxyProtocol|HTTP2Unsupported" +
    "|(?:ERR_TLS_CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|CERT)_\\w+)$",
);
const proxyRefusal = 407;
const nothing: ChunkReader = { read: async () => ({}), cancel: async () => {} };

export class FetchCall implements OutboundReply, AbortListener {
  readonly #controller = new AbortController();
  readonly #signal: Abortable;
  readonly #hasProxy: boolean;
  readonly #later = new Later(() => this.read());
  #response: Response | null = null;
  #body: ChunkReader = nothing;
  #isOver = false;

  constructor(signal: Abortable, hasProxy: boolean) {
    this.#signal = signal;
    this.#hasProxy = hasProxy;
  }

  async begin(url: string, init: BunFetchRequestInit): Promise<OutboundReply> {
    this.#signal.addEventListener("abort", this);
    try {
      const response = await fetch(url, { ...init, signal: this.#controller.signal });
      // It never came from the upstream, which has not heard of the request.
      if (this.#hasProxy && response.status === proxyRefusal) {
        await response.body?.cancel();
        throw new OutboundFailed("ProxyAuthenticationRequired", true);
      }
      this.#response = response;
      this.#body = bodyOf(response);
      if (response.body === null) this.#conclude();
      return this;
    } catch (error) {
      throw this.#toFailure(error);
    }
  }

  get status(): number {
    return this.#shown.status;
  }

  get headers(): Headers {
    return this.#shown.headers;
  }

  get mediaType(): string {
    return this.headers.get("content-type")?.toLowerCase() ?? "";
  }

  bytes(bytesMax: number, allowance?: Allowance): Promise<Uint8Array> {
    const { headers, body } = this.#shown;
    const declaredBytes = body === null ? 0 : Number(headers.get("content-length") ?? 0);
    const isTooLarge = packingOf(this.#shown) === null && declaredBytes > bytesMax;
    if (isTooLarge) return Promise.reject(refuseBody(this, bytesMax));
    return readBounded(this, bytesMax, allowance);
  }

  async read(): Promise<Chunk> {
    try {
      const { value } = await this.#body.read();
      if (!value) this.#conclude();
      return { value };
    } catch (error) {
      throw this.#toFailure(error);
    }
  }

  take(ready: () => void): Chunk | undefined {
    return this.#later.take(ready);
  }

  cancel(): void {
    this.#conclude();
    // It is being thrown away; how it ends is of no interest.
    this.#body.cancel().catch(() => {});
  }

  /** The signal has aborted. */
  handleEvent(): void {
    this.#controller.abort();
  }

  get #shown(): Response {
    if (!this.#response) throw new OutboundFailed("the reply has not begun");
    return this.#response;
  }

  #toFailure(error: unknown): OutboundFailed {
    this.#conclude();
    const isAborted = this.#controller.signal.aborted;
    const { message, isUnsent } = isAborted
      ? new OutboundFailed("AbortError")
      : OutboundFailed.from(error);
    const mayRepeat = isUnsent || unsentCodes.test(message);
    return new OutboundFailed(message, !this.#response && mayRepeat);
  }

  #conclude(): void {
    if (!this.#isOver) this.#signal.removeEventListener("abort", this);
    this.#isOver = true;
  }
}

function packingOf({ headers, body }: Response): string | null {
  const packing = headers.get("content-encoding");
  const isEmpty = body === null || headers.get("content-length") === "0";
  return packing === "identity" || isEmpty ? null : packing;
}

function bodyOf(response: Response): ChunkReader {
  const packed = response.body?.getReader() ?? nothing;
  const packing = packingOf(response);
  if (packing === null) return packed;
  const cancel = () => packed.cancel();
  if (packing === "gzip") return ungzip(() => packed.read(), cancel);
  const read = async () => {
    await cancel();
    throw new OutboundFailed("unsupported content encoding");
  };
  return { read, cancel };
}
