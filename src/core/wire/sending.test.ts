// Requests that arrive at a vendor, byte for byte.
import { describe, expect, test } from "bun:test";
import type { OutboundRequest } from "../outbound.ts";
import {
  call as callOverSockets,
  failureText,
  okay,
  type Call,
  type Heard,
  type Peer,
  RawVendor,
  readAll,
  reply,
  ways,
} from "./fixtures/raw-vendor.ts";

/** Hear as a vendor that takes a little at a time. */
async function hear(
  call: Call,
  change: Partial<OutboundRequest>,
  slow: (peer: Peer) => void = () => {},
): Promise<Heard> {
  await using vendor = await RawVendor.listening();
  const asked = call(vendor.url, { method: "POST", ...change });
  const peer = await vendor.next();
  slow(peer);
  const request = await peer.request();
  expect(peer.heard).toHaveLength(0);
  await peer.write(okay);
  expect(await readAll(await asked)).toBe("okay");
  return request;
}

/** Stops behind each piece for a turn of the loop, so that the sender is always ahead. */
function slowly({ socket }: Peer): void {
  socket.on("data", () => {
    socket.pause();
    setImmediate(() => socket.resume());
  });
}

/** More than what lies between the two of them. */
const manyBytes = 12 * 1000 * 1000;

const ownFraming = {
  "Content-Length": "1",
  "TRANSFER-encoding": "chunked",
  connection: "close",
  Host: "other.test",
};

describe.each(ways)("over %s:", (_way, call) => {
  const heard = (change: Partial<OutboundRequest>, slow?: (peer: Peer) => void) =>
    hear(call, change, slow);

  describe("a large body that a vendor takes slowly arrives whole", () => {
    test.each([
      ["of plain letters", "x".repeat(manyBytes)],
      ["of letters of other tongues", "a\u00e4\u20ac\u{1f600}".repeat(manyBytes / 10)],
      ["of one byte for each in memory", "a\u00e4".repeat(manyBytes / 3)],
      ["with halves of letters", "ab\ud800c".repeat(manyBytes / 6)],
    ])("as a text %s", async (_name, body) => {
      const expected = Buffer.from(body);
      for (const headers of [{}, { "x-a": "\u00e4" }]) {
        const request = await heard({ headers, body }, slowly);
        expect(request.head).toMatch(new RegExp(`\r\ncontent-length: ${expected.length}\r\n`, "i"));
        expect(request.body.equals(expected)).toBe(true);
      }
    });

    test("arrives whole as a form", async () => {
      const bytes = Buffer.alloc(manyBytes);
      for (let at = 0; at < manyBytes; at += 997) bytes[at] = at % 256;
      const form = new FormData();
      form.append("name", "\u00e4\u20ac");
      form.append("file", new Blob([bytes]), "a.bin");
      const { head, body } = await heard({ body: form }, slowly);
      const type = /content-type: (multipart\/form-data;.*)\r\n/i.exec(head)?.[1] ?? "";
      const got = await new Response(body, { headers: { "content-type": type } }).formData();
      expect(got.get("name")).toBe("\u00e4\u20ac");
      const file = got.get("file");
      if (!(file instanceof Blob)) throw new Error("there is no file");
      expect(Buffer.from(await file.bytes()).equals(bytes)).toBe(true);
    });
  });

  describe("a request", () => {
    test("says its length in bytes", async () => {
      const { head, body } = await heard({ body: "\u00e4\u20ac\u{1f600}" });
      expect(head).toMatch(/\r\ncontent-length: 9\r\n/i);
      expect(body.toString()).toBe("\u00e4\u20ac\u{1f600}");
    });

    test("has one byte for each letter in its headers, whatever its body is", async () => {
      for (const body of ["", "plain", "\u20ac"]) {
        const request = await heard({ headers: { "x-name": "caf\u00e9 \u00ff" }, body });
        expect(request.head).toContain("\r\nx-name: caf\u00e9 \u00ff\r\n");
        expect(request.body.toString()).toBe(body);
      }
    });

    test("has the framing that it needs, whatever the caller says", async () => {
      const { head, body } = await heard({ headers: ownFraming, body: "hello" });
      const lines = head.toLowerCase().split("\r\n");
      const framing = lines.filter((line) =>
        /^(?:host|content-length|transfer-encoding):/.test(line),
      );
      expect(framing.toSorted()).toEqual(["content-length: 5", "host: other.test"]);
      expect(head).not.toContain("close");
      expect(body.toString()).toBe("hello");
    });

    test.each([
      ["a line break in a value", { "x-a": "b\r\nx-c: d" }],
      ["half a line break in a value", { "x-a": "b\nc" }],
      ["a return in a value", { "x-a": "b\rc" }],
      ["a zero in a value", { "x-a": "b\0c" }],
      ["a letter beyond a byte in a value", { "x-a": "\u20ac" }],
      ["a line break in the host", { host: "a\r\nx-c: d" }],
      ["a line break in what is not sent", { "content-length": "1\r\n\r\n" }],
      ["a line break in a name", { "x-a: b\r\nx-c": "d" }],
      ["a space in a name", { "x a": "b" }],
      ["a colon in a name", { "x-a:": "b" }],
      ["no letter in a name", { "": "b" }],
    ])("with %s is refused, and nothing is sent", async (_name, headers) => {
      await using vendor = await RawVendor.listening();
      expect(await failureText(call(vendor.url, { headers }))).toBe("unsent: InvalidHeader");
      const form = { method: "POST", body: new FormData(), headers } as const;
      expect(await failureText(call(vendor.url, form))).toBe("unsent: InvalidHeader");
      const asked = call(vendor.url);
      const peer = await vendor.next();
      await peer.request();
      await peer.write(okay);
      expect(await readAll(await asked)).toBe("okay");
      expect(vendor.peers).toHaveLength(1);
    });

    test("that is aborted while its form is put together is not sent", async () => {
      await using vendor = await RawVendor.listening();
      const abort = new AbortController();
      const form = new FormData();
      form.append("file", new Blob(["hello"]));
      const asked = call(vendor.url, { method: "POST", body: form, signal: abort.signal });
      abort.abort();
      expect(await failureText(asked)).toBe("AbortError");
      expect(vendor.peers).toHaveLength(0);
    });
  });

  describe("a reply that comes before its request is sent", () => {
    test.each([
      ["with a vendor that goes", true],
      ["with a vendor that stays", false],
    ])("is delivered, %s", async (_name, isGoing) => {
      await using vendor = await RawVendor.listening();
      const asked = call(vendor.url, { method: "POST", body: "x".repeat(manyBytes) });
      const peer = await vendor.next();
      peer.socket.pause();
      await peer.write(reply("too large").replace("200 OK", "413 Too Large"));
      if (isGoing) peer.socket.destroy();
      const early = await asked;
      expect([early.status, await readAll(early)]).toEqual([413, "too large"]);
    });
  });
});

test("over our own sockets a request says nothing that it need not", async () => {
  const { head } = await hear(callOverSockets, {
    method: "POST",
    headers: ownFraming,
    body: "hello",
  });
  expect(head).toBe(
    "POST / HTTP/1.1\r\nhost: other.test\r\naccept: */*\r\ncontent-length: 5\r\n\r\n",
  );
});
