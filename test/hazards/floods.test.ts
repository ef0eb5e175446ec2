// Servers that a customer without money may name: whatever they send, nobody else has to wait.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { Flood, type FloodOptions } from "./flood.ts";
import { assertUp, eventually } from "./observe.ts";

const mebibyte = 1024 * 1024;
/** Bytes that the system's buffers on both sides may swallow before anybody reads. */
const bufferedBytesMax = 16 * mebibyte;
/** Under attack it was 3.8 s; a busy machine alone may bring one. */
const lagSecondsMax = 2;

const interim = "HTTP/1.1 100 Continue";
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked";
const floods: [name: string, options: Omit<FloodOptions, "bytesMax">][] = [
  [
    "heads that only say that more is to come",
    { head: interim, piece: many(`${interim}\r\n\r\n`) },
  ],
  ["one extension without end", { head: chunked, first: "1;", piece: many("a") }],
  ["an extension at every chunk", { head: chunked, piece: many(`1;${"a".repeat(900)}\r\nx\r\n`) }],
];

function many(text: string): Uint8Array {
  return Buffer.from(text.repeat(Math.ceil((256 * 1024) / text.length)));
}

const ports: string[] = [];
const servers: Flood[] = [];
let gateway: Gateway;

async function open(options: Omit<FloodOptions, "bytesMax">, bytesMax: number): Promise<Flood> {
  const flood = await Flood.open({ ...options, bytesMax });
  servers.push(flood);
  ports.push(`"${new URL(flood.url).host}"`);
  return flood;
}

let endless: Flood[];
let crumbs: Flood;

beforeAll(async () => {
  endless = [];
  for (const [, options] of floods) endless.push(await open(options, 4096 * mebibyte));
  crumbs = await open({ head: chunked, piece: many("1\r\nx\r\n") }, 48 * mebibyte);
  gateway = await startGateway({ config: `media: { private_hosts: [${ports.join(", ")}] }` });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  for (const flood of servers) await flood[Symbol.asyncDispose]();
});

/** Registers the address as an asset, which costs nothing. */
async function name(flood: Flood, key: string): Promise<string> {
  const body = { url: `${flood.url}/a.wav`, assetType: "audio" };
  const response = await gateway.post("/api/asset/createMedia", body, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { Result: { Id: string } }).Result.Id;
}

async function statusOf(id: string, key: string): Promise<string> {
  const response = await gateway.get(`/api/asset/get?id=${id}`, key);
  return ((await response.json()) as { Result: { Status: string } }).Result.Status;
}

/** The worst since it was last read. */
async function lagSeconds(): Promise<number> {
  const text = await gateway.metrics();
  return Number(/^sluice_event_loop_lag_seconds\{[^}]*max[^}]*\} (\S+)$/m.exec(text)?.[1]);
}

test.each(floods.map(([what], at) => [what, at] as const))(
  "a server that sends %s is left at once, and the loop is not held up",
  async (_what, at) => {
    const { key } = await gateway.customer(0);
    const flood = endless[at];
    if (!flood) throw new Error("there is no such server");
    await lagSeconds();
    const id = await name(flood, key);
    await flood.left;
    expect(flood.sentBytes).toBeLessThan(bufferedBytesMax);
    await eventually(
      () => statusOf(id, key),
      (status) => status === "Failed",
    );
    expect(await lagSeconds()).toBeLessThan(lagSecondsMax);
  },
  60_000,
);

test("a server that sends its body in crumbs as fast as it can holds nobody up", async () => {
  const { key } = await gateway.customer(0);
  await lagSeconds();
  const id = await name(crumbs, key);
  await eventually(
    () => statusOf(id, key),
    (status) => status === "Failed",
  );
  await crumbs.left;
  expect(await lagSeconds()).toBeLessThan(lagSecondsMax);
}, 60_000);
