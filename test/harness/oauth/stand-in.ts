// Shared parts of the providers' stand-ins: a server on this machine, the person who is signed in
// there, and a record of what the gateway asked.
import { back, clientId, clientSecret, CodeBook } from "./code-book.ts";

export interface Asked {
  path: string;
  headers: Headers;
  form: URLSearchParams;
}

export interface Paths {
  authorize: string;
  token: string;
  user: string;
}

export abstract class StandIn<User> implements Disposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #paths: Paths;
  readonly book = new CodeBook<User>();
  /** Requests of the gateway, without those of browsers. */
  readonly asked: Asked[] = [];
  /** User signed in at the provider in the browser that comes next. */
  user: User;
  /** In place of an answer, where a test wants another. */
  instead: ((path: string) => Response | null) | null = null;

  constructor(paths: Paths, user: User) {
    this.#paths = paths;
    this.user = user;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => this.#serve(request),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Its lines in the configuration file. */
  config(name: string, type: string): string {
    const { authorize, token, user } = this.#paths;
    const endpoints =
      `{ authorize: "${this.url}${authorize}", token: "${this.url}${token}", ` +
      `user: "${this.url}${user}" }`;
    return (
      `{ name: ${name}, type: ${type}, client_id: ${clientId}, client_secret: ${clientSecret}, ` +
      `allow_private: true, endpoints: ${endpoints} }`
    );
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }

  /** The provider's own rules about what a browser comes with; null lets it in. */
  protected refuseBrowser(_query: URLSearchParams): Record<string, string> | null {
    return null;
  }

  protected abstract exchange(request: Request, form: URLSearchParams): Response;
  protected abstract show(request: Request): Response;

  async #serve(request: Request): Promise<Response> {
    const { pathname: path, searchParams } = new URL(request.url);
    if (path === this.#paths.authorize) return this.#authorize(searchParams);
    const form = new URLSearchParams(await request.text());
    this.asked.push({ path, headers: request.headers, form });
    const other = this.instead?.(path) ?? null;
    if (other) return other;
    if (path === this.#paths.token && request.method === "POST")
      return this.exchange(request, form);
    if (path === this.#paths.user && request.method === "GET") return this.show(request);
    return new Response("not found", { status: 404 });
  }

  #authorize(query: URLSearchParams): Response {
    const redirectUri = query.get("redirect_uri") ?? "";
    const state = query.get("state") ?? "";
    if (query.get("client_id") !== clientId) return new Response("no client", { status: 404 });
    const refusal = this.refuseBrowser(query);
    if (refusal) return back(redirectUri, { ...refusal, state });
    const challenge = query.get("code_challenge");
    const code = this.book.issue({ redirectUri, challenge, user: this.user });
    return back(redirectUri, { code, state });
  }
}
