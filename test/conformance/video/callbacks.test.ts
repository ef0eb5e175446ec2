// Callbacks that are told when a task has ended.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import OpenAI from "openai";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import {
  rootToken,
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { isOnPostgres } from "../../harness/postgres.ts";
import { rowsOf } from "../../harness/rows.ts";
import { rmSync } from "node:fs";
import { create, idOf, prompt, query, quickPolls, reaches } from "../../harness/videos.ts";
import { slowPrompt, startVideoVendors, type VideoVendors } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const model = "videoC-2-0-260128";

interface Call {
  path: string;
  headers: Headers;
  text: string;
}

/** A client that gave us a callback. */
class Receiver implements Disposable {
  readonly calls: Call[] = [];
  isSilent = false;
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      this.calls.push({ path: pathname, headers: request.headers, text: await request.text() });
      if (this.isSilent) await new Promise(() => {});
      return new Response(null, { status: 204 });
    },
  });

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  async callTo(path: string): Promise<Call> {
    return await eventually(`a call to ${path}`, async () =>
      this.calls.find((call) => call.path === path),
    );
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

let vendors: VideoVendors;
let receiver: Receiver;
let gateway: Gateway;

function configOf(): string {
  const media = `media: { private_hosts: [ "${receiver.host}" ] }`;
  return [quickPolls, vendors.config, media].join("\n");
}

beforeAll(async () => {
  vendors = startVideoVendors();
  receiver = new Receiver();
  gateway = await startGateway({ config: configOf() });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  receiver[Symbol.dispose]();
  await vendors[Symbol.asyncDispose]();
});

async function secretOf(token: string = rootToken): Promise<string> {
  const { data } = await gateway.controlEnvelope("GET", "/api/webhook-secret", undefined, token);
  return (data as { secret: string }).secret;
}

interface Delivery {
  id: string;
  task_id: string;
  account: string;
  event: string;
  attempts: number;
  status: number | null;
  delivered_at: number | null;
  next_attempt_at: number | null;
}

async function deliveryOf(of: Gateway, id: string): Promise<Delivery> {
  return await eventually(`the delivery of ${id}`, async () => {
    const path = `/api/webhook?task=${id}`;
    const { items } = await of.control<{ items: Delivery[] }>("GET", path);
    return items.find(({ attempts }) => attempts > 0);
  });
}

test.each(["webhook_url", "callback_url", "notify_hook"])(
  "N15 what stands in %s is told of the end, with a signature that OpenAI's client takes",
  async (field) => {
    const url = `http://${receiver.host}/${field}?a=b`;
    const id = idOf(await create(gateway, { model, prompt, [field]: url }));
    const { headers, text } = await receiver.callTo(`/${field}`);
    const { webhooks } = new OpenAI({ apiKey: "none" });
    const event: unknown = await webhooks.unwrap(text, headers, await secretOf());
    const shown = await query(gateway, `/v1/videos/${id}`);
    expect(event).toMatchObject({ type: "video.completed", data: { id, status: "completed" } });
    expect(Object.keys((event as { data: JsonObject }).data)).toEqual(Object.keys(shown.body));
    expect(headers.get("content-type")).toBe("application/json");
    const sent = await deliveryOf(gateway, id);
    expect(sent).toMatchObject({
      id: headers.get("webhook-id") ?? "",
      event: "video.completed",
      account: "root",
      attempts: 1,
      status: 204,
      next_attempt_at: null,
    });
    expect(sent.delivered_at).toBeGreaterThan(0);
  },
);

test("N15 a failure is told too, and no vendor is told of the callback", async () => {
  const url = `http://${receiver.host}/failed`;
  const failing = { model, prompt: `${prompt} sandbox:fail`, webhook_url: url };
  const id = idOf(await create(gateway, failing));
  const { text } = await receiver.callTo("/failed");
  expect(JSON.parse(text)).toMatchObject({ type: "video.failed", data: { id, status: "failed" } });
  expect(vendors.calls.filter((call) => call.text.includes(receiver.host))).toEqual([]);
});

test("N15 a task without a callback, or one that was cancelled, calls nobody", async () => {
  const before = receiver.calls.length;
  const quiet = idOf(await create(gateway, { model, prompt }));
  const url = `http://${receiver.host}/cancelled`;
  const slow = { model, prompt: slowPrompt, webhook_url: url };
  const cancelled = idOf(await create(gateway, slow));
  await reaches(gateway, quiet, "completed");
  const gone = await query(gateway, `/v1/videos/${cancelled}`, { method: "DELETE" });
  expect(gone.status).toBe(200);
  const { items } = await gateway.control<{ items: Delivery[] }>("GET", "/api/webhook");
  const told = items.map(({ task_id }) => task_id);
  expect(told).not.toContain(quiet);
  expect(told).not.toContain(cancelled);
  expect(receiver.calls.length).toBe(before);
});

test("N15 hazard E1 a callback on a private network, or that is no address, is a 400", async () => {
  const bad = [
    "http://127.0.0.1:9/x",
    "http://localhost/x",
    "http://169.254.169.254/latest",
    "http://[::1]/x",
    "http://10.0.0.1/x",
    "http://2130706433/x",
    "ftp://hooks.example/x",
    "file:///etc/passwd",
    "hooks.example",
    7,
    { url: "https://hooks.example" },
    `https://hooks.example/${"x".repeat(3000)}`,
  ];
  for (const url of bad) {
    const reply = await create(gateway, { model: "videoB-2", prompt, webhook_url: url });
    expect([url, reply.status]).toEqual([url, 400]);
    expect(reply.body).toMatchObject({ error: { param: "webhook_url" } });
  }
});

test("N15 each account has a secret of its own, for itself alone", async () => {
  const { id } = await gateway.customer(0);
  const { token } = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`);
  const theirs = await secretOf(token);
  expect(theirs).toMatch(/^whsec_/);
  expect(theirs).not.toBe(await secretOf());
  const log = await gateway.controlEnvelope("GET", "/api/webhook", undefined, token);
  expect(log.success).toBe(false);
});

/** Other nodes leave it for a minute to who began to send it, and that minute passes here. */
async function endClaims(folder: string): Promise<void> {
  const sql = "update webhook_delivery set next_attempt_at_ms = 1 where attempts = 0 returning id";
  expect(await rowsOf({ folder }, sql)).toHaveLength(1);
}

test("N15 what one process could not tell the next one does, under the same number", async () => {
  const folder = temporaryFolder();
  using other = new Receiver();
  other.isSilent = true;
  const media = `media: { private_hosts: [ "${other.host}" ] }`;
  const config = [quickPolls, vendors.config, media].join("\n");
  try {
    await using first = await startProcess({ config, folder });
    const url = `http://${other.host}/late`;
    const id = idOf(await create(first, { model, prompt, webhook_url: url }));
    const { headers } = await other.callTo("/late");
    await first.kill();
    other.isSilent = false;
    other.calls.length = 0;
    if (isOnPostgres) await endClaims(folder);
    await using second = await startGateway({ config, folder });
    const again = await other.callTo("/late");
    expect(again.headers.get("webhook-id")).toBe(headers.get("webhook-id") ?? "");
    expect(await deliveryOf(second, id)).toMatchObject({ status: 204, attempts: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
