// The samples for a proxy in front: the real nginx with our file, in which only names, ports and
// paths are others.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorOf } from "../harness/ask.ts";
import { StreamReader } from "../harness/event-stream.ts";
import { Folder } from "../harness/folder.ts";
import { rootKey, startGateway, type Gateway } from "../harness/gateway.ts";
import { newCertificate } from "../harness/e2e/certificate.ts";
import { delta, usageChunk, Vendor } from "../harness/vendor.ts";
import { sayNotRun } from "./aloud.ts";
import { findNginx, nginxMsMax, startNginx, type Nginx } from "./nginx.ts";

setDefaultTimeout(nginxMsMax);

const deploy = join(import.meta.dir, "..", "..", "deploy");
const sample = readFileSync(join(deploy, "nginx", "sluice.conf"), "utf8");
const bodyBytesMax = 64 * 1024 * 1024;

interface Front extends AsyncDisposable {
  url: string;
  ask(path: string, request?: RequestInit): Promise<Response>;
}

/** Null where there is no nginx, which is said aloud. */
async function openFront(upstreamPort: number): Promise<Front | null> {
  const found = await findNginx();
  if ("missing" in found) {
    sayNotRun("the sample for nginx", found.missing);
    return null;
  }
  const folder = new Folder();
  const { key, cert } = newCertificate("gateway.example.com");
  await Bun.write(join(folder.path, "fullchain.pem"), cert);
  await Bun.write(join(folder.path, "privkey.pem"), key);
  const [plain, port] = [freePort(), freePort()];
  const server = sample
    .replace("127.0.0.1:3000", `127.0.0.1:${upstreamPort}`)
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replaceAll("/etc/ssl/sluice", folder.path);
  const nginx: Nginx = await startNginx(found.path, folder.path, { server, port });
  const url = `https://127.0.0.1:${port}`;
  return {
    url,
    ask: (path, request = {}) =>
      fetch(url + path, { ...request, tls: { rejectUnauthorized: false } }),
    async [Symbol.asyncDispose]() {
      await nginx[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

const portOf = ({ url }: Gateway): number => Number(new URL(url).port);
const headers = { authorization: `Bearer ${rootKey}`, "content-type": "application/json" };
const config = "server: { trust_proxy: true, public_url: https://gateway.example.com }\n";

describe("behind the sample for nginx", () => {
  test("T19 a stream comes piece by piece, over TLS", async () => {
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
    await using gateway = await startGateway({ config });
    await gateway.control("POST", "/api/channel", vendor.channel());
    await using front = await openFront(portOf(gateway));
    if (front === null) return;
    const body = { model: "chatA", stream: true, messages: [{ role: "user", content: "Hi" }] };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const stream = new StreamReader(await front.ask("/v1/chat/completions", request));
    await stream.until("first");
    seen.resolve();
    expect(await stream.until("[DONE]")).toContain("second");
  });

  test("a body of 64 MiB arrives, and a larger one is refused as the gateway would", async () => {
    await using gateway = await startGateway({ config });
    await using front = await openFront(portOf(gateway));
    if (front === null) return;
    const head = '{"model":"imageA-2.5-flare","prompt":"';
    const fill = (bytes: number) => `${head}${"x".repeat(bytes - head.length - 2)}"}`;
    const send = (path: string, bytes: number) =>
      front.ask(path, { method: "POST", headers, body: fill(bytes) });
    const whole = await send("/v1/images/generations", bodyBytesMax);
    expect([whole.status, whole.headers.get("x-request-id")]).toEqual([400, expect.any(String)]);
    const direct = await gateway.post("/v1/chat/completions", fill(bodyBytesMax / 2 + 1));
    const own = await errorOf(direct);
    for (const [path, bytes] of [
      ["/v1/images/generations", bodyBytesMax + 1],
      ["/v1/chat/completions", bodyBytesMax / 2 + 1],
      ["/v1beta/models/chatC:generateContent", bodyBytesMax / 2 + 1],
    ] as const) {
      const refused = await send(path, bytes);
      expect(refused.status).toBe(413);
      expect(refused.headers.get("content-type")).toBe("application/json");
      // But for how many bytes there may be, which is the gateway's to know.
      expect({ ...(await errorOf(refused)), message: own.message }).toEqual(own);
    }
  });

  test("N16 metrics are no stranger's, and the client's address is the one that came in", async () => {
    await using gateway = await startGateway({ config });
    await using front = await openFront(portOf(gateway));
    if (front === null) return;
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(200);
    const forged = { headers: { "x-forwarded-for": "203.0.113.9" } };
    const asked = await front.ask("/metrics", forged);
    expect(await asked.text()).not.toContain("sluice_requests_total");
    expect((await front.ask("/healthz")).status).toBe(200);
  });

  test("a websocket is passed on", async () => {
    using echo = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("plain")),
      websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
    });
    await using front = await openFront(echo.port ?? 0);
    if (front === null) return;
    const told = Promise.withResolvers<string>();
    const address = `${front.url.replace("https", "wss")}/v1/realtime`;
    const socket = new WebSocket(address, { tls: { rejectUnauthorized: false } });
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({ data }) => told.resolve(String(data));
    socket.onerror = () => told.reject(new Error("the websocket was refused"));
    expect(await told.promise).toBe("echo hello");
    socket.close();
    expect(await (await front.ask("/")).text()).toBe("plain");
  });
});

test("the sample for Caddy says the same: pieces at once, 64 MiB, never twice", () => {
  const caddy = readFileSync(join(deploy, "caddy", "Caddyfile"), "utf8");
  for (const line of ["flush_interval -1", "max_size 64MiB", "lb_retries 0"]) {
    expect(caddy).toContain(line);
  }
  expect(caddy.split("{").length).toBe(caddy.split("}").length);
  sayNotRun("Caddy itself", "Its sample is only read.");
});
