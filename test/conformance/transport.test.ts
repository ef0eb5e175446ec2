// A channel that is reached through a proxy or over HTTP/2: the same answers, whole and streamed,
// and nobody but the proxy sees its credentials.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { join } from "node:path";
import { logRow } from "../harness/books.ts";
import { readStream } from "../harness/event-stream.ts";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { HttpProxy } from "../harness/proxy.ts";
import { rowsOf } from "../harness/rows.ts";
import { completion, delta, usageChunk, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

const login = "gate:proxy-word-0123456789";
const vendor = new Vendor((request, reply) => {
  if (request.body["stream"] !== true) return reply.json(completion("Yes."));
  reply.stream();
  const pieces = [delta({ content: "Y" }), delta({ content: "es." }, "stop"), usageChunk()];
  for (const event of [...pieces, "[DONE]"]) reply.event(event);
  reply.end();
});
let proxy: HttpProxy;
let gateway: Gateway;

beforeAll(async () => {
  proxy = await HttpProxy.listening(login);
  gateway = await startGateway({
    config: JSON.stringify({ channels: [vendor.channel({ proxy: proxy.url() })] }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const messages = [{ role: "user", content: "Hello?" }];

test("a channel with a proxy serves chat, whole and streamed, through it alone", async () => {
  const whole = await gateway.post("/v1/chat/completions", { model: "chatA", messages });
  expect(await whole.json()).toMatchObject({ choices: [{ message: { content: "Yes." } }] });
  const streamed = await gateway.post("/v1/chat/completions", {
    model: "chatA",
    messages,
    stream: true,
  });
  const { data, text } = await readStream(streamed);
  expect([streamed.status, data.at(-1)]).toEqual([200, "[DONE]"]);
  expect(text).toContain('"es."');
  const row = await logRow(gateway, streamed);
  expect(row).toMatchObject({ model: "chatA", status: 200 });
  const authorization = `Basic ${btoa(login)}`;
  const target = `${vendor.url}/v1/chat/completions`;
  const visit = { method: "POST", target, authorization };
  expect(proxy.visits).toEqual([visit, visit]);
  for (const { headers } of vendor.requests) {
    expect(headers).toMatchObject({ authorization: "Bearer sk-vendor-secret-0000" });
    expect(JSON.stringify(headers)).not.toContain(authorization);
  }
});

test("its credentials are neither shown nor stored as they are", async () => {
  const { items } = await gateway.control<{ items: { proxy: string }[] }>("GET", "/api/channel");
  expect(items.map(({ proxy: shown }) => shown)).toEqual([`http://${proxy.host}`]);
  const rows = await rowsOf<{ proxy: string }>(gateway, "select * from channel");
  expect(rows.map((row) => row.proxy)).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain("proxy-word");
  expect(gateway.output).not.toContain("proxy-word");
});

test("the environment's proxy serves channels that are not on this machine", async () => {
  await using open = await HttpProxy.listening();
  open.hosts.set("vendor.example", vendor.url);
  await using second = await startGateway({
    config: JSON.stringify({
      channels: [
        vendor.channel({ name: "far", base_url: "http://vendor.example" }),
        vendor.channel({ name: "near", models: ["chatB"] }),
      ],
    }),
    environment: { HTTP_PROXY: open.url(), NO_PROXY: "other.example" },
  });
  for (const model of ["chatA", "chatB"]) {
    const response = await second.post("/v1/chat/completions", { model, messages });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "Yes." } }] });
  }
  expect(open.visits).toEqual([
    {
      method: "POST",
      target: "http://vendor.example/v1/chat/completions",
      authorization: null,
    },
  ]);
});

test("a channel with http2 serves chat over HTTP/2", async () => {
  const certificates = join(import.meta.dirname, "../../src/core/wire/fixtures");
  const read = (name: string) => readFileSync(join(certificates, name));
  const versions: string[] = [];
  const server = createSecureServer(
    { cert: read("good.crt"), key: read("good.key") },
    ({ httpVersion, stream }, reply) => {
      versions.push(httpVersion);
      stream.resume();
      const headers = { "content-type": "application/json" };
      reply.writeHead(200, headers).end(JSON.stringify(completion("Yes.")));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  await using second = await startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ base_url: `https://localhost:${port}`, http2: true })],
    }),
    environment: { NODE_EXTRA_CA_CERTS: join(certificates, "ca.crt") },
  });
  const response = await second.post("/v1/chat/completions", { model: "chatA", messages });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: "Yes." } }] });
  expect(versions).toEqual(["2.0"]);
  server.close();
});
