// Attacks through a vendor's answer: silence, garbage, floods, and what must not come through.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { constants, deflateRawSync } from "node:zlib";
import { StreamReader } from "../harness/event-stream.ts";
import { type Gateway, startGateway, startProcess } from "../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { Flood, type FloodOptions } from "./flood.ts";
import { assertUp, logRows, peakBytes, settledBalance } from "./observe.ts";
import { RawClient, rawRequest } from "./raw-client.ts";

const config = `
timeouts: { first_byte_ms: 2000, stall_ms: 2000, write_stall_ms: 2000 }
text: { read_on_ms: 200 }
distribution: { failures_to_eject: 1000 }
`;
const mebibyte = 1024 * 1024;
/** Far more than a request may cost in memory, far less than what is thrown at it. */
const growthBytesMax = 300 * mebibyte;
const floodBytes = 1024 * mebibyte;
const rich = 1_000_000_000;
/** Price of a whole answer of the vendor by its usage: 10 in and 20 out. */
const fullPrice = 30;
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
let gateway: Gateway;
let customer: { id: string; key: string; keyId: string };

beforeAll(async () => {
  gateway = await startProcess({ config });
  const models = ["penny", "first-silent", "floods"];
  for (const model of models) {
    await gateway.control("POST", "/api/price", {
      model,
      input_micros_per_million: 1_000_000,
      output_micros_per_million: 1_000_000,
    });
  }
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["penny"] }));
  customer = await gateway.customer(rich);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const body = {
  model: "penny",
  messages: [{ role: "user", content: "hi" }],
  max_tokens: 1000,
  stream: true,
};

async function chat(fields: object = {}, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}` },
    body: JSON.stringify({ ...body, ...fields }),
    ...(signal && { signal }),
  });
}

/** The answer to a stream that the vendor plays like this, and what it cost. */
async function play(script: VendorScript, fields: object = {}) {
  vendor.script = script;
  const before = await settledBalance(gateway, customer.id);
  const response = await chat(fields);
  const text = await response.text();
  const after = await settledBalance(gateway, customer.id);
  return {
    status: response.status,
    headers: response.headers,
    text,
    micros: after.used_micros - before.used_micros,
  };
}

const streamHead =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const closingHead =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const line = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const hello = line(delta({ role: "assistant", content: "hello" }));
const done = "data: [DONE]\n\n";

/** A stream that began and did not end as it should: no end marker, an error in its place. */
function expectBroken(played: { status: number; text: string }): void {
  expect(played.status).toBe(200);
  expect(played.text).toContain('"hello"');
  expect(played.text).not.toContain("[DONE]");
  expect(played.text.trimEnd().split("\n\n").at(-1)).toStartWith('data: {"error":');
}

describe("a client that leaves", () => {
  test("hazard C1 before the first byte, the vendor is left too", async () => {
    vendor.script = () => {};
    const leaving = new AbortController();
    const asked = vendor.requests.length;
    const answer = chat({}, leaving.signal).catch(() => "left");
    while (vendor.requests.length === asked) await Bun.sleep(5);
    leaving.abort();
    expect(await answer).toBe("left");
    await vendor.requests.at(-1)?.closed;
    const [row] = await logRows(gateway, customer.keyId, 1);
    expect(row).toMatchObject({ outcome: "client_abort", micros: 0 });
  });

  test("hazard C1 in the middle of a stream, the vendor is left too", async () => {
    const leaver = await gateway.customer(rich);
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "hello" }));
    };
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${leaver.key}` },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain("hello");
    leaving.abort();
    await vendor.requests.at(-1)?.closed;
    const [row] = await logRows(gateway, leaver.keyId, 1);
    expect(row?.outcome).toBe("client_abort");
    expect(row?.micros).toBeGreaterThan(0);
  });

  test("hazard C13 one that closes its side while it waits leaves nothing held", async () => {
    const leaver = await gateway.customer(rich);
    vendor.script = () => {};
    const asked = vendor.requests.length;
    using client = await RawClient.open(gateway.url);
    const authorization = `Bearer ${leaver.key}`;
    client.send(rawRequest("POST /v1/chat/completions", { authorization }, JSON.stringify(body)));
    while (vendor.requests.length === asked) await Bun.sleep(5);
    client.endSending();
    await vendor.requests.at(-1)?.closed;
    expect(await settledBalance(gateway, leaver.id)).toMatchObject({ quota_micros: rich });
  });
});

describe("a vendor that stops", () => {
  test("hazard C2 one that never answers is an error in time, and free", async () => {
    const played = await play(() => {});
    expect(played).toMatchObject({ status: 500, micros: 0 });
    expect(JSON.parse(played.text)).toMatchObject({ error: { code: "do_request_failed" } });
    await vendor.requests.at(-1)?.closed;
  });

  test("hazard C2 one that never answers is left for the next channel", async () => {
    using silent = new Vendor(() => {});
    using other = new Vendor((_request, reply) => reply.json(completion("from the other")));
    const models = ["first-silent"];
    await gateway.control("POST", "/api/channel", silent.channel({ models, priority: 1 }));
    await gateway.control("POST", "/api/channel", other.channel({ models }));
    const response = await chat({ model: "first-silent", stream: false });
    expect(await response.text()).toContain("from the other");
    expect(silent.requests).toHaveLength(1);
  });

  test("hazard C3 one that falls silent ends with an error event and is paid for in part", async () => {
    const played = await play((_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "hello" }));
    });
    expectBroken(played);
    expect(played.micros).toBeGreaterThan(0);
    expect(played.micros).toBeLessThan(100);
    await vendor.requests.at(-1)?.closed;
  });

  test("hazard C4 C5 one that breaks off in the middle of a chunk never looks complete", async () => {
    const endings: VendorScript[] = [
      (_request, reply) => {
        reply.raw(`${streamHead}${chunkOf(hello)}ff\r\ndata: {"cho`);
        setTimeout(() => reply.cut(), 50);
      },
      (_request, reply) => {
        reply.raw(`${streamHead}${chunkOf(hello)}`);
        setTimeout(() => reply.cut(), 50);
      },
      (_request, reply) => {
        reply.raw(`${streamHead}${chunkOf(hello)}`);
        setTimeout(() => reply.raw("zz\r\nnot a length\r\n"), 50);
      },
    ];
    for (const script of endings) {
      const played = await play(script);
      expectBroken(played);
      expect(played.micros).toBeGreaterThan(0);
    }
  });

  test("hazard C6 the end of the body is not the end of the answer: the marker is", async () => {
    const half = `${hello}data: {"choices":[{"index":0,"delta":{"content":"lost"`;
    for (const text of [hello, half, `${hello}data: [DONE]`]) {
      const chunked = await play((_request, reply) =>
        reply.raw(`${streamHead}${chunkOf(text)}0\r\n\r\n`),
      );
      expectBroken(chunked);
      expect(chunked.text).not.toContain("lost");
      const closing = await play((_request, reply) => {
        reply.raw(closingHead + text);
        setTimeout(() => reply.cut(), 20);
      });
      expectBroken(closing);
    }
  });
});

describe("a vendor that sends too much", () => {
  const sse = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close";
  const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
  const piece = new Uint8Array(64 * 1024).fill(120);

  /** One request against a flood; what it answered, and by how much the process grew. */
  async function drown(options: FloodOptions, fields: object = {}) {
    await using flood = await Flood.open(options);
    const channel = vendor.channel({
      name: "flood",
      base_url: flood.url,
      models: ["floods"],
      // A busy machine needs seconds for so many bytes: only their number is to end it.
      first_byte_ms: 30_000,
    });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    const before = peakBytes(gateway);
    try {
      const response = await chat({ model: "floods", ...fields });
      const text = await response.text();
      await flood.left;
      // Work behind the answer is over when the next request is through.
      await play((_request, reply) => reply.json(completion("hello")), { stream: false });
      return { text, sentBytes: flood.sentBytes, growthBytes: peakBytes(gateway) - before };
    } finally {
      await gateway.control("DELETE", `/api/channel/${id}`);
    }
  }

  test("hazard C7 a line without an end is cut off before it fills the memory", async () => {
    const whole = await drown({ head: sse, first: "data: ", piece, bytesMax: floodBytes });
    expect(JSON.parse(whole.text)).toMatchObject({ error: { code: "bad_response_body" } });
    const begun = await drown({
      head: sse,
      first: `${hello}data: `,
      piece,
      bytesMax: floodBytes,
    });
    expectBroken({ status: 200, text: begun.text });
    for (const { sentBytes, growthBytes } of [whole, begun]) {
      expect(sentBytes).toBeLessThan(100 * mebibyte);
      expect(growthBytes).toBeLessThan(growthBytesMax);
    }
  });

  test("hazard C8 a body without an end is cut off, as an answer and as an error", async () => {
    for (const head of [json, json.replace("200 OK", "400 Bad Request")]) {
      const options = { head, first: '{"a":"', piece, bytesMax: floodBytes };
      const { text, sentBytes, growthBytes } = await drown(options, { stream: false });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "bad_response_body" } });
      expect(sentBytes).toBeLessThan(200 * mebibyte);
      expect(growthBytes).toBeLessThan(growthBytesMax);
    }
  });

  test("hazard C8 a small body that unpacks to a huge one is cut off", async () => {
    // The same packed piece over and over is half a gibibyte of zeros.
    const zeros = Buffer.alloc(64 * mebibyte);
    const times = <Piece>(piece: Piece) => Array.from({ length: 8 }, () => piece);
    const blocks = deflateRawSync(zeros, { finishFlush: constants.Z_SYNC_FLUSH, level: 1 });
    const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    const bombs = {
      gzip: Buffer.concat([gzipHead, ...times(blocks)]),
      zstd: Buffer.concat(times(Bun.zstdCompressSync(zeros))),
    };
    for (const [encoding, bomb] of Object.entries(bombs)) {
      for (const [head, stream] of [[json, false] as const, [sse, true] as const]) {
        const packed = `${head}\r\ncontent-encoding: ${encoding}`;
        const options = { head: packed, piece: bomb, bytesMax: 1 };
        const { text, growthBytes } = await drown(options, { stream });
        expect(JSON.parse(text)).toMatchObject({ error: { type: "server_error" } });
        expect(growthBytes).toBeLessThan(growthBytesMax);
      }
    }
  });

  test("hazard C8 nothing packed is ever asked for", async () => {
    await play((_request, reply) => reply.json(completion("hello")), { stream: false });
    expect(vendor.requests.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });

  test("hazard C12 a client that does not read holds its vendor back and is dropped", async () => {
    const events = Buffer.from(line(delta({ content: "x".repeat(60_000) })));
    await using flood = await Flood.open({
      head: sse,
      first: hello,
      piece: events,
      bytesMax: floodBytes,
    });
    const sleeper = await gateway.customer(rich);
    const channel = vendor.channel({
      name: "flood",
      base_url: flood.url,
      models: ["floods"],
      // A busy machine needs seconds for so many bytes: only their number is to end it.
      first_byte_ms: 30_000,
    });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    const before = peakBytes(gateway);
    using client = await RawClient.open(gateway.url);
    const headers = { authorization: `Bearer ${sleeper.key}` };
    const asked = JSON.stringify({ ...body, model: "floods" });
    client.send(rawRequest("POST /v1/chat/completions", headers, asked));
    await client.until(/hello/);
    client.pause();
    await flood.left;
    expect(flood.sentBytes).toBeLessThan(100 * mebibyte);
    expect(peakBytes(gateway) - before).toBeLessThan(growthBytesMax);
    await settledBalance(gateway, sleeper.id);
    await gateway.control("DELETE", `/api/channel/${id}`);
  });
});

describe("how an event is written", () => {
  test("hazard C9 text that arrives byte by byte arrives whole", async () => {
    const content = "grüße, 世界, 👩‍🚀";
    const text = line(delta({ content })) + done;
    const played = await play(async (_request, reply) => {
      reply.raw(closingHead);
      for (const byte of Buffer.from(text)) {
        reply.raw(new Uint8Array([byte]));
        if (byte > 127) await Bun.sleep(1);
      }
    });
    expect(played.text).toBe(text);
  });

  test("hazard C9 bytes that are no text pass as they are", async () => {
    const head = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"');
    const tail = Buffer.from(`"}}]}\n\n${done}`);
    const sent = Buffer.concat([head, Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]), tail]);
    vendor.script = (_request, reply) => {
      reply.raw(closingHead);
      reply.raw(sent);
    };
    const response = await chat();
    expect(Buffer.from(await response.arrayBuffer()).equals(sent)).toBeTrue();
  });

  const chunk = JSON.stringify(delta({ content: "hello" }));
  const usage = JSON.stringify(usageChunk());
  test.each([
    ["CRLF", `data: ${chunk}\r\n\r\ndata: ${usage}\r\n\r\ndata: [DONE]\r\n\r\n`],
    ["CR", `data: ${chunk}\r\rdata: ${usage}\r\rdata: [DONE]\r\r`],
    ["no space", `data:${chunk}\n\ndata:${usage}\n\ndata:[DONE]\n\n`],
    ["a byte order mark", `\ufeffdata: ${chunk}\n\ndata: ${usage}\n\n${done}`],
    ["comments", `: hi\n\n:\ndata: ${chunk}\n\n: x\n\ndata: ${usage}\n\n: y\n${done}`],
    ["other fields", `id: 1\nevent: e\nretry: 5\ndata: ${chunk}\n\ndata: ${usage}\n\n${done}`],
    [
      "data on several lines",
      `data: {"choices":\ndata: []}\n\ndata: ${chunk}\n\ndata: ${usage}\n\n${done}`,
    ],
    ["blank lines", `\n\n\n\ndata: ${chunk}\n\n\n\n\ndata: ${usage}\n\n\n${done}`],
  ])(
    "hazard C10 a stream with %s is read to its end and charged by its usage",
    async (_n, text) => {
      const played = await play((_request, reply) => reply.raw(closingHead + text));
      expect(played.text).toContain("hello");
      expect(played.text).toMatch(/data: ?\[DONE\]/);
      expect(played.text).not.toContain("prompt_tokens");
      expect(played.micros).toBe(fullPrice);
    },
  );

  test("hazard C10 nothing behind the end marker reaches the client", async () => {
    const after = `${line(delta({ content: "afterthought" }))}data: {"error":{"message":"x"}}\n\n`;
    const together = await play((_request, reply) =>
      reply.raw(closingHead + hello + line(usageChunk()) + done + after),
    );
    const apart = await play((_request, reply) => {
      reply.raw(closingHead + hello + line(usageChunk()) + done);
      setTimeout(() => reply.raw(after), 5);
    });
    for (const { text, micros } of [together, apart]) {
      expect(text).toEndWith(done);
      expect(text).not.toContain("afterthought");
      expect(micros).toBe(fullPrice);
    }
  });

  test("hazard C11 what is no event stream is an error, and free", async () => {
    const html = "<html><body>Service unavailable</body></html>";
    const error = JSON.stringify({ error: { message: "quota of the operator", code: "x" } });
    const bodies = {
      "text/html": [html, ""],
      "application/json": [error, "{}", JSON.stringify(completion("whole, not streamed"))],
      "text/event-stream": [error, html, `data: ${error}\n\n`, "data: not json\n\n", "", "\n\n"],
    };
    for (const [type, texts] of Object.entries(bodies)) {
      for (const text of texts) {
        const head = `content-type: ${type}\r\ncontent-length: ${text.length}`;
        const played = await play((_request, reply) =>
          reply.raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`),
        );
        expect([text, played.status, played.micros]).toEqual([text, 500, 0]);
        expect(JSON.parse(played.text)).toMatchObject({ error: { type: "server_error" } });
        expect(played.text).not.toContain("html");
      }
    }
  });

  test("hazard C11 what is no completion is an error, and free", async () => {
    const bodies = ["<html>", "", "{}", "null", "[]", '"hi"', '{"choices":5}', '{"choices":'];
    for (const text of [...bodies, '{"id":"chatcmpl-1","message":"no"}']) {
      const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
      const played = await play(
        (_request, reply) => reply.raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`),
        { stream: false },
      );
      expect([text, played.status, played.micros]).toEqual([text, 500, 0]);
      expect(JSON.parse(played.text)).toMatchObject({ error: { code: "bad_response_body" } });
    }
  });

  test("hazard C11 what is no HTTP is an error, and free", async () => {
    const noises = [
      "\0\0\0\0\0\0\0\0",
      "SSH-2.0-OpenSSH_9\r\n",
      "HTTP/1.1 abc\r\n\r\n",
      "\r\n\r\n",
    ];
    for (const noise of noises) {
      const played = await play((_request, reply) => {
        reply.raw(noise);
        setTimeout(() => reply.cut(), 10);
      });
      expect([noise, played.status, played.micros]).toEqual([noise, 500, 0]);
    }
  });

  test("hazard C14 C15 a quiet stream is kept alive, and never inside an event", async () => {
    const seen = Promise.withResolvers<void>();
    vendor.script = async (_request, reply) => {
      reply.raw(closingHead + hello + hello.slice(0, 30));
      await seen.promise;
      reply.raw(hello.slice(30) + done);
    };
    const channels = [vendor.channel({ models: ["penny"] })];
    const lively = { channels, unpriced: "free", timeouts: { keep_alive_ms: 100 } };
    await using quick = await startGateway({ config: JSON.stringify(lively) });
    const reader = new StreamReader(await quick.post("/v1/chat/completions", body));
    await reader.until(": keep-alive\n\n");
    seen.resolve();
    const text = await reader.rest();
    expect(text.replaceAll(": keep-alive\n\n", "")).toBe(hello + hello + done);
  });

  test("hazard C16 of usage that is reported more than once the last counts, also downwards", async () => {
    const low = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    const reported: [object | undefined, object | undefined, number][] = [
      [low, undefined, fullPrice],
      [undefined, low, 12],
      [undefined, {}, fullPrice],
      [undefined, undefined, fullPrice],
    ];
    for (const [first, last, micros] of reported) {
      const events = [first, last].map((report) => line(usageChunk(report))).join("");
      const played = await play((_request, reply) =>
        reply.raw(closingHead + hello + events + done),
      );
      expect(played.micros).toBe(micros);
    }
  });

  test("hazard C17 pieces of tool calls that are no JSON yet pass untouched", async () => {
    const calls = ['{"ci', 'ty": "Par', "is", '"}', "}}}", "\u0000", '"\\'];
    const text = calls
      .map((piece) => line(delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] })))
      .join("");
    const played = await play((_request, reply) => reply.raw(closingHead + text + done));
    expect(played.text).toBe(text + done);
  });

  test("hazard C18 usage that the client did not ask for stays with the gateway", async () => {
    const script: VendorScript = (request, reply) => {
      expect(request.body["stream_options"]).toEqual({ include_usage: true });
      reply.raw(closingHead + hello + line({ ...delta({ content: "b" }), usage: null }));
      reply.raw(line({ ...delta({}, "stop"), usage: { prompt_tokens: 1, completion_tokens: 1 } }));
      reply.raw(line(usageChunk()) + done);
    };
    const hidden = await play(script);
    expect(hidden.text).not.toContain("prompt_tokens");
    expect(hidden.text).toContain('"finish_reason":"stop"');
    const shown = await play(script, { stream_options: { include_usage: true } });
    expect(shown.text).toContain('"prompt_tokens":10');
    expect([hidden.micros, shown.micros]).toEqual([fullPrice, fullPrice]);
  });
});

describe("what a vendor's headers may do", () => {
  const foreign = {
    "set-cookie": "session=vendor; Path=/",
    server: "vendor-edge",
    location: "http://vendor.test/elsewhere",
    "alt-svc": 'h3=":443"',
    "openai-organization": "org-of-the-operator",
    "x-ratelimit-remaining-requests": "7",
    "access-control-allow-origin": "http://vendor.test",
    "strict-transport-security": "max-age=1",
    "www-authenticate": "Basic",
    "x-request-id": "req-of-the-vendor",
    "retry-after": "7",
    "cache-control": "public, max-age=99",
    link: "</x>; rel=preload",
    refresh: "0; url=http://vendor.test",
    trailer: "x-late",
    "cf-ray": "vendor-ray",
  };
  const lines = Object.entries(foreign).map(([name, value]) => `${name}: ${value}\r\n`);

  test("hazard C20 none of them reaches the client, on success or failure", async () => {
    const answers: [string, boolean][] = [
      [streamHead.replace("\r\n\r\n", `\r\n${lines.join("")}\r\n`) + chunkOf(hello + done), true],
      ...[200, 400, 418, 500].map((status): [string, boolean] => {
        const text = JSON.stringify(status === 200 ? completion("hello") : { error: {} });
        const head = `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\n`;
        return [`${head}content-length: ${text.length}\r\n${lines.join("")}\r\n${text}`, false];
      }),
    ];
    for (const [raw, stream] of answers) {
      const { headers } = await play((_request, reply) => reply.raw(raw), { stream });
      for (const [name, value] of Object.entries(foreign)) {
        expect([name, headers.get(name)]).not.toEqual([name, value]);
      }
      const own = ["content-type", "date", "request-id", "x-request-id", "content-length"];
      const added = ["transfer-encoding", "cache-control", "x-accel-buffering", "connection"];
      const known = new Set([
        ...own,
        ...added,
        "retry-after",
        "x-should-retry",
        "x-sluice-cost-usd",
      ]);
      expect([...headers.keys()].filter((name) => !known.has(name))).toEqual([]);
    }
  });

  test("hazard C20 a redirect is not followed and not shown", async () => {
    using target = new Vendor((_request, reply) => reply.json(completion("followed")));
    for (const status of [301, 302, 303, 307, 308]) {
      for (const stream of [false, true]) {
        const played = await play(
          (_request, reply) => reply.json({}, status, { location: `${target.url}/v1/other` }),
          { stream },
        );
        expect([status, played.status, played.micros]).toEqual([status, 500, 0]);
        expect(played.headers.get("location")).toBeNull();
        expect(played.text).not.toContain(target.url);
      }
    }
    expect(target.requests).toEqual([]);
  });

  test("hazard C20 an answer before the answer is not the answer", async () => {
    const text = JSON.stringify(completion("real"));
    const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
    const played = await play(
      (_request, reply) =>
        reply.raw(
          `HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`,
        ),
      { stream: false },
    );
    expect(played).toMatchObject({ status: 200, text });
  });
});
