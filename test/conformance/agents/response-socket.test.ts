// Responses over WebSocket: by the newest SDK's own client, and frame by frame.
import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { get, type IncomingMessage } from "node:http";
import { OpenAI } from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { balanceOf, eventually, newestRow, type LogRow } from "../../harness/books.ts";
import { type Gateway, rootKey, startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const counts = { input: 10, output: 20 };
const whole = (dialect: "chat" | "responses"): VendorScript => {
  const wire = wires[dialect];
  return (_request, reply) => {
    reply.stream();
    reply.chunk(wire.opening() + wire.delta("Yes.") + wire.ending("Yes.", counts));
    reply.end();
  };
};

const native = kept(new Vendor(whole("responses")));
const chat = kept(new Vendor(whole("chat")));

const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
const config = {
  channels: [
    native.channel({ name: "native", format: "responses", models: ["m"] }),
    chat.channel({ name: "chat", models: ["converted"] }),
  ],
  prices: [
    { model: "m", ...metered },
    { model: "converted", ...metered },
  ],
  text: { read_on_ms: 300 },
};

const gateway = useStand(() =>
  startGateway({ config: JSON.stringify({ ...config, server: { text_body_bytes_max: 100_000 } }) }),
);
const without = useStand(() =>
  startGateway({ config: JSON.stringify({ ...config, text: { response_sockets: false } }) }),
);

beforeEach(() => {
  native.script = whole("responses");
  chat.script = whole("chat");
  for (const vendor of [native, chat]) vendor.requests.length = 0;
});

interface Frame {
  type: string;
  [field: string]: unknown;
}

/** A client that speaks frames, and keeps what came. */
class Line implements Disposable {
  readonly frames: Frame[] = [];
  readonly closed = Promise.withResolvers<number>();
  readonly #socket: WebSocket;
  #heard = Promise.withResolvers<void>();

  constructor(url: string, key: string) {
    const headers = {
      authorization: `Bearer ${key}`,
      "openai-beta": "responses_websockets=2026-02-06",
    };
    this.#socket = new WebSocket(`${url.replace("http", "ws")}/v1/responses`, { headers });
    this.#socket.onmessage = ({ data }) => {
      this.frames.push(JSON.parse(String(data)) as Frame);
      this.#heard.resolve();
      this.#heard = Promise.withResolvers();
    };
    this.#socket.onclose = ({ code }) => this.closed.resolve(code);
  }

  async open(): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<Event>();
    this.#socket.onopen = resolve;
    this.#socket.onerror = reject;
    await promise;
    return this;
  }

  send(frame: object | string | Uint8Array<ArrayBuffer>): void {
    const isPlain = typeof frame === "string" || frame instanceof Uint8Array;
    this.#socket.send(isPlain ? frame : JSON.stringify(frame));
  }

  create(fields: object = {}): void {
    this.send({ type: "response.create", model: "m", input: "hi", ...fields });
  }

  /** The next frame of one of these types, from the first that nobody asked for yet. */
  async until(...types: string[]): Promise<Frame> {
    for (;;) {
      const failed = this.frames.find(({ type }) => type === "error");
      if (failed && !types.includes("error")) throw new Error(JSON.stringify(failed));
      const at = this.frames.findIndex(({ type }) => types.includes(type));
      const [frame] = at === -1 ? [] : this.frames.splice(0, at + 1).slice(-1);
      if (frame) return frame;
      await this.#heard.promise;
    }
  }

  close(): void {
    this.#socket.close();
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }
}

const line = (key: string, at: Gateway = gateway) => new Line(at.url, key).open();

/** The rows of a key, oldest first, once there are so many. */
async function rowsOf(keyId: string, count: number): Promise<LogRow[]> {
  return await eventually(`${count} rows of ${keyId}`, async () => {
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", `/api/log?key=${keyId}`);
    return items.length >= count ? items.toReversed() : undefined;
  });
}

test("T10 the newest SDK's own socket gets the events of a response", async () => {
  const client = new OpenAI({ apiKey: rootKey, baseURL: `${gateway.url}/v1` });
  const socket = new ResponsesWS(client);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on("response.completed", ({ response }) => resolve(response.status ?? ""));
  socket.on("error", reject);
  socket.send({ type: "response.create", model: "m", input: "hi" });
  expect(await promise).toBe("completed");
  socket.close();
});

describe.each(["m", "converted"])("a socket, model %s", (model) => {
  test("T10 each frame is a request of its own: id, hold, record and settlement", async () => {
    const customer = await gateway.customer(1_000_000);
    using socket = await line(customer.key);
    for (let turn = 0; turn < 3; turn++) {
      socket.create({ model });
      const { response } = await socket.until("response.completed");
      expect(response).toMatchObject({ status: "completed" });
    }
    const rows = await rowsOf(customer.keyId, 3);
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(3);
    expect(rows.map(({ micros, status }) => [micros, status])).toEqual([
      [30, 200],
      [30, 200],
      [30, 200],
    ]);
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      held_micros: 0,
      used_micros: 90,
    });
  });

  test("T11 goes on from a response that nobody stores by its id", async () => {
    using socket = await line(rootKey);
    socket.create({ model, store: false, input: "one" });
    const first = await socket.until("response.completed");
    const { id } = first["response"] as { id: string };
    socket.create({ model, store: false, input: "two", previous_response_id: id });
    await socket.until("response.completed");
    const vendor = model === "m" ? native : chat;
    const sent = vendor.requests.at(-1)?.text ?? "";
    for (const said of ["one", "Yes.", "two"]) expect(sent).toContain(said);
    expect(vendor.requests.at(-1)?.body).not.toHaveProperty("type");
  });

  test("T18 who leaves amid a response pays for what came, and nothing stays held", async () => {
    const wire = wires[model === "m" ? "responses" : "chat"];
    const begun = Promise.withResolvers<void>();
    const vendor = model === "m" ? native : chat;
    vendor.script = async ({ closed }, reply) => {
      reply.stream();
      reply.chunk(wire.opening() + wire.delta("Yes."));
      begun.resolve();
      await closed;
    };
    const customer = await gateway.customer(1_000_000);
    using socket = await line(customer.key);
    socket.create({ model });
    await begun.promise;
    await socket.until("response.output_text.delta");
    socket.close();
    const { micros, outcome } = await newestRow(gateway, customer.keyId);
    expect(micros).toBeGreaterThan(0);
    expect(outcome).toBe("client_abort");
    expect(await balanceOf(gateway, customer.id)).toMatchObject({ held_micros: 0 });
  });
});

/** The same events as other programs write them: `type` last, and no items at the end. */
function withTypeLast(events: string): string {
  return events.replace(/^data: (.*)$/gm, (_line, data: string) => {
    const { type, ...rest } = JSON.parse(data) as Frame;
    return `data: ${JSON.stringify({ ...rest, type })}`;
  });
}

function withoutOutput(events: string): string {
  return events.replace(/^data: (.*)$/gm, (_line, data: string) => {
    const event = JSON.parse(data) as Frame;
    if (event.type !== "response.completed") return `data: ${data}`;
    return `data: ${JSON.stringify({ ...event, response: { ...Object(event["response"]), output: [] } })}`;
  });
}

test.each([
  ["with the type last", withTypeLast],
  ["without the items at the end", withoutOutput],
])("T11 a response that nobody stores is gone on from, told %s", async (_how, told) => {
  const { responses } = wires;
  const item = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Yes." }],
  };
  const done = { type: "response.output_item.done", output_index: 0, item };
  native.script = (_request, reply) => {
    reply.stream();
    const itemDone = `event: ${done.type}\ndata: ${JSON.stringify(done)}\n\n`;
    const events = responses.opening() + responses.delta("Yes.") + itemDone;
    reply.chunk(told(events + responses.ending("Yes.", counts)));
    reply.end();
  };
  using socket = await line(rootKey);
  socket.create({ store: false, input: "one" });
  const { response } = await socket.until("response.completed");
  const { id } = response as { id: string };
  socket.create({ store: false, input: "two", previous_response_id: id });
  await socket.until("response.completed");
  const sent = native.requests.at(-1);
  expect(sent?.body).not.toHaveProperty("previous_response_id");
  for (const said of ["one", "Yes.", "two"]) expect(sent?.text).toContain(said);
});

describe("a frame", () => {
  test.each<[string, object | string | Uint8Array<ArrayBuffer>, string | null]>([
    ["no JSON", "{", null],
    ["a list", "[]", null],
    ["bytes", new TextEncoder().encode('{"type":"response.create"}'), null],
    ["of another type", { type: "session.update" }, "type"],
    ["in the background", { type: "response.create", model: "m", background: true }, "background"],
    ["without output", { type: "response.create", model: "m", generate: false }, "generate"],
    ["of a lane", { type: "response.create", model: "m", stream_id: "a" }, "stream_id"],
    ["with a wrong field", { type: "response.create", model: "m", input: 7 }, "input"],
  ])("N2 that is %s is told in an error event, and the socket goes on", async (...row) => {
    const [, frame, param] = row;
    using socket = await line(rootKey);
    socket.send(frame);
    expect(await socket.until("error")).toMatchObject({
      status: 400,
      param,
      error: { code: "invalid_request", param },
    });
    expect(native.requests).toHaveLength(0);
    socket.create();
    await socket.until("response.completed");
  });

  test("Q1 that cannot be paid is an error event, and nothing is sent", async () => {
    const { key } = await gateway.customer(1);
    using socket = await line(key);
    socket.create();
    expect(await socket.until("error")).toMatchObject({
      status: 402,
      code: "insufficient_user_quota",
      headers: { "x-request-id": expect.any(String) },
    });
    expect(native.requests).toHaveLength(0);
  });

  test("N2 amid another response is refused, and that one goes on", async () => {
    const { responses } = wires;
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    native.script = async (_request, reply) => {
      reply.stream();
      reply.chunk(responses.opening() + responses.delta("Yes."));
      begun.resolve();
      await go.promise;
      reply.chunk(responses.ending("Yes.", counts));
      reply.end();
    };
    using socket = await line(rootKey);
    socket.create();
    await begun.promise;
    socket.create();
    expect(await socket.until("error")).toMatchObject({ status: 409 });
    go.resolve();
    await socket.until("response.completed");
    expect(native.requests).toHaveLength(1);
  });

  test("A4 after its key was revoked is a 401, and the socket ends", async () => {
    const customer = await gateway.customer(1_000_000);
    using socket = await line(customer.key);
    socket.create();
    await socket.until("response.completed");
    await gateway.control("DELETE", `/api/token/${customer.keyId}`);
    socket.create();
    expect(await socket.until("error")).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await socket.closed.promise).toBe(1008);
  });

  test("N2 that is larger than a body may be ends the socket", async () => {
    using socket = await line(rootKey);
    socket.create({ input: "x".repeat(120_000) });
    expect(await socket.closed.promise).toBeOneOf([1006, 1009]);
    expect(native.requests).toHaveLength(0);
  });
});

test("T10 one account has a part of the sockets, and others have theirs", async () => {
  const limited = JSON.stringify({ ...config, limits: { streams_max: 8 } });
  await using own = await startGateway({ config: limited });
  const [ann, bob] = [await own.customer(1), await own.customer(1)];
  const first = await line(ann.key, own);
  using _second = await line(ann.key, own);
  expect(await refusedAt(own, ann.key)).toMatchObject({
    status: 429,
    body: { error: { code: "too_many_requests" } },
  });
  using _other = await line(bob.key, own);
  first.close();
  await first.closed.promise;
  using _again = await line(ann.key, own);
});

test("Q5 a gateway that ends lets a response end, then closes its socket", async () => {
  const { responses } = wires;
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  native.script = async (_request, reply) => {
    reply.stream();
    reply.chunk(responses.opening() + responses.delta("Yes."));
    begun.resolve();
    await go.promise;
    reply.chunk(responses.ending("Yes.", counts));
    reply.end();
  };
  await using own = await startGateway({ config: JSON.stringify(config) });
  using busy = await line(rootKey, own);
  using idle = await line(rootKey, own);
  busy.create();
  await begun.promise;
  const stopped = own.stop();
  expect(await idle.closed.promise).toBe(1001);
  go.resolve();
  await busy.until("response.completed");
  expect(await busy.closed.promise).toBe(1001);
  await stopped;
});

/** The answer to a handshake that is refused. */
async function refusedAt({ url }: Gateway, key: string): Promise<object> {
  const headers = {
    authorization: `Bearer ${key}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${url}/v1/responses`, { headers }, resolve).on("error", reject);
  const answer = await promise;
  const pieces: Uint8Array[] = await Array.fromAsync(answer);
  const { statusCode: status, headers: told } = answer;
  return { status, upgrade: told.upgrade, body: JSON.parse(Buffer.concat(pieces).toString()) };
}

describe("a handshake", () => {
  test("T10 where sockets are off is answered 426 at once", async () => {
    expect(await refusedAt(without, rootKey)).toEqual({
      status: 426,
      upgrade: "websocket",
      body: { error: expect.objectContaining({ code: "upgrade_required" }) },
    });
  });

  test("T10 that asks for no socket is answered 426", async () => {
    const { status, headers } = await gateway.get("/v1/responses");
    expect([status, headers.get("upgrade")]).toEqual([426, "websocket"]);
  });

  test("A4 with a wrong key is answered 401", async () => {
    expect(await refusedAt(gateway, "sk-nobody")).toMatchObject({ status: 401 });
  });
});
