// Promises of the samples for a proxy in front, with the real nginx and the real Caddy of Debian.
import { describe, expect, setDefaultTimeout } from "bun:test";
import { connect } from "node:http2";
import { testNeeding } from "../harness/requirements.ts";
import { errorOf } from "../harness/ask.ts";
import { StreamReader } from "../harness/event-stream.ts";
import { rootKey, rootToken, startProcess, type Gateway } from "../harness/gateway.ts";
import { delta, usageChunk, Vendor } from "../harness/vendor.ts";
import { freePort } from "../harness/nodes/free-port.ts";
import { fetchedMsMax } from "./debian-program.ts";
import { openFront, proxies, whyNoProxy, type ProxyName } from "./front.ts";

setDefaultTimeout(fetchedMsMax);

const bodyBytesMax = 64 * 1024 * 1024;
const portOf = ({ url }: Gateway): number => Number(new URL(url).port);
const headers = { authorization: `Bearer ${rootKey}`, "content-type": "application/json" };
const config = "server: { trust_proxy: true, public_url: https://gateway.example.com }\n";

const largeBytes = 33 * 1024 * 1024;
const pieceBytes = 64 * 1024;

/**
 * Over HTTP/2, as curl does it: told of a failure it stops, and otherwise it sends all of it,
 * whether or not an answer has come.
 */
async function sendLarge(origin: string, path: string, sent: Record<string, string>) {
  const session = connect(origin, { rejectUnauthorized: false });
  const stream = session.request({ ":method": "POST", ":path": path, ...sent });
  let status = 0;
  const ended = Promise.withResolvers<boolean>();
  stream.on("response", (head) => {
    status = Number(head[":status"]);
    if (status >= 400) stream.close();
  });
  stream.on("close", () => ended.resolve(true));
  stream.on("error", () => {});
  session.on("error", () => {});
  stream.resume();
  const piece = Buffer.alloc(pieceBytes, " ");
  let left = largeBytes;
  const write = () => {
    for (; left > 0 && !stream.closed; left -= pieceBytes) {
      if (!stream.write(piece)) {
        left -= pieceBytes;
        stream.once("drain", write);
        return;
      }
    }
    if (!stream.closed) stream.end();
  };
  write();
  const isEnded = await Promise.race([ended.promise, Bun.sleep(endMsMax).then(() => false)]);
  session.destroy();
  return { status, isEnded };
}

/** A hang would last for minutes. */
const endMsMax = 20_000;

const missingProxies = new Map<string, string | null>();
for (const name of proxies) missingProxies.set(name, await whyNoProxy(name));

function testBehind(name: ProxyName): ReturnType<typeof testNeeding> {
  return testNeeding(name, missingProxies.get(name) ?? null);
}

describe.each(proxies)("behind the sample for %s", (proxy) => {
  const testHere = testBehind(proxy);
  testHere("T19 a stream comes piece by piece, over TLS", async () => {
    const seen = Promise.withResolvers<void>();
    using vendor = new Vendor(async (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: "first" }));
      // The rest is sent only when the client has the first piece.
      await seen.promise;
      reply.event(delta({ content: "second" }, "stop"));
      reply.event(usageChunk());
      reply.event("[DONE]");
      reply.end();
    });
    await using gateway = await startProcess({ config });
    await gateway.control("POST", "/api/channel", vendor.channel());
    await using front = await openFront(proxy, portOf(gateway));
    const body = { model: "chatA", stream: true, messages: [{ role: "user", content: "Hi" }] };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const stream = new StreamReader(await front.ask("/v1/chat/completions", request));
    await stream.until("first");
    seen.resolve();
    expect(await stream.until("[DONE]")).toContain("second");
  });

  testHere(
    "a body of 64 MiB arrives, and a larger one is refused as the gateway would",
    async () => {
      await using gateway = await startProcess({ config });
      await using front = await openFront(proxy, portOf(gateway));
      const head = '{"model":"imageA-2.5-flare","prompt":"';
      const fill = (bytes: number) => `${head}${"x".repeat(bytes - head.length - 2)}"}`;
      const send = (path: string, bytes: number) =>
        front.ask(path, { method: "POST", headers, body: fill(bytes) });
      const whole = await send("/v1/images/generations", bodyBytesMax);
      expect([whole.status, whole.headers.get("x-request-id")]).toEqual([400, expect.any(String)]);
      const direct = await gateway.post("/v1/chat/completions", fill(bodyBytesMax / 2 + 1));
      const own = await errorOf(direct);
      for (const [path, bytes] of [
        // Past its own limit Caddy answers in words of its own.
        ...(proxy === "nginx" ? ([["/v1/images/generations", bodyBytesMax + 1]] as const) : []),
        ["/v1/chat/completions", bodyBytesMax / 2 + 1],
        ["/v1beta/models/chatC:generateContent", bodyBytesMax / 2 + 1],
      ] as const) {
        const refused = await send(path, bytes);
        expect(refused.status).toBe(413);
        // But for how many bytes there may be, which is the gateway's to know.
        expect(await errorOf(refused)).toMatchObject({ ...own, message: expect.any(String) });
      }
    },
  );

  testHere(
    "N16 metrics are no stranger's, and the client's address is the one that came in",
    async () => {
      await using gateway = await startProcess({ config });
      await using front = await openFront(proxy, portOf(gateway));
      expect((await fetch(`${gateway.url}/metrics`)).status).toBe(200);
      const forged = { headers: { "x-forwarded-for": "203.0.113.9" } };
      const asked = await front.ask("/metrics", forged);
      expect(await asked.text()).not.toContain("sluice_requests_total");
      expect((await front.ask("/healthz")).status).toBe(200);
    },
  );

  testHere(
    "a large body that is refused ends at once over HTTP/2, on every route that takes one",
    async () => {
      await using gateway = await startProcess({ config });
      await using front = await openFront(proxy, portOf(gateway));
      const json = { "content-type": "application/json" };
      const root = { authorization: `Bearer ${rootToken}` };
      const wrong = { authorization: "Bearer wrong" };
      const upload = "/api/asset/upload?kind=image";
      for (const length of [{ "content-length": String(largeBytes) }, {}]) {
        for (const [path, sent, status] of [
          [upload, wrong, 401],
          [upload, root, 413],
          ["/api/asset/upload?kind=drawing", root, 400],
          ["/api/user", { ...json, ...wrong }, 401],
          ["/v1/images/edits", { ...json, ...wrong }, 401],
        ] as const) {
          const { status: told, isEnded } = await sendLarge(front.url, path, {
            ...length,
            ...sent,
          });
          expect([path, length, told, isEnded]).toEqual([path, length, status, true]);
        }
      }
    },
  );

  testHere(
    "a websocket is passed on, and pieces of whoever says nothing about buffering",
    async () => {
      const seen = Promise.withResolvers<void>();
      async function* pieces() {
        yield "first ";
        await seen.promise;
        yield "second";
      }
      using echo = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: (request, server) => {
          const isAsked = /upgrade/i.test(request.headers.get("connection") ?? "");
          return isAsked && server.upgrade(request) ? undefined : new Response(pieces());
        },
        websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
      });
      await using front = await openFront(proxy, echo.port ?? 0);
      const told = Promise.withResolvers<string>();
      const address = `${front.url.replace("https", "wss")}/v1/realtime`;
      const socket = new WebSocket(address, { tls: { rejectUnauthorized: false } });
      socket.onopen = () => socket.send("hello");
      socket.onmessage = ({ data }) => told.resolve(String(data));
      socket.onerror = () => told.reject(new Error("the websocket was refused"));
      expect(await told.promise).toBe("echo hello");
      socket.close();
      const stream = new StreamReader(await front.ask("/"));
      await stream.until("first");
      seen.resolve();
      expect(await stream.until("second")).toBe("first second");
    },
  );
});

testBehind("nginx")(
  "behind the sample for nginx a node that is gone costs no request, and none is sent twice",
  async () => {
    let [served, cut] = [0, 0];
    using well = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        await request.text();
        served++;
        return new Response("well");
      },
    });
    const gone = freePort();
    {
      await using front = await openFront("nginx", gone, [well.port ?? 0]);
      for (let count = 0; count < 6; count++) {
        const answer = await front.ask("/v1/chat/completions", {
          method: "POST",
          headers,
          body: "{}",
        });
        expect([answer.status, await answer.text()]).toEqual([200, "well"]);
      }
      expect(served).toBe(6);
    }
    // It has the request, and dies over it.
    using dying = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          cut++;
          socket.terminate();
        },
      },
    });
    served = 0;
    await using front = await openFront("nginx", dying.port, [well.port ?? 0]);
    const statuses: number[] = [];
    for (const method of ["POST", "GET", "DELETE", "POST", "GET", "DELETE"]) {
      const answer = await front.ask("/v1/videos/video_1", { method, headers });
      await answer.text();
      statuses.push(answer.status);
    }
    expect(cut).toBeGreaterThan(0);
    // Each request was sent to one of them, and who was cut off is told.
    expect(statuses.filter((status) => status === 502).length).toBe(cut);
    expect(served).toBe(statuses.length - cut);
  },
);
