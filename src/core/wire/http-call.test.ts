// One call and its reply, cut anywhere: what comes is handed to it as a test wants.
import { describe, expect, test } from "bun:test";
import { readDestination } from "./destination.ts";
import { HttpCall } from "./http-call.ts";
import { call, failureText, framings, okay, RawVendor, takeAll } from "./fixtures/raw-vendor.ts";

const head = "HTTP/1.1 200 OK\r\n";

/** A call whose vendor says nothing: its pieces are cut as a test wants, not as they come. */
function silent(vendor: RawVendor) {
  const { signal } = new AbortController();
  const destination = readDestination(vendor.url);
  const request = {
    destination,
    text: "",
    bytes: 0,
    isRepeatable: true,
    signal,
    connected: null,
    pool: null,
  };
  const httpCall = new HttpCall(request);
  return { httpCall, answer: httpCall.begin() };
}

test("what only says that something is to come may come one by one", async () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  await using vendor = await RawVendor.listening();
  const { httpCall, answer } = silent(vendor);
  for (const byte of Buffer.from(interim.repeat(3) + okay)) httpCall.received(Buffer.from([byte]));
  expect(await takeAll(await answer)).toBe("okay");
});

test.each([1, 1000, 64 * 1024])(
  "what only says that something is to come has an end, also in pieces of %d bytes",
  async (pieceBytes) => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    const flood = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(2000));
    for (let at = 0; at < flood.length; at += pieceBytes) {
      httpCall.received(Buffer.from(flood.subarray(at, at + pieceBytes)));
    }
    expect(await failureText(answer)).toBe("MalformedResponse");
  },
);

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

  test("is empty when it is cancelled behind its end", async () => {
    await using vendor = await RawVendor.listening();
    const { httpCall, answer } = silent(vendor);
    httpCall.received(Buffer.from(text));
    if (isOpen) httpCall.closed(null);
    const whole = await answer;
    whole.cancel();
    whole.cancel();
    expect(await takeAll(whole)).toBe("");
  });
});

test("a head that trickles is refused at the same limit", async () => {
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
});

/** A request that was heard, and waits. */
async function asked(vendor: RawVendor) {
  const reply = call(vendor.url);
  const peer = await vendor.next();
  await peer.request();
  return { reply, peer };
}

test.each(framings)(
  "a reply %s that is torn off fails, whatever its end is",
  async (_name, text) => {
    await using vendor = await RawVendor.listening();
    const { reply, peer } = await asked(vendor);
    await peer.write(text.slice(0, text.indexOf("4")));
    const begun = await reply;
    peer.socket.resetAndDestroy();
    expect(await failureText(takeAll(begun))).toBe("ECONNRESET");
  },
);

test.each(["x-a: b\r\n", "a"])("a head of %p without end is refused", async (piece) => {
  await using vendor = await RawVendor.listening();
  const { reply, peer } = await asked(vendor);
  await peer.write(head + piece.repeat(40_000));
  expect(await failureText(reply)).toBe("MalformedResponse");
  await peer.closed;
});
