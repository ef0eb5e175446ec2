// A signal ends whatever is under way, and whoever listened to it is gone when it is over.
import { describe, expect, test } from "bun:test";
import {
  call as callOverSockets,
  countedAbort,
  failureText,
  okay,
  RawVendor,
  readAll,
  ways,
} from "./fixtures/raw-vendor.ts";

describe.each(ways)("over %s:", (_way, call) => {
  describe("an abort", () => {
    test.each(["http", "https"])("is obeyed before an %s connection is there", async (protocol) => {
      await using vendor = await RawVendor.listening();
      const abort = countedAbort();
      const url = vendor.url.replace("http", protocol);
      const reply = call(url, { signal: abort.signal });
      abort.abort();
      expect(await failureText(reply)).toBe("AbortError");
      for (const peer of vendor.peers) await peer.closed;
      const heard = vendor.peers.map((peer) => peer.heard.toString());
      expect([heard.join(""), abort.count()]).toEqual(["", 0]);
    });

    test("is obeyed while a host does not answer at all", async () => {
      // Nobody accepts, and the queue of those who wait for that is short.
      const script = `
      import net from "node:net";
      const server = net.createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
        require("node:fs").writeSync(1, String(server.address().port) + "\\n");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });
    `;
      const child = Bun.spawn([process.execPath, "-e", script], {
        stdout: "pipe",
        stdin: "ignore",
      });
      try {
        const reader = child.stdout.getReader();
        const port = Number(Buffer.from((await reader.read()).value ?? []).toString());
        const abort = countedAbort();
        const { signal } = abort;
        const url = `http://127.0.0.1:${port}/`;
        const replies = Array.from({ length: 20 }, () => failureText(call(url, { signal })));
        abort.abort();
        expect(new Set(await Promise.all(replies))).toEqual(new Set(["AbortError"]));
        expect(abort.count()).toBe(0);
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
    });

    test("is obeyed while the other side does not secure the connection", async () => {
      await using vendor = await RawVendor.listening();
      const abort = countedAbort();
      const reply = call(vendor.url.replace("http", "https"), { signal: abort.signal });
      const peer = await vendor.next();
      await new Promise((resolve) => peer.socket.once("data", resolve));
      abort.abort();
      expect(await failureText(reply)).toBe("AbortError");
      await peer.closed;
      expect(abort.count()).toBe(0);
    });

    test.each(["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n"])(
      "while the head is at %p",
      async (text) => {
        await using vendor = await RawVendor.listening();
        const abort = countedAbort();
        const reply = call(vendor.url, { signal: abort.signal });
        const peer = await vendor.next();
        await peer.request();
        await peer.write(text);
        abort.abort();
        expect(await failureText(reply)).toBe("AbortError");
        await peer.closed;
        expect(abort.count()).toBe(0);
      },
    );

    test("is obeyed while a request is being sent", async () => {
      await using vendor = await RawVendor.listening();
      const abort = countedAbort();
      const body = "x".repeat(30_000_000);
      const reply = call(vendor.url, { method: "POST", body, signal: abort.signal });
      const peer = await vendor.next();
      peer.socket.pause();
      abort.abort();
      expect(await failureText(reply)).toBe("AbortError");
      peer.socket.resume();
      await peer.closed;
      expect(abort.count()).toBe(0);
    });

    test.each([0, 4, 10_000_000])("is obeyed while the body is at %d", async (bytes) => {
      await using vendor = await RawVendor.listening();
      const abort = countedAbort();
      const asked = call(vendor.url, { signal: abort.signal });
      const peer = await vendor.next();
      await peer.request();
      await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 20000000\r\n\r\n");
      peer.socket.write("x".repeat(bytes));
      const reply = await asked;
      if (bytes > 0) expect((await reply.read()).value).toBeDefined();
      const reading = bytes === 4 ? failureText(reply.read()) : null;
      abort.abort();
      expect(await failureText(reading ? reading.then(() => reply.read()) : reply.read())).toBe(
        "AbortError",
      );
      await peer.closed;
      expect(abort.count()).toBe(0);
    });
  });

  test("nobody is left listening to a signal that lives on", async () => {
    const { signal, count } = countedAbort();
    const vendor = await RawVendor.listening();
    const replies = [
      okay,
      "HTTP/1.1 204 None\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello",
      "nonsense\r\n\r\n",
      "",
    ];
    for (const text of replies) {
      const asked = call(vendor.url, { signal, isFresh: true });
      const peer = await vendor.next();
      await peer.request();
      await peer.write(text);
      peer.socket.end();
      await asked.then((reply) => reply.bytes(50)).catch(() => {});
      await peer.closed;
      expect([text, count()]).toEqual([text, 0]);
    }
    const { url } = vendor;
    await vendor[Symbol.asyncDispose]();
    expect(await failureText(call(url, { signal }))).toBe("unsent: ECONNREFUSED");
    expect(await failureText(call(url, { signal, headers: { "": "" } }))).toBe(
      "unsent: InvalidHeader",
    );
    expect(count()).toBe(0);
  });
});

test("over our own sockets an abort behind the end changes nothing, read or not", async () => {
  await using vendor = await RawVendor.listening();
  const abort = countedAbort();
  const asked = callOverSockets(vendor.url, { signal: abort.signal });
  const peer = await vendor.next();
  await peer.request();
  await peer.write(okay);
  const reply = await asked;
  expect(abort.count()).toBe(0);
  abort.abort();
  expect(await readAll(reply)).toBe("okay");
  const next = callOverSockets(vendor.url);
  await peer.request();
  await peer.write(okay);
  expect(await readAll(await next)).toBe("okay");
  expect(vendor.peers).toHaveLength(1);
});

test.each(["http", "https"])(
  "over our own sockets an abort closes an %s connection as soon as it is there",
  async (protocol) => {
    await using vendor = await RawVendor.listening();
    const abort = countedAbort();
    const url = vendor.url.replace("http", protocol);
    const reply = callOverSockets(url, { signal: abort.signal });
    abort.abort();
    expect(await failureText(reply)).toBe("AbortError");
    const peer = await vendor.next();
    await peer.closed;
    expect([peer.heard.toString(), abort.count()]).toEqual(["", 0]);
  },
);
