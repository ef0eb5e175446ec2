import { describe, expect, test } from "bun:test";
import { constants, deflateRawSync } from "node:zlib";
import { BodyTooLarge, OutboundFailed } from "../outbound.ts";
import { canary, expectSilent, failureOf, insides, readAll, ways } from "./fixtures/raw-vendor.ts";

interface Vendor extends AsyncDisposable {
  url: string;
}

function vendor(answer: (request: Request) => Response | Promise<Response>): Vendor {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Answers every connection with the same bytes, whatever they are. */
function rawVendor(text: string, isClosing = true): Vendor {
  const listener = Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      data(socket) {
        socket.write(text);
        if (isClosing) socket.end();
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    [Symbol.asyncDispose]: async () => listener.stop(true),
  };
}

const zeros = new Uint8Array(64 * 1024);

/** A body without end; `left` resolves when its reader is gone. */
function endless(piece: Uint8Array = zeros, head?: Uint8Array) {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => (head ? controller.enqueue(head) : undefined),
    pull: (controller) => controller.enqueue(piece),
    cancel: () => resolve(),
  });
  return { body, left };
}

/** The same, packed to about a thousandth: a block that is flushed may be followed by itself. */
function endlessBomb() {
  const head = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  const block = deflateRawSync(zeros, { finishFlush: constants.Z_SYNC_FLUSH });
  return endless(block, head);
}

const wholeText = "0123456789".repeat(500);
const wholeBytes = new TextEncoder().encode(wholeText);
const chunkedBody = `Transfer-Encoding: chunked\r\n\r\n1388\r\n${wholeText}\r\n0\r\n\r\n`;

const bodies: [string, () => Vendor][] = [
  ["with its length", () => vendor(() => new Response(wholeBytes))],
  ["in chunks", () => rawVendor(`HTTP/1.1 200 OK\r\n${chunkedBody}`)],
  ["up to the close", () => rawVendor(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${wholeText}`)],
  [
    "in chunks and with a smaller length",
    () => rawVendor(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${chunkedBody}`),
  ],
  [
    "packed, with the length of the package",
    () => {
      const headers = { "content-encoding": "gzip" };
      return vendor(() => new Response(Bun.gzipSync(wholeBytes), { headers }));
    },
  ],
];

describe.each(ways)("over %s:", (_way, call) => {
  describe("a request", () => {
    test("arrives with its method, headers and body", async () => {
      await using server = vendor(async (request) => {
        const { method, headers } = request;
        return Response.json([method, headers.get("x-a"), await request.text()]);
      });
      const headers = { "x-a": "b" };
      const posted = await call(server.url, { method: "POST", headers, body: "hello" });
      expect(await readAll(posted)).toBe('["POST","b","hello"]');
      const got = await call(server.url, { headers });
      expect(await readAll(got)).toBe('["GET","b",""]');
    });

    test.each([204, 400, 401, 404, 429, 500, 503])(
      "answered with %d is answered",
      async (status) => {
        await using server = vendor(() => new Response(null, { status, headers: { "x-a": "b" } }));
        const reply = await call(server.url);
        expect([reply.status, reply.headers.get("x-a")]).toEqual([status, "b"]);
        expect(await reply.bytes(0)).toHaveLength(0);
      },
    );

    test.each([301, 302, 303, 307, 308])("answered with %d goes nowhere else", async (status) => {
      const paths: string[] = [];
      await using server = vendor((request) => {
        paths.push(new URL(request.url).pathname);
        return new Response(null, { status, headers: { location: "/elsewhere" } });
      });
      const reply = await call(server.url, { method: "POST", body: "{}" });
      expect([reply.status, reply.headers.get("location")]).toEqual([status, "/elsewhere"]);
      expect(paths).toEqual(["/"]);
    });
  });

  describe.each(bodies)("a body sent %s", (_name, start) => {
    test("is read when it is as long as the cap", async () => {
      await using server = start();
      const reply = await call(server.url);
      expect(Buffer.from(await reply.bytes(wholeBytes.length)).toString()).toBe(wholeText);
    });

    test("is refused when it is longer than the cap", async () => {
      await using server = start();
      const reply = await call(server.url);
      expect(await failureOf(reply.bytes(wholeBytes.length - 1))).toBeInstanceOf(BodyTooLarge);
    });

    test("is read piece by piece to its end", async () => {
      await using server = start();
      const reply = await call(server.url);
      expect(await readAll(reply)).toBe(wholeText);
      expect((await reply.read()).value).toBeUndefined();
    });
  });

  describe("a body without end", () => {
    test("is given up at the cap, and its sender is told", async () => {
      const { body, left } = endless();
      await using server = vendor(() => new Response(body));
      const reply = await call(server.url);
      expect(await failureOf(reply.bytes(1024 * 1024))).toBeInstanceOf(BodyTooLarge);
      await left;
    });

    test("is given up at the cap also when it is packed a thousandfold", async () => {
      const { body, left } = endlessBomb();
      const headers = { "content-encoding": "gzip" };
      await using server = vendor(() => new Response(body, { headers }));
      const reply = await call(server.url);
      expect(await failureOf(reply.bytes(1024 * 1024))).toBeInstanceOf(BodyTooLarge);
      await left;
    });

    test("is given up before its first byte when its length is known", async () => {
      await using server = rawVendor("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", false);
      const reply = await call(server.url);
      expect(await failureOf(reply.bytes(1000))).toBeInstanceOf(BodyTooLarge);
    });

    test.each([0, 1])("ends for both sides when it is cancelled after %d reads", async (reads) => {
      const { body, left } = endless();
      await using server = vendor(() => new Response(body));
      const reply = await call(server.url);
      for (let count = 0; count < reads; count++) expect((await reply.read()).value).toBeDefined();
      reply.cancel();
      reply.cancel();
      await left;
      expect((await reply.read()).value).toBeUndefined();
    });
  });

  test("pieces are read as they arrive", async () => {
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    await using server = vendor(
      () =>
        new Response(async function* () {
          yield "first";
          await isRead;
          yield "second";
        }),
    );
    const reply = await call(server.url);
    expect(Buffer.from((await reply.read()).value ?? []).toString()).toBe("first");
    resolve();
    expect(await readAll(reply)).toBe("second");
  });

  describe("an abort", () => {
    test("before the request keeps it from being sent", async () => {
      let count = 0;
      await using server = vendor(() => {
        count++;
        return new Response();
      });
      const error = await failureOf(call(server.url, { signal: AbortSignal.abort() }));
      expect(error).toBeInstanceOf(OutboundFailed);
      expect([String(error), count]).toEqual(["OutboundFailed: AbortError", 0]);
    });

    test("ends the wait for an answer, for both sides", async () => {
      const arrived = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      await using server = vendor(async (request) => {
        request.signal.addEventListener("abort", () => left.resolve());
        arrived.resolve();
        await left.promise;
        return new Response();
      });
      const abort = new AbortController();
      const failure = failureOf(call(server.url, { signal: abort.signal }));
      await arrived.promise;
      abort.abort();
      expect(await failure).toBeInstanceOf(OutboundFailed);
      await left.promise;
    });

    test("ends a body, for both sides", async () => {
      const { body, left } = endless();
      await using server = vendor(() => new Response(body));
      const abort = new AbortController();
      const reply = await call(server.url, { signal: abort.signal });
      expect((await reply.read()).value).toBeDefined();
      abort.abort();
      expect(await failureOf(readAll(reply))).toBeInstanceOf(OutboundFailed);
      await left;
    });
  });

  describe("a failure", () => {
    const secrets = { headers: { authorization: `Bearer ${canary}` } };

    test("to connect says nothing of the address or the key", async () => {
      const gone = vendor(() => new Response());
      await gone[Symbol.asyncDispose]();
      const url = `${gone.url}models?key=${canary}`;
      await expectSilent(call(url, secrets), url);
    });

    test("to understand the answer says nothing of them", async () => {
      await using server = rawVendor("nonsense\r\n\r\n");
      const url = `${server.url}?key=${canary}`;
      await expectSilent(call(url, secrets), url);
    });

    test("in the middle of the body says nothing of them", async () => {
      await using server = rawVendor("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello");
      const url = `${server.url}?key=${canary}`;
      await expectSilent(
        call(url, secrets).then((reply) => reply.bytes(1000)),
        url,
      );
      await expectSilent(call(url, secrets).then(readAll), url);
    });

    test("to read the address says nothing of it", async () => {
      const error = await failureOf(call(`http://[::1/?key=${canary}`, secrets));
      expect(error).toBeInstanceOf(OutboundFailed);
      expect(insides(error)).not.toContain(canary);
    });

    test("that the caller caused does not repeat the caller's reason", async () => {
      const signal = AbortSignal.abort(new Error(canary));
      expect(insides(await failureOf(call("http://127.0.0.1:1/", { signal })))).not.toContain(
        canary,
      );
      const other = AbortSignal.abort(canary);
      expect(
        insides(await failureOf(call("http://127.0.0.1:1/", { signal: other }))),
      ).not.toContain(canary);
    });
  });
});
