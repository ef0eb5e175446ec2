// Ways that only the platform's client speaks: proxies and HTTP/2. Its common part with our own
// sockets is in the tests of `wire/`, which run over both.
import { describe, expect, test } from "bun:test";
import { createSecureServer } from "node:http2";
import { join } from "node:path";
import { HttpProxy } from "../../../test/harness/proxy.ts";
import { fetchSend } from "./fetch-send.ts";
import type { OutboundRequest } from "../outbound.ts";
import {
  expectSilent,
  failureText,
  okay,
  RawVendor,
  readAll,
} from "../wire/fixtures/raw-vendor.ts";

const fixtures = join(import.meta.dirname, "../wire/fixtures");
const secrets = {
  cert: await Bun.file(join(fixtures, "good.crt")).text(),
  key: await Bun.file(join(fixtures, "good.key")).text(),
};

function call(url: string, change: Partial<OutboundRequest> = {}) {
  const { signal } = new AbortController();
  return fetchSend({ url, method: "POST", headers: {}, body: "{}", signal, ...change });
}

const through = (proxy: string) => ({ transport: { proxy, isHttp2: false } });

/** In a program that trusts the authority of the test certificates: status and text, or failure. */
async function trusting(url: string, transport: OutboundRequest["transport"]): Promise<unknown> {
  const script = `
    import { fetchSend } from ${JSON.stringify(import.meta.resolve("./fetch-send.ts"))};
    const [url, transport] = JSON.parse(process.argv[1]);
    const { signal } = new AbortController();
    const request = { url, method: "POST", headers: { "x-a": "b" }, body: "hello", signal };
    const told = await fetchSend({ ...request, transport })
      .then(async (reply) => [reply.status, Buffer.from(await reply.bytes(1000)).toString()])
      .catch((error) => [error.message, error.isUnsent]);
    process.stdout.write(JSON.stringify(told));
    process.exit();
  `;
  const child = Bun.spawn([process.execPath, "-e", script, JSON.stringify([url, transport])], {
    stdout: "pipe",
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(fixtures, "ca.crt"), NO_PROXY: "*" },
  });
  return JSON.parse(await child.stdout.text());
}

async function answering(vendor: RawVendor): Promise<string> {
  const peer = await vendor.next();
  const { head } = await peer.request();
  await peer.write(okay);
  return head;
}

describe("through a proxy", () => {
  test("a plain request goes as it is, with the credentials for the proxy alone", async () => {
    await using vendor = await RawVendor.listening();
    await using proxy = await HttpProxy.listening("user:p@ss");
    const heard = answering(vendor);
    const reply = await call(`${vendor.url}v1?a=b`, through(proxy.url("user:p%40ss")));
    expect(await readAll(reply)).toBe("okay");
    const authorization = `Basic ${btoa("user:p@ss")}`;
    expect(proxy.visits).toEqual([
      { method: "POST", target: `${vendor.url}v1?a=b`, authorization },
    ]);
    expect((await heard).split("\r\n")[0]).toBe("POST /v1?a=b HTTP/1.1");
  });

  test("a secret one goes through a tunnel, in which only the vendor hears it", async () => {
    await using vendor = await RawVendor.listening(secrets);
    await using proxy = await HttpProxy.listening("user:word");
    const heard = answering(vendor);
    const url = `https://localhost:${vendor.port}/v1`;
    expect(await trusting(url, { proxy: proxy.url(), isHttp2: false })).toEqual([200, "okay"]);
    const authorization = `Basic ${btoa("user:word")}`;
    const target = `localhost:${vendor.port}`;
    expect(proxy.visits).toEqual([{ method: "CONNECT", target, authorization }]);
    expect((await heard).toLowerCase()).not.toContain("proxy-");
  });

  test("the vendor's certificate is checked, and nothing is said to another", async () => {
    await using vendor = await RawVendor.listening(secrets);
    await using proxy = await HttpProxy.listening();
    const told = await trusting(`https://127.0.0.1:${vendor.port}/`, {
      proxy: proxy.url(),
      isHttp2: false,
    });
    expect(told).toEqual(["ERR_TLS_CERT_ALTNAME_INVALID", true]);
    expect(proxy.visits).toHaveLength(1);
    for (const { heard } of vendor.peers) expect(heard).toHaveLength(0);
  });

  test.each(["http", "https"])(
    "that refuses the credentials, %s was not sent",
    async (protocol) => {
      await using vendor = await RawVendor.listening();
      await using proxy = await HttpProxy.listening("user:word");
      const url = vendor.url.replace("http", protocol);
      const wrong = through(proxy.url("user:canary0123456789"));
      expect(await failureText(call(url, wrong))).toMatch(
        /^unsent: (ERR_PROXY_TUNNEL|ProxyAuthenticationRequired)$/,
      );
      await expectSilent(call(url, wrong), url);
      expect(vendor.peers).toHaveLength(0);
    },
  );

  test("that is not there, or leads nowhere, nothing was sent", async () => {
    const nowhere = through("http://user:canary0123456789@127.0.0.1:1");
    expect(await failureText(call("http://127.0.0.1:2/", nowhere))).toBe("unsent: ECONNREFUSED");
    await expectSilent(call("http://127.0.0.1:2/", nowhere), "http://127.0.0.1:2/");
    await using proxy = await HttpProxy.listening();
    const dead = call("https://127.0.0.1:1/", through(proxy.url()));
    expect(await failureText(dead)).toBe("unsent: ERR_PROXY_TUNNEL");
  });

  test("pieces come as they are sent, and an abort ends the tunnel for both sides", async () => {
    await using vendor = await RawVendor.listening();
    await using proxy = await HttpProxy.listening();
    const abort = new AbortController();
    const asked = call(vendor.url, { ...through(proxy.url()), signal: abort.signal });
    const peer = await vendor.next();
    await peer.request();
    await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nfirst");
    const reply = await asked;
    expect(Buffer.from((await reply.read()).value ?? []).toString()).toBe("first");
    abort.abort();
    expect(await failureText(reply.read())).toBe("AbortError");
    await peer.closed;
  });
});

test("what costs money is not sent again on a connection that had died", async () => {
  await using vendor = await RawVendor.listening();
  const first = call(vendor.url);
  const peer = await vendor.next();
  await peer.request();
  await peer.write(okay);
  expect(await readAll(await first)).toBe("okay");
  const second = call(vendor.url);
  await peer.request();
  peer.socket.destroy();
  expect(await failureText(second)).toBe("ECONNRESET");
  expect(vendor.peers).toHaveLength(1);
});

describe("HTTP/2", () => {
  /** Says what it heard; each path is another way to fail. */
  async function listening(): Promise<AsyncDisposable & { url: string }> {
    const server = createSecureServer(secrets);
    const resets: Record<string, number> = { "/error": 2, "/refused": 7, "/older": 13 };
    server.on("request", ({ url, method, headers, stream }, reply) => {
      stream.on("error", () => {});
      const code = resets[url];
      if (code !== undefined) return stream.close(code);
      let body = "";
      stream.on("data", (piece: Buffer) => (body += piece.toString()));
      stream.on("end", () => {
        reply.writeHead(201).end(`${method} ${String(headers["x-a"])} ${body}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("it does not listen");
    const url = `https://localhost:${address.port}`;
    return { url, [Symbol.asyncDispose]: async () => void server.close() };
  }

  const http2 = { proxy: null, isHttp2: true };

  test("is spoken to a vendor that speaks it", async () => {
    await using server = await listening();
    expect(await trusting(server.url, http2)).toEqual([201, "POST b hello"]);
  });

  test.each(["/error", "/refused", "/older"])(
    "a stream that is reset (%s) failed",
    async (path) => {
      await using server = await listening();
      expect(await trusting(server.url + path, http2)).toEqual([expect.any(String), false]);
    },
  );

  test("is not pressed on a vendor that does not speak it, who hears nothing", async () => {
    await using vendor = await RawVendor.listening(secrets);
    const told = await trusting(`https://localhost:${vendor.port}/`, http2);
    expect(told).toEqual(["HTTP2Unsupported", true]);
    for (const { heard } of vendor.peers) expect(heard).toHaveLength(0);
  });
});
