// Prompts and answers are kept of the keys that say so, redacted and bounded, where the gateway
// keeps any at all; of all others there is no trace.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContentRecord } from "../../../src/observe/content/record.ts";
import { eventually } from "../../harness/books.ts";
import { Collector } from "../../harness/collector.ts";
import { startGateway, temporaryFolder, type Gateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const parts = ["Ask jane.doe@mail", ".example or pay 4111 1111", " 1111 1111 for ACME-", "7788."];
const redacted = "Ask [email] or pay [card] for [redacted].";
const long = "heron ".repeat(400);

const vendor = new Vendor((request, reply) => {
  if (request.text.includes("please fail")) return reply.json({ error: { message: "no" } }, 400);
  if (request.text.includes("at length")) return reply.json(completion(long));
  if (request.body["stream"] !== true) return reply.json(completion(parts.join("")));
  reply.stream();
  for (const content of parts) reply.event(delta({ content }));
  reply.event(delta({}, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
});
let gateway: Gateway;
let key: string;
let plainKey: string;

const settings = (contentLog: object): string =>
  JSON.stringify({
    sandbox: "off",
    prices: [{ model: "m", call_micros: 10 }],
    channels: [vendor.channel({ name: "main", models: ["m"] })],
    content_log: { text_characters_max: 1000, patterns: ["ACME-\\d{4}"], ...contentLog },
    tracing: { interval_ms: 50 },
  });

beforeAll(async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "content"), { mode: 0o700 });
  writeFileSync(join(folder, "content", "2020-01-01-0000.jsonl"), "{}\n");
  gateway = await startGateway({ folder, config: settings({ enabled: true }) });
  ({ key } = await gateway.customer(1_000_000, { log_content: true }));
  ({ key: plainKey } = await gateway.customer(1_000_000));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

function body(content: string, stream: boolean): object {
  return { model: "m", stream, messages: [{ role: "user", content }] };
}

async function ask(from: Gateway, secret: string, content: string, stream = false) {
  const response = await from.post("/v1/chat/completions", body(content, stream), secret);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

function keptIn({ folders }: Gateway): ContentRecord[] {
  const places = folders
    .map((folder) => join(folder, "content"))
    .filter((path) => existsSync(path));
  const texts = places.flatMap((place) =>
    readdirSync(place)
      // Old files go at any time.
      .filter((name) => !name.startsWith("2020-"))
      .map((name) => readFileSync(join(place, name), "utf8")),
  );
  return texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line !== "" && line !== "{}")
    .map((line) => JSON.parse(line) as ContentRecord);
}

async function recordOf(id: string): Promise<ContentRecord> {
  return await eventually(`the record of ${id}`, async () =>
    keptIn(gateway).find(({ request }) => request === id),
  );
}

describe("contents", () => {
  test("a key that says so has its prompts and answers kept, redacted", async () => {
    const prompt = "My key is sk-0123456789abcdefghij, mail me at me@home.example";
    const record = await recordOf(await ask(gateway, key, prompt));
    expect(record).toMatchObject({
      route: "/v1/chat/completions",
      model: "m",
      channel: "main",
      stream: false,
      status: 200,
      outcome: "ok",
      prompt: ["My key is [secret], mail me at [email]"],
      answer: [redacted],
      cut: false,
    });
    expect(record.key).toMatch(/^key_/);
  });

  test("a stream is kept as the text that it is, so that nothing hides between its pieces", async () => {
    const record = await recordOf(await ask(gateway, key, "hello", true));
    expect(record).toMatchObject({ stream: true, prompt: ["hello"], answer: [redacted] });
  });

  test("what is longer than the bound is cut and says so, and a refusal is kept too", async () => {
    const record = await recordOf(await ask(gateway, key, "at length"));
    expect(record.answer.join("")).toBe(long.slice(0, 1000));
    expect(record.cut).toBe(true);
    const refused = await recordOf(await ask(gateway, key, "please fail"));
    expect(refused).toMatchObject({ prompt: ["please fail"], answer: [], status: 400 });
  });

  test("nobody but the owner can read the files, and old ones are gone", async () => {
    // One for each node, which keeps what it answered itself.
    for (const _ of gateway.folders) await recordOf(await ask(gateway, key, "hello"));
    for (const folder of gateway.folders) {
      const place = join(folder, "content");
      const names = readdirSync(place);
      expect(names).not.toContain("2020-01-01-0000.jsonl");
      expect(names).toHaveLength(1);
      expect(statSync(place).mode & 0o777).toBe(0o700);
      for (const name of names) expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
    }
  });

  test("of a key that does not say so nothing is kept", async () => {
    const quiet = await ask(gateway, plainKey, "hello");
    await recordOf(await ask(gateway, key, "hello"));
    expect(keptIn(gateway).map(({ request }) => request)).not.toContain(quiet);
  });

  test("a change of the key counts from the next request on, and is shown", async () => {
    const { key: secret, keyId } = await gateway.customer(1_000_000);
    const change = (on: boolean) =>
      gateway.control<{ log_content: boolean }>("PATCH", `/api/token/${keyId}`, {
        log_content: on,
      });
    expect((await change(true)).log_content).toBe(true);
    await recordOf(await ask(gateway, secret, "hello"));
    expect((await change(false)).log_content).toBe(false);
    const quiet = await ask(gateway, secret, "hello");
    await recordOf(await ask(gateway, key, "hello"));
    expect(keptIn(gateway).map(({ request }) => request)).not.toContain(quiet);
  });

  test("without the switch nothing is kept, whatever a key says", async () => {
    await using off = await startGateway({ config: settings({}) });
    const { key: secret } = await off.customer(1_000_000, { log_content: true });
    await ask(off, secret, "hello");
    await off.stop();
    for (const folder of off.folders) expect(existsSync(join(folder, "content"))).toBe(false);
  });

  test("a collector gets them instead, redacted, and no file is written", async () => {
    using collector = new Collector();
    await using sending = await startGateway({
      config: settings({ enabled: true, endpoint: collector.url }),
    });
    const { key: secret } = await sending.customer(1_000_000, { log_content: true });
    const id = await ask(sending, secret, "mail me@home.example", true);
    const call = await eventually("the record", async () => collector.calls[0]);
    expect(call.path).toBe("/v1/logs");
    expect(call.text).toContain(id);
    expect(call.text).toContain("mail [email]");
    expect(call.text).toContain(redacted);
    expect(call.text).not.toContain("home.example");
    for (const folder of sending.folders) expect(existsSync(join(folder, "content"))).toBe(false);
  });
});
