// A balancer as operators have one: nodes take turns, one whose /readyz is not 200 or that refuses
// a connection is left out, and what was sent is never sent twice.
import type { Server } from "bun";

interface Place {
  url: string;
  isIn: boolean;
  /** Last answer of /readyz, where it gave one. */
  said: string;
}

const lookMs = 50;

export class ReadyBalancer implements AsyncDisposable {
  readonly #server: Server<undefined>;
  readonly #places: Place[];
  readonly #looking: Timer;
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#places = urls.map((url) => ({ url, isIn: true, said: "" }));
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => this.#pass(request),
    });
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  get url(): string {
    return this.#server.url.origin;
  }

  place(at: number): Readonly<Place> {
    const place = this.#places[at];
    if (!place) throw new Error(`there is no node ${at}`);
    return place;
  }

  /** The node has come back, maybe elsewhere. */
  move(at: number, url: string): void {
    this.#places[at] = { url, isIn: false, said: "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    await this.#server.stop(true);
  }

  #look(): void {
    for (const place of this.#places) {
      fetch(`${place.url}/readyz`, { keepalive: false }).then(
        async (response) => {
          place.isIn = response.status === 200;
          place.said = await response.text().catch(() => place.said);
        },
        () => (place.isIn = false),
      );
    }
  }

  async #pass(request: Request): Promise<Response> {
    const body = await request.arrayBuffer();
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("connection", "close");
    for (const place of this.#exclusively()) {
      try {
        return await fetch(place.url + pathname + search, {
          method: request.method,
          headers,
          body,
          keepalive: false,
        });
      } catch (error) {
        if (!isRefused(error)) return new Response(String(error), { status: 502 });
        place.isIn = false;
      }
    }
    return new Response("no node is ready", { status: 502 });
  }

  #exclusively(): Place[] {
    const at = this.#turn++ % this.#places.length;
    const all = [...this.#places.slice(at), ...this.#places.slice(0, at)];
    return all.filter(({ isIn }) => isIn);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ConnectionRefused";
}
