// Refusals amid a body: the answer is there at once, and the rest is read only to be thrown away. A
// proxy that meets a closed connection while it still sends would lose the answer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { requestIdleSeconds } from "../../src/http/request-incoming.ts";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { assertUp } from "./observe.ts";
import { RawClient, rawRequest } from "./raw-client.ts";

const piece = "x".repeat(64 * 1024);
const bodyBytesMax = 16 * piece.length;
const path = "/v1/chat/completions";
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const chat = { model: "chatA", messages: [{ role: "user", content: "hi" }], max_tokens: 10 };
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config: `server: { text_body_bytes_max: ${bodyBytesMax} }` });
  await gateway.control("POST", "/api/channel", vendor.channel());
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

interface Refusal {
  name: string;
  status: number;
  /** Sent with a key that is no key. */
  isUnknown?: boolean;
  /** Length not declared. */
  isChunked?: boolean;
}

const refusals: Refusal[] = [
  { name: "by its key", status: 401, isUnknown: true },
  { name: "by its declared length", status: 413 },
  { name: "by its counted length", status: 413, isChunked: true },
];

/** A body that is refused amid it. */
class RefusedBody implements Disposable {
  readonly client: RawClient;
  readonly #isChunked: boolean;

  private constructor(client: RawClient, isChunked: boolean) {
    this.client = client;
    this.#isChunked = isChunked;
  }

  static async begin(refusal: Refusal, key: string, pieces: number): Promise<RefusedBody> {
    const { status, isUnknown = false, isChunked = false } = refusal;
    const body = new RefusedBody(await RawClient.open(gateway.url), isChunked);
    const length = { "content-length": String(pieces * piece.length) };
    body.client.send(
      rawRequest(`POST ${path}`, {
        authorization: `Bearer ${isUnknown ? "sk-unknown" : key}`,
        "content-type": "application/json",
        ...(isChunked ? { "transfer-encoding": "chunked" } : length),
      }),
    );
    // An undeclared body is refused once it is too much.
    if (isChunked) for (let bytes = 0; bytes <= bodyBytesMax; bytes += piece.length) body.go(piece);
    expect((await body.client.answer()).status).toBe(status);
    return body;
  }

  go(text: string): void {
    const { client } = this;
    client.send(this.#isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
  }

  end(): void {
    if (this.#isChunked) this.client.send("0\r\n\r\n");
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }
}

test.each(refusals)(
  "hazard D11 who is refused $name has the answer at once, and the rest holds nothing",
  async (refusal) => {
    const { key } = await gateway.customer(1_000_000, { concurrency: 1 });
    const pieces = 64;
    using body = await RefusedBody.begin(refusal, key, pieces);
    // Its place is free while the rest is still coming.
    expect((await gateway.post(path, chat, key)).status).toBe(200);
    for (let count = 0; count < pieces; count++) body.go(piece);
    body.end();
    body.client.send(rawRequest("GET /healthz"));
    const received = await body.client.until(/"status":"up"/);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
      `HTTP/1.1 ${refusal.status}`,
      "HTTP/1.1 200",
    ]);
  },
);

const boundMs = (requestIdleSeconds + 15) * 1000;

test(
  "hazard D11 what trickles in behind a refusal keeps its connection for half a minute",
  async () => {
    const { key } = await gateway.customer(1_000_000);
    const bodies = await Promise.all(refusals.map((one) => RefusedBody.begin(one, key, 512)));
    const timer = setInterval(() => {
      for (const body of bodies) if (!body.client.isClosed) body.go("x");
    }, 500);
    try {
      await Promise.all(bodies.map(({ client }) => client.untilClosed(boundMs)));
    } finally {
      clearInterval(timer);
      for (const body of bodies) body[Symbol.dispose]();
    }
  },
  boundMs + 10_000,
);
