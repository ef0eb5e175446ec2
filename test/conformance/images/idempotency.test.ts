// The same request under the same key makes nothing new: it finds what it made before.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { readEvents } from "../../../src/core/sse.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import {
  ImageHost,
  madeOf,
  picture,
  refusal,
  usage,
  type HostCall,
} from "../../harness/images/host.ts";
import { ask, spoolIsEmpty } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const host = new ImageHost();
const body = { model: "imageA-2", prompt: "A fox in the snow" };
const grantMicros = 10_000_000;
const eachMicros = 1000;
let gateway: Gateway;

beforeAll(async () => {
  const prices = `prices: [{ model: imageA-2, image_micros: ${eachMicros} }]`;
  gateway = await startGateway({ config: prices });
  await gateway.control("POST", "/api/channel", host.channel());
});

afterEach(async () => {
  await spoolIsEmpty(gateway);
  host.calls.length = 0;
  host.script = () => madeOf([picture()], { usage });
});

afterAll(async () => {
  const verified = await runCommand({ folder: gateway.folder }, "ledger", "verify");
  await gateway[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  expect(verified.code).toBe(0);
});

function once(key: string): Record<string, string> {
  return { "idempotency-key": key };
}

async function usedBy(id: string): Promise<number> {
  const { held_micros: held, used_micros: used } = await balanceOf(gateway, id);
  expect(held).toBe(0);
  return used;
}

describe("a request with an Idempotency-Key", () => {
  test("N14 is answered as without one, and the second time by what is there", async () => {
    host.script = () => madeOf([picture("a", 40), picture("b", 40)], { usage, quality: "high" });
    const { id, key } = await gateway.customer(grantMicros);
    const asked = { ...body, n: 2, response_format: "b64_json" };
    const first = await ask(gateway, asked, { key, headers: once("k-1") });
    expect(first.items.map(({ b64_json: base64 }) => base64)).toEqual([
      picture("a", 40),
      picture("b", 40),
    ]);
    expect(first.body).toMatchObject({ size: "40x40", quality: "high", output_format: "png" });
    expect(first.body["usage"]).toMatchObject({ input_tokens: 50, output_tokens: 1056 });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const second = await ask(gateway, asked, { key, headers: once("k-1") });
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
    expect(host.calls.length).toBe(1);
    expect(await usedBy(id)).toBe(2 * eachMicros);
  });

  test("N14 with another body, or for another address, is a conflict", async () => {
    const { key } = await gateway.customer(grantMicros);
    const headers = once("k-2");
    expect((await ask(gateway, body, { key, headers })).status).toBe(200);
    const others = [
      ask(gateway, { ...body, prompt: "Another fox" }, { key, headers }),
      ask(gateway, { ...body, image: picture() }, { key, headers, path: "/v1/images/edits" }),
      ask(gateway, body, { key, headers, path: "/v1/images/generations/async" }),
    ];
    for (const { status, body: answer } of await Promise.all(others)) {
      expect([status, answer]).toMatchObject([
        409,
        { error: { code: "conflict", param: "Idempotency-Key" } },
      ]);
    }
    expect(host.calls.length).toBe(1);
  });

  test("N14 is each account's own", async () => {
    const customers = [await gateway.customer(grantMicros), await gateway.customer(grantMicros)];
    for (const { id, key } of customers) {
      expect((await ask(gateway, body, { key, headers: once("k-3") })).status).toBe(200);
      expect(await usedBy(id)).toBe(eachMicros);
    }
    expect(host.calls.length).toBe(2);
  });

  test("N14 that is sent many times at once is made once", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    const all = Array.from({ length: 10 }, () => ask(gateway, body, { key, headers: once("k-4") }));
    const links = (await Promise.all(all)).map(({ items }) => items[0]?.url?.split("?")[0]);
    expect(new Set(links).size).toBe(1);
    expect(host.calls.length).toBe(1);
    expect(await usedBy(id)).toBe(eachMicros);
  });

  test("N14 invariant I12 whose client has left goes on, and is there for when it comes back", async () => {
    const asked = Promise.withResolvers<HostCall>();
    const goOn = Promise.withResolvers<void>();
    host.script = async (call) => {
      asked.resolve(call);
      await goOn.promise;
      return madeOf([picture()]);
    };
    const { id, key } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const leaving = fetch(`${gateway.url}/v1/images/generations`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...once("k-5"),
      },
      body: JSON.stringify(body),
      signal: abort.signal,
    }).catch(() => null);
    await asked.promise;
    abort.abort();
    await leaving;
    goOn.resolve();
    const again = await ask(gateway, body, { key, headers: once("k-5") });
    expect([again.status, again.items.length]).toEqual([200, 1]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(host.calls.length).toBe(1);
    expect(await usedBy(id)).toBe(eachMicros);
  });

  test("N14 Q2 that failed cost nothing, and its key is free for another try", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    host.script = () => refusal(500, { type: "server_error" });
    const failed = await ask(gateway, body, { key, headers: once("k-6") });
    expect([failed.status, failed.body]).toMatchObject([500, { error: { code: "bad_response" } }]);
    host.script = () => refusal(400, { code: "moderation_blocked", message: "No." });
    const refused = await ask(gateway, body, { key, headers: once("k-6") });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { code: "moderation_blocked" } },
    ]);
    expect(await usedBy(id)).toBe(0);
    host.script = () => madeOf([picture()]);
    expect((await ask(gateway, body, { key, headers: once("k-6") })).status).toBe(200);
    const used = await eventually("the charge", async () => {
      const { held_micros: held, used_micros } = await balanceOf(gateway, id);
      return held === 0 ? used_micros : undefined;
    });
    expect(used).toBe(eachMicros);
  });

  test("N14 may be a stream, of what is there when all is done", async () => {
    const { key } = await gateway.customer(grantMicros);
    for (const replayed of [null, "true"]) {
      const response = await fetch(`${gateway.url}/v1/images/generations`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...once("k-7"),
        },
        body: JSON.stringify({ ...body, stream: true }),
      });
      const [event, ...others] = readEvents(await response.text());
      expect([event?.event, others.length]).toEqual(["image_generation.completed", 0]);
      expect(JSON.parse(event?.data ?? "")).toMatchObject({ b64_json: picture() });
      expect(response.headers.get("idempotent-replayed")).toBe(replayed);
    }
    expect(host.calls.length).toBe(1);
  });

  test("N14 Q1 is refused for want of money, or for a key that is none, before anything is sent", async () => {
    const poor = await gateway.customer(eachMicros - 1);
    const refused = await ask(gateway, body, { key: poor.key, headers: once("k-8") });
    expect([refused.status, refused.body]).toMatchObject([
      402,
      { error: { code: "insufficient_user_quota" } },
    ]);
    const wrong = await ask(gateway, body, { headers: once("x".repeat(256)) });
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      { error: { param: "Idempotency-Key" } },
    ]);
    expect(host.calls.length).toBe(0);
  });
});
