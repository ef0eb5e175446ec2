// The balancer of the harness itself: what it alternates, and what it must not touch.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createServer } from "node:net";
import { RawClient, rawRequest } from "../hazards/raw-client.ts";
import { Balancer } from "../harness/nodes/balancer.ts";
import { RequestCutter } from "../harness/nodes/request-cutter.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const echo =
  (name: string): Answer =>
  async (request) =>
    new Response(`${name} ${await request.text()}`);

let answers: Answer[];
let balancer: Balancer;
let agree: PromiseWithResolvers<void>;

function startNode(at: number) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => answers[at]?.(request) ?? new Response(null, { status: 500 }),
  });
}

const nodes = [startNode(0), startNode(1)];

beforeAll(async () => {
  balancer = await Balancer.listening({
    ports: () => nodes.map(({ port }) => port ?? 0),
    agreed: () => agree.promise,
    written: async () => {},
  });
});

beforeEach(() => {
  answers = [echo("first"), echo("second")];
  agree = Promise.withResolvers();
});

afterAll(async () => {
  await balancer[Symbol.asyncDispose]();
  for (const node of nodes) await node.stop(true);
});

const nameOf = (body: string) => body.split(" ")[0];

test("requests on one connection go to one node after the other, however they are framed", async () => {
  using client = await RawClient.open(balancer.url);
  const chunked = "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
  const requests = [
    rawRequest("GET /"),
    rawRequest("POST /", {}, "a body"),
    `${chunked}3;x=y\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n`,
    rawRequest("GET /"),
  ];
  const bodies: string[] = [];
  for (const request of requests) {
    const before = client.received.length;
    // Byte by byte: nothing depends on what arrives together.
    for (const byte of request) client.send(byte);
    await client.until(new RegExp(`^[^]{${before}}HTTP[^]+\\r\\n\\r\\n(?:first|second) `));
    bodies.push(client.received.slice(client.received.lastIndexOf("\r\n\r\n") + 4));
  }
  const [one, other] = [nameOf(bodies[0] ?? ""), nameOf(bodies[1] ?? "")];
  expect(new Set([one, other])).toEqual(new Set(["first", "second"]));
  expect(bodies).toEqual([`${one} `, `${other} a body`, `${one} abcdef`, `${other} `]);
});

test("requests that are sent before the last is answered are answered in their order", async () => {
  using client = await RawClient.open(balancer.url);
  client.send(["one", "two", "three"].map((body) => rawRequest("POST /", {}, body)).join(""));
  await client.until(/one[^]*two[^]*three/);
  expect(new Set(client.received.match(/first|second/g)).size).toBe(1);
});

test("pieces of a stream pass as they come, and who leaves is seen to leave", async () => {
  const left = Promise.withResolvers<void>();
  const stream: Answer = ({ signal }) => {
    signal.addEventListener("abort", () => left.resolve());
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from("a piece")),
      }),
    );
  };
  answers = [stream, stream];
  const leaving = new AbortController();
  const response = await fetch(balancer.url, { signal: leaving.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? "").toString()).toBe("a piece");
  leaving.abort();
  await left.promise;
});

test("an answer that breaks off on one side breaks off on the other", async () => {
  const node = createServer((socket) => {
    socket.once("data", () => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\na part");
    });
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const address = node.address();
  const ports = () => (typeof address === "object" && address ? [address.port] : []);
  const done = async () => {};
  await using before = await Balancer.listening({ ports, agreed: done, written: done });
  using client = await RawClient.open(before.url);
  client.send(rawRequest("GET /"));
  expect(await client.untilClosed()).toEndWith("a part");
  node.close();
});

test("an answer that is held back comes whole, also where its node has hung up", async () => {
  const left = Promise.withResolvers<void>();
  const node = createServer((socket) => {
    socket.once("data", () => {
      socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\ndone");
    });
    socket.on("close", () => left.resolve());
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const address = node.address();
  const ports = () => (typeof address === "object" && address ? [address.port] : []);
  const agreed = Promise.withResolvers<void>();
  const needs = { ports, agreed: () => agreed.promise, written: async () => {} };
  await using before = await Balancer.listening(needs);
  using client = await RawClient.open(before.url);
  client.send(rawRequest("POST /api/thing", { connection: "close" }, "it"));
  client.endSending();
  await left.promise;
  agreed.resolve();
  expect(await client.untilClosed()).toEndWith("done");
  node.close();
});

test("who is refused while still sending gets the refusal", async () => {
  const node = createServer((socket) => {
    socket.once("data", () => {
      socket.end("HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno");
      socket.destroySoon();
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const address = node.address();
  const ports = () => (typeof address === "object" && address ? [address.port] : []);
  const done = async () => {};
  await using before = await Balancer.listening({ ports, agreed: done, written: done });
  const body = "x".repeat(8_000_000);
  const response = await fetch(before.url, { method: "POST", body });
  expect([response.status, await response.text()]).toEqual([413, "no"]);
  node.close();
});

test("a request with trailers ends behind them", () => {
  const head = "POST / HTTP/1.1\r\nhost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const one = `${head}2\r\nab\r\n0\r\nafter: all\r\n\r\n`;
  const cutter = new RequestCutter();
  const cuts = [...cutter.cut(Buffer.from(one + rawRequest("GET /")))];
  expect(cuts.map(({ isFirst }) => isFirst)).toEqual([true, false, true]);
  expect(Buffer.concat(cuts.slice(0, 2).map(({ bytes }) => bytes)).toString()).toBe(one);
});

test("the answer to a change is passed on when all nodes know of it", async () => {
  let isAnswered = false;
  const change = fetch(`${balancer.url}/api/thing`, { method: "PUT", body: "it" });
  const answered = change.then((response) => {
    isAnswered = true;
    return response.text();
  });
  // Others do not wait for it.
  await (await fetch(balancer.url)).text();
  await (await fetch(balancer.url)).text();
  expect(isAnswered).toBe(false);
  agree.resolve();
  expect(await answered).toEndWith(" it");
});
