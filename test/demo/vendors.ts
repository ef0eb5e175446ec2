// The vendors of the demo: those of the sandbox, each at several places, behind a line that takes
// its time as real ones do. A month goes by on a moved clock; afterwards they answer in real time.
import { drawPicture } from "../../sandbox/picture/index.ts";
import { openVendors } from "../../sandbox/server.ts";
import type { MovableTime } from "../harness/time/movable-time.ts";

/** Manner of the next answer. Requests of the month run one by one, so this is of one of them. */
export interface Manner {
  firstMs: number;
  restMs: number;
  /** Places that answer with this status instead. */
  failing: Readonly<Record<string, number>>;
  /** Words for the sandbox behind the prompt of a video: how long it takes, how it ends. */
  job: string;
}

const usualManner: Manner = { firstMs: 700, restMs: 4000, failing: {}, job: "" };
const idleTimeoutSeconds = 255;
const answerWords = 320;
/** Real time, in which the gateway takes the first piece before the clock moves on. */
const firstPieceMs = 1;
const piecesAbout = 320;
/** After a refusal for too many requests a key rests that long. */
const retryAfterSeconds = 90;
const failures: Readonly<Record<number, string>> = {
  401: "This API key was revoked.",
  429: "Rate limit reached. Please try again later.",
  500: "The server had an error while processing your request.",
  503: "The service is temporarily overloaded. Please try again later.",
};

export class Vendors implements AsyncDisposable {
  manner: Manner = usualManner;
  /** Whether waiting means moving the clock. */
  #isMonth = true;
  readonly #time: MovableTime;
  readonly #sandbox;
  readonly #server;

  constructor(time: MovableTime) {
    this.#time = time;
    this.#sandbox = openVendors({ clock: time, timers: time, paceMs: 0, words: answerWords });
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      idleTimeout: idleTimeoutSeconds,
      fetch: (request) => this.#answer(request),
    });
  }

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  /** The address of a vendor of the sandbox as it is called at a place. */
  at(place: string, vendor: string): string {
    return `http://${this.host}/at/${place}/${vendor}`;
  }

  /** From now on they answer in real time. */
  goLive(manner: Partial<Manner> = {}): void {
    this.#isMonth = false;
    this.manner = { ...usualManner, ...manner };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/hooks/")) return answerHook(url.pathname);
    if (url.pathname.startsWith("/files/")) return answerFile(url.pathname);
    const [, place, path] = /^\/at\/([\w-]+)(\/.*)$/.exec(url.pathname) ?? [];
    const { manner } = this;
    const status = place === undefined ? undefined : manner.failing[place];
    if (status !== undefined) return await this.#fail(status);
    url.pathname = path ?? url.pathname;
    const isGrant = url.pathname.endsWith("/token");
    const isAsked = request.method === "POST" && !isGrant;
    const job = /\/videos|\/tasks/.test(url.pathname) ? manner.job : "";
    const body = request.method === "POST" ? withJob(await request.text(), job) : null;
    if (isAsked) await this.#pause(manner.firstMs);
    const { method, headers } = request;
    const passed = new Request(url.href, { method, headers, body });
    const response = await this.#sandbox.answer(passed, () => {});
    // Bedrock has events of a type of its own.
    const isStream = response.headers.get("content-type")?.includes("event");
    if (!isStream || response.body === null) {
      if (isAsked) await this.#pause(manner.restMs);
      return response;
    }
    return new Response(this.#paced(response.body, manner.restMs), response);
  }

  async #fail(status: number): Promise<Response> {
    await this.#pause(300);
    const message = failures[status] ?? "The request failed.";
    const headers = status === 429 ? { "retry-after": String(retryAfterSeconds) } : {};
    return Response.json({ error: { message, type: "server_error" } }, { status, headers });
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isMonth) this.#time.pass(ms / 1000);
    else await Bun.sleep(ms);
  }

  #paced(body: ReadableStream<Uint8Array>, restMs: number): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let count = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (count > 0) await this.#betweenPieces(count, restMs);
        count++;
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => reader.cancel(),
    });
  }

  async #betweenPieces(count: number, restMs: number): Promise<void> {
    if (!this.#isMonth) return await Bun.sleep(restMs / piecesAbout);
    if (count !== 2) return;
    await Bun.sleep(firstPieceMs);
    this.#time.pass(restMs / 1000);
  }
}

/** Receivers of callbacks: one that takes them, and one that was taken down. */
function answerHook(path: string): Response {
  return new Response(null, { status: path.startsWith("/hooks/old") ? 503 : 204 });
}

/** A picture of the company's own file store. */
function answerFile(path: string): Response {
  const picture = { width: 960, height: 640, format: "png", seed: path } as const;
  return new Response(new Uint8Array(drawPicture(picture)));
}

/** Prompts stay as people wrote them; only the sandbox reads what is put behind them. */
function withJob(text: string, job: string): string {
  return job === "" ? text : text.replace(/("(?:prompt|text)":"(?:[^"\\]|\\.)*)"/, `$1 ${job}"`);
}
