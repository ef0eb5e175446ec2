// Clients that begin to send a body and never end: each is left after a while, on every paid route.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, rootKey, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { assertUp, eventually } from "./observe.ts";
import { RawClient } from "./raw-client.ts";

const bodyMs = 1500;
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const chat = { model: "chatA", messages: [{ role: "user", content: "hi" }] };
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config: `server: { body_ms: ${bodyMs} }` });
  await gateway.control("POST", "/api/channel", vendor.channel());
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

function head(path: string, ...lines: string[]): string {
  const fields = [`authorization: Bearer ${rootKey}`, "host: localhost", ...lines];
  return `POST ${path} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`;
}

const json = "content-type: application/json";
const form = "content-type: multipart/form-data; boundary=b";
const stalls: [path: string, ...lines: string[]][] = [
  ["/v1/chat/completions", json, "content-length: 1000"],
  ["/v1/responses", json, "transfer-encoding: chunked"],
  ["/v1/messages", json, "content-length: 1000", "content-encoding: gzip"],
  ["/v1/videos", form, "content-length: 100000"],
  ["/v1/images/edits", form, "transfer-encoding: chunked"],
];

test("200 uploads that stall are all left, and told why", async () => {
  const clients = await Promise.all(Array.from({ length: 200 }, () => RawClient.open(gateway.url)));
  try {
    for (const [at, client] of clients.entries()) {
      const [path, ...lines] = stalls[at % stalls.length] ?? ["/"];
      const start = lines.some((line) => line.includes("chunked")) ? "1\r\n{\r\n" : "{";
      client.send(head(path, ...lines) + start);
    }
    await eventually(
      async () => clients.filter(({ isClosed }) => !isClosed).length,
      (open) => open === 0,
    );
    const statuses = new Set(clients.map(({ received }) => received.slice(9, 12)));
    expect([...statuses]).toEqual(["408"]);
  } finally {
    for (const client of clients) client[Symbol.dispose]();
  }
}, 60_000);

test("one that sends a byte now and then is left as well", async () => {
  using client = await RawClient.open(gateway.url);
  client.send(`${head("/v1/chat/completions", json, "content-length: 100000")}{`);
  const beganMs = performance.now();
  while (!client.isClosed && performance.now() - beganMs < 20_000) {
    client.send(" ");
    await Bun.sleep(100);
  }
  expect(performance.now() - beganMs).toBeLessThan(10 * bodyMs);
  expect(client.received).toStartWith("HTTP/1.1 408");
}, 60_000);

test("a body that came in time leaves the vendor all the time it needs", async () => {
  vendor.script = async (_request, reply) => {
    await Bun.sleep(2 * bodyMs);
    reply.json(completion("late"));
  };
  const response = await gateway.post("/v1/chat/completions", chat);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("late")]);
});
