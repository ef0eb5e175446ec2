// A proxy with TLS in front of a gateway, as operators have one, and pages of other sites.
import { newCertificate } from "./certificate.ts";

const tls = newCertificate("localhost");

/** A request as the browser sent it. */
export interface Seen {
  method: string;
  path: string;
  headers: Headers;
}

/** Its address is known before the gateway's, whose configuration has to name it. */
export class Front implements Disposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  /** The gateway behind it. */
  target = "";
  /** Oldest first. */
  readonly seen: Seen[] = [];
  /** In place of the gateway's answer, where a test wants another. */
  instead: ((request: Request) => Response | null) | null = null;

  constructor() {
    const options = { hostname: "127.0.0.1", port: 0, development: false, tls };
    this.#server = Bun.serve({ ...options, fetch: (request) => this.#serve(request) });
  }

  /** The certificate, which a client has to trust. */
  get certificate(): string {
    return tls.cert;
  }

  get url(): string {
    return `https://localhost:${this.#server.port}`;
  }

  /** The newest request for this path. */
  last(method: string, path: string): Seen | null {
    return this.seen.findLast((one) => one.method === method && one.path === path) ?? null;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url);
    const { method, headers } = request;
    this.seen.push({ method, path, headers });
    const other = this.instead?.(request) ?? null;
    if (other) return other;
    const isBare = method === "GET" || method === "HEAD";
    const response = await fetch(this.target + path + search, {
      method,
      headers,
      redirect: "manual",
      // Compressed bodies stay so, as their headers say.
      decompress: false,
      ...(isBare ? {} : { body: await request.bytes() }),
    });
    return new Response(response.body, { status: response.status, headers: response.headers });
  }
}

/** A page of somebody else: of the same host by another port, or of another host. */
export class OtherSite implements Disposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly url: string;
  /** Addresses that browsers asked for. */
  readonly asked: string[] = [];

  constructor(host: "localhost" | "127.0.0.1", scheme: "https" | "http" = "https") {
    const options = { hostname: "127.0.0.1", port: 0, development: false };
    const fetch = ({ url }: Request) => {
      this.asked.push(url);
      return new Response(page, { headers: { "content-type": "text/html" } });
    };
    this.#server = Bun.serve({ ...options, fetch, ...(scheme === "https" && { tls }) });
    this.url = `${scheme}://${host}:${this.#server.port}`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

const page = "<!doctype html><title>another site</title>";
