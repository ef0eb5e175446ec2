// Attacks by mere quantity: keys, headers, retries, stalled requests, open streams.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { systemClock } from "../../src/core/clock.ts";
import { GatewayError } from "../../src/core/errors.ts";
import { Authenticator } from "../../src/identity/authenticate.ts";
import { Groups } from "../../src/identity/groups.ts";
import type { Database } from "../../src/store/database.ts";
import { type Gateway, rootKey, startProcess } from "../harness/gateway.ts";
import { completion, delta, Vendor } from "../harness/vendor.ts";
import { assertUp, eventually } from "./observe.ts";
import { exchange, RawClient, rawRequest } from "./raw-client.ts";

const streamsMax = 4;
const config = `
distribution: { failures_to_eject: 1000000, attempts_max: 4 }
limits: { streams_max: ${streamsMax} }
text: { read_on_ms: 300 }
`;
const messages = [{ role: "user", content: "hi" }];
const chat = (model: string, fields: object = {}) => ({
  model,
  messages,
  max_tokens: 5,
  ...fields,
});
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startProcess({ config, oneProcess: "bounds" });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
});

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<void> {
  await gateway.control("POST", "/api/channel", vendor.channel(fields));
}

async function ask(model: string, key?: string): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chat(model), key);
}

describe("retries", () => {
  test("hazard I11 an outage upstream is not multiplied by the retries", async () => {
    const requests = 100;
    const fail = (_request: unknown, reply: { json(body: unknown, status: number): void }) =>
      reply.json({ error: { message: "down" } }, 500);
    using first = new Vendor(fail);
    using second = new Vendor(fail);
    using third = new Vendor(fail);
    for (const [at, vendor] of [first, second, third].entries()) {
      await addChannel(vendor, { name: `down ${at}`, models: ["chatA"] });
    }
    const statuses = new Set<number>();
    for (let at = 0; at < requests; at++) statuses.add((await ask("chatA")).status);
    expect([...statuses]).toEqual([500]);
    const attempts = [first, second, third].reduce((sum, { requests: got }) => sum + got.length, 0);
    // A fifth of the requests, and the five that an account starts with on each channel.
    expect(attempts).toBeGreaterThan(requests);
    expect(attempts).toBeLessThanOrEqual(requests + requests / 5 + 3 * 5);
  });
});

describe("stalled requests", () => {
  test("hazard I12 300 stalled requests on one channel leave the others alone", async () => {
    using stuck = new Vendor(() => {});
    using free = new Vendor((_request, reply) => reply.json(completion("free")));
    await addChannel(stuck, { models: ["chatB"] });
    await addChannel(free, { models: ["chatB-fast"] });
    const headers = { authorization: `Bearer ${rootKey}` };
    const request = rawRequest("POST /v1/chat/completions", headers, JSON.stringify(chat("chatB")));
    const clients = await Promise.all(
      Array.from({ length: 300 }, () => RawClient.open(gateway.url)),
    );
    try {
      for (const client of clients) client.send(request);
      await eventually(
        async () => stuck.requests.length,
        (count) => count === 300,
      );
      const response = await ask("chatB-fast");
      expect(await response.text()).toContain("free");
      expect((await gateway.get("/v1/models")).status).toBe(200);
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    } finally {
      for (const client of clients) client[Symbol.dispose]();
    }
    await Promise.all(stuck.requests.map(({ closed }) => closed));
  });

  test("hazard I12 a key's or a channel's own limit stops that one only", async () => {
    using stuck = new Vendor(() => {});
    await addChannel(stuck, { models: ["chatC"], concurrency: 2 });
    const limited = await gateway.customer(1_000_000_000, { concurrency: 1 });
    const other = await gateway.customer(1_000_000_000);
    const leaving = new AbortController();
    const start = (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const body = JSON.stringify(chat("chatC"));
      const address = `${gateway.url}/v1/chat/completions`;
      const { signal } = leaving;
      return fetch(address, { method: "POST", headers, body, signal }).catch(() => null);
    };
    const reached = (wanted: number) =>
      eventually(
        async () => stuck.requests.length,
        (count) => count === wanted,
      );
    const waiting = [start(limited.key)];
    await reached(1);
    const byKey = await ask("chatC", limited.key);
    expect(await byKey.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    waiting.push(start(other.key));
    await reached(2);
    const byChannel = await ask("chatC", other.key);
    expect(byChannel.status).toBe(429);
    expect(byChannel.headers.get("retry-after")).not.toBeNull();
    expect(stuck.requests).toHaveLength(2);
    leaving.abort();
    await Promise.all(waiting);
  });

  test("hazard C19 past the most open streams a new one is refused and the others go on", async () => {
    const ends: (() => void)[] = [];
    using slow = new Vendor((_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "begun" }));
      ends.push(() => {
        reply.event(delta({ content: "ended" }, "stop"));
        reply.event("[DONE]");
        reply.end();
      });
    });
    await addChannel(slow, { models: ["chatD"] });
    const body = chat("chatD", { stream: true });
    const open = await Promise.all(
      Array.from({ length: streamsMax }, () => gateway.post("/v1/chat/completions", body)),
    );
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const refused = await gateway.post("/v1/chat/completions", body);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ error: { code: "server_error" } });
    expect((await gateway.get("/v1/models")).status).toBe(200);
    for (const end of ends) end();
    for (const response of open) expect(await response.text()).toEndWith("data: [DONE]\n\n");
    const again = gateway.post("/v1/chat/completions", body);
    await eventually(
      async () => ends.length,
      (count) => count === streamsMax + 1,
    );
    ends.at(-1)?.();
    expect(await (await again).text()).toContain("ended");
  });
});

describe("headers", () => {
  test("hazard I3 headers past 16 KiB, or too many of them, are refused", async () => {
    const get = async (target: string, headers: Record<string, string>) =>
      (await exchange(gateway.url, rawRequest(`GET ${target}`, headers))).status;
    expect(await get("/healthz", { x: "a".repeat(15_000) })).toBe(200);
    expect(await get("/healthz", { x: "a".repeat(17_000) })).toBe(431);
    expect(await get(`/healthz?${"a".repeat(20_000)}`, {})).toBe(431);
    const many = Array.from({ length: 300 }, (_, at) => [`x-${at}`, "a"] as const);
    expect(await get("/healthz", Object.fromEntries(many))).toBe(431);
    expect(await get("/healthz", {})).toBe(200);
  });
});

describe("brute force", () => {
  test("hazard A9 many wrong keys at once are refused and the right one is not held up", async () => {
    const guesses = Array.from({ length: 200 }, () =>
      gateway.get("/v1/models", crypto.randomUUID()),
    );
    const right = Array.from({ length: 20 }, () => gateway.get("/v1/models"));
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 401 && status !== 429)).toEqual([]);
    const answered = (await Promise.all(right)).map(({ status }) => status);
    expect(answered).toEqual(right.map(() => 200));
  });

  /** A database that knows nobody and counts how often it is asked. */
  function emptyDatabase(): { database: Database; asked(): number; mostAtOnce(): number } {
    let [count, running, most] = [0, 0, 0];
    class CountingDriver extends DummyDriver {
      override async acquireConnection() {
        return {
          async executeQuery(_query: CompiledQuery) {
            count++;
            most = Math.max(most, ++running);
            await new Promise(setImmediate);
            running--;
            return { rows: [] };
          },
          async *streamQuery() {},
        };
      }
    }
    class ManyAtOnce extends SqliteAdapter {
      override get supportsMultipleConnections() {
        return true;
      }
    }
    const database: Database = new Kysely({
      dialect: {
        createAdapter: () => new ManyAtOnce(),
        createDriver: () => new CountingDriver(),
        createIntrospector: (known) => new SqliteIntrospector(known),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    });
    return { database, asked: () => count, mostAtOnce: () => most };
  }

  function start() {
    const { database, asked, mostAtOnce } = emptyDatabase();
    const authenticator = new Authenticator({
      database,
      groups: new Groups(),
      budgets: { of: () => undefined },
      clock: systemClock,
      sessions: { isOpen: async () => false },
    });
    async function refusal(secret: string): Promise<string> {
      try {
        await authenticator.caller(secret, { ip: "127.0.0.1" });
      } catch (error) {
        if (error instanceof GatewayError) return error.code;
        throw error;
      }
      return "let in";
    }
    return { refusal, asked, mostAtOnce };
  }

  test("hazard A7 A9 a key that cannot be one is never looked up", async () => {
    const { refusal, asked } = start();
    const odd = [
      "",
      " ",
      "x".repeat(257),
      "x".repeat(1 << 20),
      "a b",
      "a\u0000",
      "a\r\n",
      "１",
      "é",
    ];
    for (const secret of odd) expect(await refusal(secret)).toBe("invalid_api_key");
    expect(asked()).toBe(0);
    expect(await refusal("x".repeat(256))).toBe("invalid_api_key");
    expect(asked()).toBe(1);
  });

  test("hazard A9 a wrong key is looked up once, and few are looked up together", async () => {
    const { refusal, asked, mostAtOnce } = start();
    for (let at = 0; at < 1000; at++) await refusal("sk-wrong");
    expect(asked()).toBe(1);
    const codes = await Promise.all(Array.from({ length: 200 }, (_, at) => refusal(`sk-${at}`)));
    expect(codes).toEqual(codes.map(() => "invalid_api_key"));
    expect([asked(), mostAtOnce()]).toEqual([1 + 200, 64]);
    const flood = Array.from({ length: 10_000 }, (_, at) => refusal(`sk-flood-${at}`));
    const counted = Map.groupBy(await Promise.all(flood), (code) => code);
    expect([...counted.keys()].toSorted()).toEqual(["invalid_api_key", "rate_limit_exceeded"]);
    expect(mostAtOnce()).toBe(64);
  });

  test("hazard A9 I7 what is remembered of wrong keys has an end", async () => {
    const { refusal, asked } = start();
    const keysMax = 65_536;
    await refusal("sk-first");
    for (let at = 0; at < keysMax; at += 64) {
      await Promise.all(Array.from({ length: 64 }, (_, step) => refusal(`sk-${at + step}`)));
    }
    const before = asked();
    expect(before).toBe(keysMax + 1);
    await refusal(`sk-${keysMax - 1}`);
    expect(asked()).toBe(before);
    await refusal("sk-first");
    expect(asked()).toBe(before + 1);
  }, 240_000);
});
