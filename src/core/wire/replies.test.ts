// Replies as vendors may send them, broken off anywhere, and read at any pace.
import { describe, expect, test } from "bun:test";
import {
  countedAbort,
  failureOf,
  failureText,
  framings,
  okay,
  RawVendor,
  readAll,
  takeAll,
  ways,
} from "./fixtures/raw-vendor.ts";

const head = "HTTP/1.1 200 OK\r\n";

describe.each(ways)("over %s:", (_way, call, { closed, malformed, upgraded }) => {
  /** A request that was heard, and waits. */
  async function asked(vendor: RawVendor, signal = new AbortController().signal) {
    const reply = call(vendor.url, { signal });
    const peer = await vendor.next();
    await peer.request();
    return { reply, peer };
  }

  describe("what only says that something is to come", () => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

    test.each([1, 2, 500])("may come %d times", async (times) => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(`HTTP/1.1 100 Continue\r\n\r\n${interim.repeat(times)}${okay}`);
      const { status, headers } = await reply;
      expect([status, headers.get("link"), await readAll(await reply)]).toEqual([
        200,
        null,
        "okay",
      ]);
      // Nothing of it was surplus.
      const next = call(vendor.url);
      await peer.request();
      await peer.write(okay);
      expect(await readAll(await next)).toBe("okay");
    });

    test("may not change the tongue", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n");
      expect(await failureText(reply)).toBe(upgraded);
      await peer.closed;
    });
  });

  describe.each(framings)("a reply %s", (_name, text, isOpen) => {
    test("that breaks off fails behind what came, unless that is its end", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      const half = text.slice(0, text.indexOf("4"));
      await peer.write(half);
      const begun = await reply;
      let came = "";
      while (came.length < 4) came += Buffer.from((await begun.read()).value ?? []).toString();
      peer.socket.end();
      if (isOpen) expect(await readAll(begun)).toBe("");
      else expect(await failureText(readAll(begun))).toBe(closed);
      if (!isOpen) expect(await failureText(begun.bytes(100))).toBe(closed);
      expect(came).toBe("0123");
    });

    test("ends for both sides when it is cancelled", async () => {
      await using vendor = await RawVendor.listening();
      const abort = countedAbort();
      const { reply, peer } = await asked(vendor, abort.signal);
      await peer.write(text.slice(0, text.indexOf("4")));
      const begun = await reply;
      begun.cancel();
      begun.cancel();
      await peer.closed;
      expect([await takeAll(begun), abort.count()]).toEqual(["", 0]);
    });
  });

  test.each(framings.filter(([, , isOpen]) => !isOpen))(
    "a reply %s that is torn off fails",
    async (_name, text) => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(text.slice(0, text.indexOf("4")));
      const begun = await reply;
      peer.socket.resetAndDestroy();
      expect(await failureText(readAll(begun))).toBe("ECONNRESET");
    },
  );

  describe("a head", () => {
    test("of lines without end is refused", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(head + "x-a: b\r\n".repeat(40_000));
      expect(await failureText(reply)).toBe(malformed);
      await peer.closed;
    });

    test("that breaks off is a failure", async () => {
      await using vendor = await RawVendor.listening();
      for (const text of ["", "H", `${head}\r`]) {
        const { reply, peer } = await asked(vendor);
        await peer.write(text);
        peer.socket.end();
        expect(await failureText(reply)).toBe(closed);
      }
    });
  });

  describe("a reader that is slow", () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    const pieces = 1024;
    const total = piece.length * pieces;

    test("holds the vendor up, and gets it all", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(`${head}content-length: ${total}\r\n\r\n`);
      const begun = await reply;
      let sent = 0;
      const sending = (async () => {
        for (; sent < pieces; sent++) await peer.write(piece);
      })();
      // Another's progress meanwhile shows that it is not for want of time that this one waits.
      await using other = await RawVendor.listening();
      for (let count = 0; count < 300; count++) {
        const answer = call(other.url);
        const heard = other.peers[0] ?? (await other.next());
        await heard.request();
        await heard.write(okay);
        expect(await readAll(await answer)).toBe("okay");
      }
      expect(sent).toBeLessThan(pieces);
      let bytes = 0;
      for (let { value } = await begun.read(); value; { value } = await begun.read()) {
        bytes += value.length;
      }
      await sending;
      expect(bytes).toBe(total);
    });

    test("gets what came before the vendor closed", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(`${head}\r\n`);
      const begun = await reply;
      for (let count = 0; count < 100; count++) peer.socket.write(piece);
      peer.socket.end();
      let bytes = 0;
      for (let { value } = await begun.read(); value; { value } = await begun.read()) {
        bytes += value.length;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      expect(bytes).toBe(100 * piece.length);
    });

    test("may leave", async () => {
      await using vendor = await RawVendor.listening();
      const { reply, peer } = await asked(vendor);
      await peer.write(`${head}content-length: ${total}\r\n\r\n`);
      const begun = await reply;
      for (let count = 0; count < pieces; count++) peer.socket.write(piece);
      await begun.read();
      begun.cancel();
      await peer.closed;
      expect(await takeAll(begun)).toBe("");
    });
  });

  test("a packed body that nobody can unpack is given up, for both sides", async () => {
    await using vendor = await RawVendor.listening();
    const abort = countedAbort();
    const { reply, peer } = await asked(vendor, abort.signal);
    await peer.write(`${head}content-encoding: br\r\ncontent-length: 10\r\n\r\nabc`);
    const begun = await reply;
    expect(await failureText(begun.bytes(100))).toBe("unsupported content encoding");
    await peer.closed;
    expect(abort.count()).toBe(0);
    expect(await failureOf((async () => begun.read())())).toBeInstanceOf(Error);
  });

  test("a reply without a body is empty whatever it says of its length", async () => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write("HTTP/1.1 304 Not Modified\r\ncontent-length: 500\r\n\r\n");
    expect(await (await reply).bytes(0)).toHaveLength(0);
  });
});
