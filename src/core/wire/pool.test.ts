import { describe, expect, test } from "bun:test";
import type { Timers } from "../clock.ts";
import type { OutboundRequest } from "../outbound.ts";
import { WireConnection } from "./wire-connection.ts";
import { readDestination } from "./destination.ts";
import { Pool } from "./pool.ts";
import {
  call,
  countedAbort,
  failureText,
  okay,
  type Peer,
  RawVendor,
  readAll,
  reply,
} from "./fixtures/raw-vendor.ts";

/** Asks once, and is answered with these bytes on the connection that comes next. */
async function once(vendor: RawVendor, text = okay): Promise<{ peer: Peer; said: string }> {
  const asked = call(vendor.url);
  const peer = await vendor.next();
  await peer.request();
  await peer.write(text);
  return { peer, said: await readAll(await asked) };
}

/** Asks once more, and is answered on a connection that is there already. */
async function again(vendor: RawVendor, peer: Peer, text = okay): Promise<string> {
  const asked = call(vendor.url);
  await peer.request();
  await peer.write(text);
  return readAll(await asked);
}

describe("a connection that can be used again", () => {
  test.each([
    ["of a known length", okay],
    ["in chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nokay\r\n0\r\n\r\n"],
    [
      "of an older tongue that says so",
      reply("okay", "connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0"),
    ],
  ])("is used again behind a reply %s", async (_name, text) => {
    await using vendor = await RawVendor.listening();
    const { peer, said } = await once(vendor, text);
    expect([said, await again(vendor, peer)]).toEqual(["okay", "okay"]);
    expect(await again(vendor, peer, "HTTP/1.1 204 None\r\n\r\n")).toBe("");
    expect(await again(vendor, peer)).toBe("okay");
    expect(vendor.peers).toHaveLength(1);
  });

  test("serves one request after the other, but not two at once", async () => {
    await using vendor = await RawVendor.listening();
    const both = [call(vendor.url), call(vendor.url)].map(async (asked) => readAll(await asked));
    const peers = [await vendor.next(), await vendor.next()];
    for (const [at, peer] of peers.entries()) {
      expect((await peer.request()).head).not.toContain("connection:");
      await peer.write(reply(`to ${at}`));
    }
    expect((await Promise.all(both)).toSorted()).toEqual(["to 0", "to 1"]);
    const more = [call(vendor.url), call(vendor.url)].map(async (asked) => readAll(await asked));
    for (const peer of peers) {
      await peer.request();
      await peer.write(okay);
    }
    expect(await Promise.all(more)).toEqual(["okay", "okay"]);
    expect(vendor.peers).toHaveLength(2);
  });

  test("is used again only when its reply has been read to the end by the wire", async () => {
    await using vendor = await RawVendor.listening();
    const first = call(vendor.url);
    const peer = await vendor.next();
    await peer.request();
    await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nok");
    const begun = await first;
    expect((await once(vendor)).said).toBe("okay");
    await peer.write("ay");
    expect(await readAll(begun)).toBe("okay");
  });
});

describe("a connection that cannot be used again", () => {
  test.each([
    ["says so", reply("okay", "connection: close")],
    ["is of an older tongue", okay.replace("HTTP/1.1", "HTTP/1.0")],
    ["has surplus bytes", `${okay}HTTP/1.1 200 OK\r\n`],
    [
      "has surplus bytes behind chunks",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nokay\r\n0\r\n\r\nH",
    ],
    ["has surplus bytes where there is no body", `HTTP/1.1 204 None\r\n\r\n${okay}`],
    ["has two ends", reply("0\r\n\r\n", "transfer-encoding: chunked")],
    ["has a body that it may not have", "HTTP/1.1 204 None\r\ncontent-length: 4\r\n\r\n"],
  ])("is left behind a reply that %s", async (_name, text) => {
    await using vendor = await RawVendor.listening();
    const { peer } = await once(vendor, text);
    await peer.closed;
    expect((await once(vendor, reply("next"))).said).toBe("next");
    expect(peer.heard).toHaveLength(0);
  });

  test.each([{ isFresh: true }, { serverName: "good.test" }])(
    "is left after a request with %p",
    async (change) => {
      await using vendor = await RawVendor.listening();
      const { peer: resting } = await once(vendor);
      for (let count = 0; count < 2; count++) {
        const asked = call(vendor.url, change);
        const peer = await vendor.next();
        expect((await peer.request()).head).toContain("\r\nconnection: close\r\n");
        // That it does not say so itself makes no difference.
        await peer.write(okay);
        expect(await readAll(await asked)).toBe("okay");
        await peer.closed;
      }
      expect(await again(vendor, resting)).toBe("okay");
      expect(vendor.peers).toHaveLength(3);
    },
  );

  test("is left behind a request that was not sent to its end", async () => {
    await using vendor = await RawVendor.listening();
    const asked = call(vendor.url, { method: "POST", body: "x".repeat(30_000_000) });
    const peer = await vendor.next();
    peer.socket.pause();
    await peer.write(reply("enough"));
    expect(await readAll(await asked)).toBe("enough");
    expect((await once(vendor)).said).toBe("okay");
    peer.socket.resume();
    await peer.closed;
    expect(vendor.peers).toHaveLength(2);
  });

  test.each([reply("evil"), "H", "\r\n"])("is left after it said %p unasked", async (text) => {
    await using vendor = await RawVendor.listening();
    const { peer } = await once(vendor);
    await peer.write(text);
    await peer.closed;
    expect((await once(vendor)).said).toBe("okay");
    expect(peer.heard).toHaveLength(0);
  });

  test("is left after the vendor closed it", async () => {
    await using vendor = await RawVendor.listening();
    const { peer } = await once(vendor);
    peer.socket.end();
    await peer.closed;
    const signal = countedAbort();
    const asked = call(vendor.url, { signal: signal.signal });
    const next = await vendor.next();
    await next.request();
    // It was made for this request, so nothing is sent a second time.
    next.socket.end();
    expect(await failureText(asked)).toBe("ConnectionClosed");
    expect([vendor.peers.length, signal.count()]).toEqual([2, 0]);
  });
});

const leave = {
  "in good order": (peer: Peer) => peer.socket.end(),
  "by a reset": (peer: Peer) => peer.socket.resetAndDestroy(),
};

describe.each(Object.entries(leave))("a kept connection closed %s without a byte", (_name, go) => {
  const body = "\u00e4\u{1f600}".repeat(1000);

  /** A request that was heard on a connection that was kept. */
  async function stale(
    vendor: RawVendor,
    signal = new AbortController().signal,
    method: OutboundRequest["method"] = "DELETE",
  ) {
    const { peer } = await once(vendor);
    const asked = call(vendor.url, { method, body, signal });
    const heard = await peer.request();
    return { peer, heard, asked };
  }

  test("has its request sent again, on a new one", async () => {
    await using vendor = await RawVendor.listening();
    const { peer, heard, asked } = await stale(vendor);
    go(peer);
    const next = await vendor.next();
    expect(await next.request()).toEqual(heard);
    await next.write(okay);
    expect(await readAll(await asked)).toBe("okay");
    expect(await again(vendor, next)).toBe("okay");
    expect(vendor.peers).toHaveLength(2);
  });

  test("has nothing sent again that costs money", async () => {
    await using vendor = await RawVendor.listening();
    const { peer, asked } = await stale(vendor, undefined, "POST");
    go(peer);
    expect(await failureText(asked)).toMatch(/^(ConnectionClosed|ECONNRESET)$/);
    expect(vendor.peers).toHaveLength(1);
  });

  test("has it sent again once and not twice", async () => {
    await using vendor = await RawVendor.listening();
    const { peer, asked } = await stale(vendor);
    go(peer);
    const next = await vendor.next();
    await next.request();
    go(next);
    expect(await failureText(asked)).toMatch(/^(ConnectionClosed|ECONNRESET)$/);
    expect((await once(vendor)).said).toBe("okay");
    expect(vendor.peers).toHaveLength(3);
  });

  test("has it sent on a new one though others rest", async () => {
    await using vendor = await RawVendor.listening();
    const replies = Array.from({ length: 4 }, () => call(vendor.url));
    const peers: Peer[] = [];
    for (const _reply of replies) peers.push(await vendor.next());
    for (const peer of peers) {
      await peer.request();
      await peer.write(okay);
    }
    for (const each of replies) expect(await readAll(await each)).toBe("okay");
    const last = call(vendor.url);
    // The last to rest was taken.
    const used = await Promise.any(peers.map((peer) => peer.request().then(() => peer)));
    go(used);
    const next = await vendor.next();
    await next.request();
    go(next);
    expect(await failureText(last)).toMatch(/^(ConnectionClosed|ECONNRESET)$/);
    expect(vendor.peers).toHaveLength(5);
  });

  test("has nothing sent again when a byte had come", async () => {
    await using vendor = await RawVendor.listening();
    for (const text of ["H", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n\r"]) {
      const { peer, asked } = await stale(vendor);
      await peer.write(text);
      go(peer);
      expect(await failureText(asked)).toMatch(/^(ConnectionClosed|ECONNRESET)$/);
    }
    expect(vendor.peers).toHaveLength(3);
  });

  test("is given up when that is aborted meanwhile", async () => {
    await using vendor = await RawVendor.listening();
    const abort = countedAbort();
    const { peer, asked } = await stale(vendor, abort.signal);
    go(peer);
    const next = await vendor.next();
    abort.abort();
    expect(await failureText(asked)).toBe("AbortError");
    await next.closed;
    expect([vendor.peers.length, abort.count()]).toEqual([2, 0]);
  });

  test("may have been heard, also when there is nobody to send it to again", async () => {
    await using vendor = await RawVendor.listening();
    const { peer, asked } = await stale(vendor);
    vendor.deafen();
    go(peer);
    expect(await failureText(asked)).toBe("ECONNREFUSED");
  });
});

class Clockwork implements Timers {
  readonly #runs: (() => void)[] = [];

  after(): () => void {
    throw new Error("nothing waits once");
  }

  every(_periodMs: number, run: () => void): () => void {
    this.#runs.push(run);
    return () => {};
  }

  tick(): void {
    for (const run of this.#runs) run();
  }
}

describe("a pool", () => {
  test("closes what nobody needs, and keeps what is", async () => {
    await using vendor = await RawVendor.listening();
    const destination = readDestination(vendor.url);
    const clockwork = new Clockwork();
    const pool = new Pool(clockwork);
    const [old, young] = [WireConnection.open(destination), WireConnection.open(destination)];
    const peers = [await vendor.next(), await vendor.next()];
    pool.keep(old);
    for (let count = 0; count < 3; count++) clockwork.tick();
    pool.keep(young);
    clockwork.tick();
    await Promise.race(peers.map((peer) => peer.closed));
    expect(pool.take(destination.key)).toBe(young);
    expect(pool.take(destination.key)).toBeUndefined();
    pool.keep(young);
    for (let count = 0; count < 3; count++) clockwork.tick();
    expect(pool.take(destination.key)).toBe(young);
    pool.keep(young);
    for (let count = 0; count < 4; count++) clockwork.tick();
    await Promise.all(peers.map((peer) => peer.closed));
    expect(pool.take(destination.key)).toBeUndefined();
  });

  test("does not keep a program from ending", async () => {
    await using vendor = await RawVendor.listening();
    const script = `
      import { send } from ${JSON.stringify(import.meta.resolve("./send.ts"))};
      const { signal } = new AbortController();
      const reply = await send({ url: process.argv[1], method: "GET", headers: {}, signal });
      process.stdout.write(await reply.bytes(10));
    `;
    const child = Bun.spawn([process.execPath, "-e", script, vendor.url], { stdout: "pipe" });
    const peer = await vendor.next();
    await peer.request();
    await peer.write(okay);
    expect([await child.stdout.text(), await child.exited]).toEqual(["okay", 0]);
  });
});
