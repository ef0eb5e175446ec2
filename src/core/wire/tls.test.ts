// Identity of a vendor. The test certificates, and how they were made: fixtures/README.md.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import {
  canary,
  expectSilent,
  failureText,
  okay,
  type Peer,
  RawVendor,
  readAll,
  ways,
} from "./fixtures/raw-vendor.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const secrets: TlsOptions = {
  cert: await Bun.file(join(fixtures, "good.crt")).text(),
  key: await Bun.file(join(fixtures, "good.key")).text(),
};

/** The name that it goes by, or its address. */
function urlOf({ port }: RawVendor, name = "localhost"): string {
  return `https://${name}:${port}/?key=${canary}`;
}

interface Ask {
  url: string;
  serverName?: string;
  /** Times the letter is sent that takes four bytes. */
  letters?: number;
}

/** One after the other, in a program that trusts the authority of these certificates. */
async function trust(way: string, asks: readonly Ask[]) {
  const script = `
    import { ways } from ${JSON.stringify(import.meta.resolve("./fixtures/raw-vendor.ts"))};
    const call = ways.find(([name]) => name === process.argv[1])[1];
    async function readSlowly(reply) {
      let bytes = 0;
      const digest = new Bun.CryptoHasher("sha256");
      for (let { value } = await reply.read(); value; { value } = await reply.read()) {
        bytes += value.length;
        digest.update(value);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [bytes, digest.digest("hex")];
    }
    const told = [];
    for (const { letters = 0, url, ...ask } of JSON.parse(process.argv[2])) {
      const body = "\\u{1f600}".repeat(letters);
      try {
        const reply = await call(url, { ...ask, method: "DELETE", body });
        told.push(await readSlowly(reply));
      } catch (error) {
        told.push([error.name, error.message, error.isUnsent, Bun.inspect(error)]);
      }
    }
    process.stdout.write(JSON.stringify(told));
  `;
  const child = Bun.spawn([process.execPath, "-e", script, way, JSON.stringify(asks)], {
    stdout: "pipe",
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(fixtures, "ca.crt") },
  });
  const text = await child.stdout.text();
  expect(await child.exited).toBe(0);
  const told: unknown = JSON.parse(text);
  return told;
}

/** Answers with what it was told; `andThen` is what it does afterwards. */
async function echoing(andThen: (peer: Peer) => void = () => {}): Promise<RawVendor> {
  const vendor = await RawVendor.listening(secrets);
  void (async () => {
    for (;;) echo(await vendor.next(), andThen).catch(() => {});
  })();
  return vendor;
}

async function echo(peer: Peer, andThen: (peer: Peer) => void): Promise<void> {
  for (;;) {
    const { body } = await peer.request();
    peer.socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    await peer.write(body);
    andThen(peer);
  }
}

/** The answer to an echo of that many letters. */
function echoOf(letters: number): [number, string] {
  const body = Buffer.from("\u{1f600}".repeat(letters));
  return [body.length, new Bun.CryptoHasher("sha256").update(body).digest("hex")];
}

describe.each(ways)("over %s:", (way, call, { closed, insecure }) => {
  const trusting = (asks: readonly Ask[]) => trust(way, asks);

  describe("a vendor whose authority nobody knows", () => {
    test("is refused, and nothing is said to it", async () => {
      await using vendor = await RawVendor.listening(secrets);
      for (const ask of [{}, { serverName: "good.test" }, { isFresh: true }]) {
        const headers = { authorization: `Bearer ${canary}` };
        const url = urlOf(vendor, ask.serverName ? "127.0.0.1" : "localhost");
        const why = await failureText(call(url, { ...ask, headers }));
        expect(why).toMatch(/^unsent: (UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)\w+$/);
        await expectSilent(call(url, { ...ask, headers }), url);
      }
      for (const { heard } of vendor.peers) expect(heard).toHaveLength(0);
    });
  });

  describe("a vendor whose authority is known", () => {
    test("is spoken to under its own name, over one connection", async () => {
      await using vendor = await echoing();
      const url = urlOf(vendor);
      expect(await trusting([{ url, letters: 1 }, { url }])).toEqual([echoOf(1), echoOf(0)]);
      expect(vendor.peers).toHaveLength(1);
    });

    test("is spoken to at its address under its own name", async () => {
      await using vendor = await echoing();
      const ask = { url: urlOf(vendor, "127.0.0.1"), serverName: "good.test", letters: 2 };
      expect(await trusting([ask, ask])).toEqual([echoOf(2), echoOf(2)]);
      expect(vendor.peers).toHaveLength(2);
    });

    test("is spoken to anew when it has closed", async () => {
      await using vendor = await echoing(({ socket }) => socket.end());
      const ask = { url: urlOf(vendor), letters: 3 };
      expect(await trusting([ask, ask])).toEqual([echoOf(3), echoOf(3)]);
      expect(vendor.peers).toHaveLength(2);
    });

    test("gets and gives a large body whole, to a reader that is slow", async () => {
      await using vendor = await echoing();
      const letters = 7_500_000;
      expect(await trusting([{ url: urlOf(vendor), letters }])).toEqual([echoOf(letters)]);
    });

    test.each([
      ["another name", { serverName: "bad.test" }, "127.0.0.1"],
      ["a name within its own", { serverName: "a.good.test" }, "127.0.0.1"],
      ["an address that it is not for", {}, "127.0.0.1"],
      ["an address in place of a name", { serverName: "127.0.0.1" }, "localhost"],
    ])("is refused under %s, and nothing is said to it", async (_name, change, host) => {
      await using vendor = await echoing();
      const told = await trusting([{ url: urlOf(vendor, host), ...change, letters: 1 }]);
      const inside = expect.not.stringMatching(/127\.0\.0\.1|localhost|test:|canary/);
      expect(told).toEqual([["OutboundFailed", "ERR_TLS_CERT_ALTNAME_INVALID", true, inside]]);
      for (const { heard } of vendor.peers) expect(heard).toHaveLength(0);
    });
  });

  describe("what does not understand the other", () => {
    test("is refused where it is plain and should be secret", async () => {
      await using vendor = await RawVendor.listening();
      const url = urlOf(vendor);
      const asked = failureText(call(url));
      const peer = await vendor.next();
      await peer.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
      expect(await asked).toMatch(insecure);
      await peer.closed;
      const silent = expectSilent(call(url), url);
      (await vendor.next()).socket.end();
      await silent;
    });

    test("is refused where it is secret and should be plain", async () => {
      await using vendor = await RawVendor.listening(secrets);
      const url = urlOf(vendor).replace("https:", "http:");
      expect(await failureText(call(url))).toMatch(
        /^(MalformedResponse|ConnectionClosed|ECONNRESET)$/,
      );
      await expectSilent(call(url), url);
    });
  });

  test("a name that nobody has is told from a connection that broke", async () => {
    expect(await failureText(call("http://nobody.invalid/"))).toMatch(/^unsent: \w+$/);
    await expectSilent(call("http://nobody.invalid/"), "http://nobody.invalid/");
    expect(await failureText(call("http://127.0.0.1:1/"))).toBe("unsent: ECONNREFUSED");
    await using vendor = await RawVendor.listening();
    const asked = call(vendor.url);
    const peer = await vendor.next();
    await peer.request();
    peer.socket.end();
    expect(await failureText(asked)).toBe(closed);
    const other = call(vendor.url);
    const next = await vendor.next();
    await next.request();
    await next.write(okay);
    expect(await readAll(await other)).toBe("okay");
  });
});
