// A maker of images that answers as it is told, however large the answer, and remembers what it was
// asked and who left before the end.
import type { JsonObject } from "../../../src/core/json.ts";
import { drawPicture } from "../../../sandbox/picture/index.ts";

export interface HostCall {
  path: string;
  headers: Headers;
  /** Null when it is not JSON. */
  body: JsonObject | null;
  /** Resolves when the caller has left before it was answered to the end. */
  left: Promise<void>;
}

export type HostScript = (call: HostCall) => Response | Promise<Response>;

export class ImageHost implements AsyncDisposable {
  readonly calls: HostCall[] = [];
  script: HostScript;
  readonly #server;

  constructor(script: HostScript = () => madeOf([picture()])) {
    this.script = script;
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  get url(): string {
    return this.#server.url.origin;
  }

  /** A channel of the gateway that points here. */
  channel(fields: JsonObject = {}): JsonObject {
    return {
      name: `host-${this.#server.port}`,
      type: "openai",
      base_url: this.url,
      key: "sk-host-secret-0000",
      models: ["imageA-2"],
      allow_private: true,
      ...fields,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    request.signal.addEventListener("abort", () => resolve());
    const { pathname } = new URL(request.url);
    const isJson = request.headers.get("content-type")?.includes("json") ?? false;
    const body = isJson ? ((await request.json()) as JsonObject) : null;
    if (!isJson) await request.bytes();
    const call: HostCall = { path: pathname, headers: request.headers, body, left };
    this.calls.push(call);
    return await this.script(call);
  }
}

/** A small picture in base64; another seed, another picture. */
export function picture(seed: string = "fox", side: number = 64): string {
  const ask = { width: side, height: side, format: "png", seed } as const;
  return Buffer.from(drawPicture(ask)).toString("base64");
}

/** A picture as large as those of cameras, and as hard to pack: of no use but to be carried. */
export function hugePicture(bytes: number): string {
  const head = Buffer.from(picture("huge", 16), "base64");
  const file = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 65_536) {
    crypto.getRandomValues(file.subarray(at, Math.min(bytes, at + 65_536)));
  }
  file.set(head);
  return file.toString("base64");
}

export const usage = {
  input_tokens: 50,
  output_tokens: 1056,
  total_tokens: 1106,
  input_tokens_details: { text_tokens: 50, image_tokens: 0 },
};

/** An answer of the vendor with these pictures. */
export function madeOf(pictures: readonly string[], more: JsonObject = {}): Response {
  const data = pictures.map((base64) => ({ b64_json: base64 }));
  return Response.json({ created: 1_790_000_000, data, ...more });
}

export function refusal(status: number, error: JsonObject, headers = {}): Response {
  return Response.json({ error: { message: "No.", type: "x", ...error } }, { status, headers });
}

/** A stream of these texts, each as one piece, that is broken off instead of ended on demand. */
export function streamOf(pieces: readonly string[], isBrokenOff = false): Response {
  const left = [...pieces];
  const body = new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(new TextEncoder().encode(next));
      else if (isBrokenOff) controller.error(new Error("broken off"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export function eventOf(fields: JsonObject): string {
  return `event: ${String(fields["type"])}\ndata: ${JSON.stringify(fields)}\n\n`;
}
