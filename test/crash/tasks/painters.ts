// A tap on the line to vendors who answer when their pictures are done. They keep no list of what
// they made, so it is kept here, also of what no gateway lived to hear of.
import type { JobLine } from "../../../sandbox/jobs.ts";
import { passOn } from "../../harness/tap.ts";

export class Painters implements AsyncDisposable {
  /** Pictures made, as if they were jobs. */
  readonly made: JobLine[] = [];
  readonly #sandboxUrl: string;
  readonly #drawing = new Set<Promise<unknown>>();
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    idleTimeout: 60,
    fetch: (request) => this.#serve(request),
  });

  constructor(sandboxUrl: string) {
    this.#sandboxUrl = sandboxUrl;
  }

  get url(): string {
    return this.#server.url.origin;
  }

  /** Resolves when nothing is being made. */
  async settled(): Promise<void> {
    await Promise.all(this.#drawing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname, search, host } = new URL(request.url);
    const { method } = request;
    const text = await request.text();
    const headers = new Headers(request.headers);
    headers.set("host", host);
    // The vendor does not stop drawing because nobody waits any more.
    const drawn = fetch(this.#sandboxUrl + pathname + search, {
      method,
      headers,
      ...(method === "POST" && { body: text }),
    });
    const settled = drawn.catch(() => null);
    this.#drawing.add(settled);
    const reply = await settled;
    this.#drawing.delete(settled);
    if (!reply) return new Response(null, { status: 502 });
    const { status, headers: told } = reply;
    if (method === "POST" && status === 200 && !isWithheld(text)) this.#note(pathname, text);
    return new Response(reply.body && passOn(reply.body), { status, headers: told });
  }

  #note(path: string, prompt: string): void {
    const [, vendor = ""] = path.split("/");
    const id = `${vendor} ${this.made.length + 1}`;
    this.made.push({ vendor, id, reference: null, state: "succeeded", model: "", prompt });
  }
}

/** Some vendors say with a success that there is no picture. */
function isWithheld(prompt: string): boolean {
  return /sandbox:(?:fail|filter)\b/.test(prompt);
}
