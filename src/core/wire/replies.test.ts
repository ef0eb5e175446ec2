// Replies as vendors may send them, cut anywhere, broken off anywhere, and read at any pace.
import { describe, expect, test } from "bun:test";
import { taken } from "../later.ts";
import type { OutboundReply } from "../outbound.ts";
import { readDestination } from "./destination.ts";
import { HttpCall } from "./http-call.ts";
import {
  call,
  countedAbort,
  failureOf,
  failureText,
  okay,
  RawVendor,
  readAll,
} from "./stand.fixture.ts";

const head = "HTTP/1.1 200 OK\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;

/** A request that was heard, and waits. */
async function asked(vendor: RawVendor, signal = new AbortController().signal) {
  const reply = call(vendor.url, { signal });
  const peer = await vendor.next();
  await peer.request();
  return { reply, peer };
}

/** A call whose vendor says nothing: its pieces are cut as a test wants, not as they come. */
function silent(vendor: RawVendor) {
  const { signal } = new AbortController();
  const destination = readDestination(vendor.url);
  const asked = { destination, text: "", bytes: 0, isRepeatable: true, signal, pool: null };
  const httpCall = new HttpCall(asked);
  return { httpCall, answer: httpCall.begin() };
}

/** Takes piece by piece, as streams are. */
async function takeAll(reply: OutboundReply): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { value } = await taken((ready) => reply.take(ready));
    if (!value) return Buffer.concat(pieces).toString();
    pieces.push(value);
  }
}

describe("what only says that something is to come", () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

  test.each([1, 2, 50_000])("may come %d times", async (times) => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write(`HTTP/1.1 100 Continue\r\n\r\n${interim.repeat(times)}${okay}`);
    const { status, headers } = await reply;
    expect([status, headers.get("link"), await readAll(await reply)]).toEqual([200, null, "okay"]);
    // Nothing of it was surplus.
    const next = call(vendor.url);
    await peer.request();
    await peer.write(okay);
    expect(await readAll(await next)).toBe("okay");
  });

  test("may come one by one", async () => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    for (const byte of Buffer.from(interim.repeat(3) + okay))
      httpCall.received(Buffer.from([byte]));
    expect(await takeAll(await answer)).toBe("okay");
  });

  test("may not change the tongue", async () => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n");
    expect(await failureText(reply)).toBe("MalformedResponse");
    await peer.closed;
  });
});

const framings: [string, string, boolean][] = [
  ["of a known length", `${head}content-length: 10\r\n\r\n0123456789`, false],
  ["in chunks", `${chunked}3\r\n012\r\n7;a=b\r\n3456789\r\n0\r\nx-a: b\r\n\r\n`, false],
  ["up to the close", `${head}\r\n0123456789`, true],
];

describe.each(framings)("a reply %s", (_name, text, isOpen) => {
  test("is the same, cut at every byte", async () => {
    await using vendor = await RawVendor.listening();
    for (let cut = 0; cut <= text.length; cut++) {
      const { httpCall, answer } = silent(vendor);
      for (const piece of [text.slice(0, cut), text.slice(cut)]) {
        if (piece) httpCall.received(Buffer.from(piece));
      }
      if (isOpen) httpCall.closed(null);
      expect(await takeAll(await answer)).toBe("0123456789");
    }
  });

  test("is the same byte by byte, taken as it comes", async () => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    const all = answer.then(takeAll);
    for (const byte of Buffer.from(text)) {
      httpCall.received(Buffer.from([byte]));
      await Promise.resolve();
    }
    if (isOpen) httpCall.closed(null);
    expect(await all).toBe("0123456789");
  });

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
    else expect(await failureText(readAll(begun))).toBe("ConnectionClosed");
    if (!isOpen) expect(await failureText(begun.bytes(100))).toBe("ConnectionClosed");
    expect(came).toBe("0123");
  });

  test("that is torn off fails, whatever its end is", async () => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write(text.slice(0, text.indexOf("4")));
    const begun = await reply;
    peer.socket.resetAndDestroy();
    expect(await failureText(readAll(begun))).toBe("ECONNRESET");
  });

  test("ends for both sides when it is cancelled, before and behind its end", async () => {
    await using vendor = await RawVendor.listening();
    const abort = countedAbort();
    const { reply, peer } = await asked(vendor, abort.signal);
    await peer.write(text.slice(0, text.indexOf("4")));
    const begun = await reply;
    begun.cancel();
    begun.cancel();
    await peer.closed;
    expect([await takeAll(begun), abort.count()]).toEqual(["", 0]);
    const { httpCall, answer } = silent(vendor);
    httpCall.received(Buffer.from(text));
    if (isOpen) httpCall.closed(null);
    const whole = await answer;
    whole.cancel();
    whole.cancel();
    expect(await takeAll(whole)).toBe("");
  });
});

describe("a head", () => {
  test.each(["x-a: b\r\n", "a"])("of %p without end is refused", async (piece) => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write(head + piece.repeat(40_000));
    expect(await failureText(reply)).toBe("MalformedResponse");
    await peer.closed;
  });

  test("that trickles is refused at the same limit", async () => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    let bytes = 0;
    const failed = failureText(answer);
    let isOver = false;
    answer.catch(() => (isOver = true));
    for (httpCall.received(Buffer.from(`${head}x-a: `)); !isOver; bytes++) {
      httpCall.received(Buffer.from("a"));
      if (bytes % 256 === 0) await Promise.resolve();
      if (bytes > 100_000) break;
    }
    expect(await failed).toBe("MalformedResponse");
    expect(bytes).toBeLessThan(40_000);
  });

  test("that breaks off is a failure", async () => {
    await using vendor = await RawVendor.listening();
    for (const text of ["", "H", `${head}\r`]) {
      const { reply, peer } = await asked(vendor);
      await peer.write(text);
      peer.socket.end();
      expect(await failureText(reply)).toBe("ConnectionClosed");
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
    // What others get meanwhile shows that it is not for want of time that this one waits.
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

describe("a packed body", () => {
  const packed = Buffer.from(Bun.gzipSync(Buffer.from("hello ".repeat(10_000))));
  const packedHead = `${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;

  test("is taken piece by piece, and cancelled twice", async () => {
    await using vendor = await RawVendor.listening();
    const first = silent(vendor);
    first.httpCall.received(Buffer.from(packedHead));
    const all = first.answer.then(takeAll);
    for (const byte of packed) first.httpCall.received(Buffer.from([byte]));
    expect(await all).toBe("hello ".repeat(10_000));
    const second = silent(vendor);
    second.httpCall.received(Buffer.concat([Buffer.from(packedHead), packed.subarray(0, 30)]));
    const begun = await second.answer;
    const reading = begun.read();
    begun.cancel();
    begun.cancel();
    expect((await reading).value).toBeUndefined();
    expect(await takeAll(begun)).toBe("");
  });

  test("may be longer than the cap as long as what is in it is not", async () => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    const short = Bun.gzipSync(Buffer.from("hi"));
    const text = `${head}content-encoding: gzip\r\ncontent-length: ${short.length}\r\n\r\n`;
    httpCall.received(Buffer.concat([Buffer.from(text), short]));
    expect(Buffer.from(await (await answer).bytes(2)).toString()).toBe("hi");
  });

  test.each(["204 None", "200 OK"])("may be none at all with %s", async (status) => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    const text = `HTTP/1.1 ${status}\r\ncontent-encoding: gzip\r\ncontent-length: 0\r\n\r\n`;
    httpCall.received(Buffer.from(text));
    expect(await (await answer).bytes(0)).toHaveLength(0);
  });

  test("that breaks off, or is no package, is a failure", async () => {
    await using vendor = await RawVendor.listening();
    const broken = silent(vendor);
    broken.httpCall.received(Buffer.concat([Buffer.from(packedHead), packed.subarray(0, 30)]));
    broken.httpCall.closed(null);
    expect(await failureText((await broken.answer).bytes(100_000))).toBe("ConnectionClosed");
    const none = silent(vendor);
    none.httpCall.received(Buffer.from(packedHead + "x".repeat(packed.length)));
    expect(await failureText((await none.answer).bytes(100_000))).toBeString();
  });

  test("that nobody can unpack is given up, for both sides", async () => {
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
});

test("a reply without a body is empty whatever it says of its length", async () => {
  await using vendor = await RawVendor.listening();
  const { reply, peer } = await asked(vendor);
  await peer.write("HTTP/1.1 304 Not Modified\r\ncontent-length: 500\r\n\r\n");
  expect(await (await reply).bytes(0)).toHaveLength(0);
});
