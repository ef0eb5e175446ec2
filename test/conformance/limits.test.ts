// Limits of requests, tokens and concurrency on keys, accounts and groups.
import { beforeAll, describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { StreamReader } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import {
  completion,
  delta,
  Vendor,
  type VendorReply,
  type VendorScript,
} from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
timeouts: { first_byte_ms: 5000, stall_ms: 5000 }
distribution: { failures_to_eject: 1000000 }
text: { read_on_ms: 300 }
groups:
  - { name: default }
  - { name: slow, requests_per_minute: 3 }
  - { name: short, tokens_per_minute: 25 }
  - { name: narrow, concurrency: 1 }
prices:
  - { model: flat, call_micros: 10 }
`;

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));

const vendor = kept(new Vendor(whole));

const gateway = useStand(() => startGateway({ config, oneProcess: "places" }));

beforeAll(async () => {
  const groups = ["default", "slow", "short", "narrow"];
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["flat"], groups }));
});

async function ask(key: string, fields: Record<string, unknown> = {}): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody("flat", fields), key);
}

async function expectLimited(response: Response, code: string): Promise<void> {
  expect(response.status).toBe(429);
  const seconds = Number(response.headers.get("retry-after"));
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(response.headers.get("x-should-retry")).not.toBe("false");
  expect(await errorOf(response)).toMatchObject({ type: "rate_limit_error", code });
}

/** One more key of the account that the first one belongs to. */
async function siblingOf(accountId: string): Promise<string> {
  const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${accountId}`);
  const body = { name: "sibling", account: username };
  return (await gateway.control<{ key: string }>("POST", "/api/token", body)).key;
}

describe("requests a minute", () => {
  test("Q3 a key past its requests is a 429 with headers that counted down to it", async () => {
    const { id, key } = await gateway.customer(1000, { requests_per_minute: 3 });
    vendor.script = whole;
    vendor.requests.length = 0;
    const remaining: (string | null)[] = [];
    for (let at = 0; at < 3; at++) {
      const response = await ask(key);
      expect(response.status).toBe(200);
      expect(response.headers.get("x-ratelimit-limit-requests")).toBe("3");
      expect(response.headers.get("x-ratelimit-reset-requests")).toMatch(/^(\d+m)?\d+(s|ms)$/);
      remaining.push(response.headers.get("x-ratelimit-remaining-requests"));
    }
    expect(remaining).toEqual(["2", "1", "0"]);
    const refused = await ask(key);
    expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    await expectLimited(refused, "rate_limit_exceeded");
    expect(vendor.requests).toHaveLength(3);
    expect(await balanceOf(gateway, id)).toMatchObject({ held_micros: 0, used_micros: 30 });
  });

  test("Q3 an account's limit holds for all its keys together", async () => {
    const { id, key } = await gateway.customer(1000);
    const sibling = await siblingOf(id);
    await gateway.control("PATCH", `/api/user/${id}`, { requests_per_minute: 2 });
    expect((await ask(key)).status).toBe(200);
    expect((await ask(sibling)).status).toBe(200);
    await expectLimited(await ask(key), "rate_limit_exceeded");
    await expectLimited(await ask(sibling), "rate_limit_exceeded");
    await gateway.control("PATCH", `/api/user/${id}`, { requests_per_minute: null });
    expect((await ask(key)).status).toBe(200);
  });

  test("Q3 a saturated group says too_many_requests, whoever asks", async () => {
    const first = await gateway.customer(1000, { group: "slow" });
    const second = await gateway.customer(1000, { group: "slow" });
    const statuses = [];
    for (const key of [first.key, second.key, first.key]) statuses.push((await ask(key)).status);
    expect(statuses).toEqual([200, 200, 200]);
    await expectLimited(await ask(first.key), "too_many_requests");
    await expectLimited(await ask(second.key), "too_many_requests");
  });

  test("Q3 parallel requests past a limit are let in exactly up to it", async () => {
    const { key } = await gateway.customer(1000, { requests_per_minute: 7 });
    vendor.requests.length = 0;
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask(key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(33);
    expect(vendor.requests).toHaveLength(7);
  });

  test("N13 without limits nothing is counted or shown", async () => {
    const { key } = await gateway.customer(1000);
    const response = await ask(key);
    expect(response.status).toBe(200);
    const shown = [...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"));
    expect(shown).toEqual([]);
  });
});

describe("tokens a minute", () => {
  test("Q3 a key past its tokens waits until they have come back", async () => {
    const { key } = await gateway.customer(1000, { tokens_per_minute: 50 });
    vendor.script = whole;
    const first = await ask(key);
    expect(first.headers.get("x-ratelimit-limit-tokens")).toBe("50");
    expect(first.headers.get("x-ratelimit-remaining-tokens")).toBe("50");
    // Each answer took 30: the second one may begin, the third one may not.
    const second = await ask(key);
    expect(second.status).toBe(200);
    expect(Number(second.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(30);
    await expectLimited(await ask(key), "rate_limit_exceeded");
  });

  test("Q3 a group's tokens are those of all its keys", async () => {
    const first = await gateway.customer(1000, { group: "short" });
    const second = await gateway.customer(1000, { group: "short" });
    expect((await ask(first.key)).status).toBe(200);
    await expectLimited(await ask(second.key), "too_many_requests");
  });

  test("Q3 an account's tokens count for its other keys too", async () => {
    const { id, key } = await gateway.customer(1000);
    const sibling = await siblingOf(id);
    await gateway.control("PATCH", `/api/user/${id}`, { tokens_per_minute: 20 });
    expect((await ask(key)).status).toBe(200);
    await expectLimited(await ask(sibling), "rate_limit_exceeded");
  });

  test("Q3 a request that failed took no tokens", async () => {
    const { key } = await gateway.customer(1000, { tokens_per_minute: 20 });
    vendor.script = (_request, reply) => reply.json({ error: { message: "No." } }, 400);
    for (let at = 0; at < 3; at++) expect((await ask(key)).status).toBe(400);
    vendor.script = whole;
    expect((await ask(key)).status).toBe(200);
    await expectLimited(await ask(key), "rate_limit_exceeded");
  });
});

/** A vendor whose streams stay open until the test ends them. */
class OpenVendor {
  readonly #waiting: ((reply: VendorReply) => void)[] = [];
  readonly #replies: VendorReply[] = [];

  readonly script: VendorScript = (_request, reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Open." }));
    const next = this.#waiting.shift();
    if (next) next(reply);
    else this.#replies.push(reply);
  };

  async next(): Promise<VendorReply> {
    const known = this.#replies.shift();
    return known ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }
}

async function openStream(key: string): Promise<StreamReader> {
  const response = await ask(key, { stream: true });
  expect(response.status).toBe(200);
  const reader = new StreamReader(response);
  await reader.until("Open.");
  return reader;
}

function finish(reply: VendorReply): void {
  reply.event("[DONE]");
  reply.end();
}

describe("requests at a time", () => {
  test("Q3 a key's concurrency is free again when its stream has ended", async () => {
    const { key } = await gateway.customer(1000, { concurrency: 1 });
    const open = new OpenVendor();
    vendor.script = open.script;
    const reader = await openStream(key);
    await expectLimited(await ask(key), "rate_limit_exceeded");
    finish(await open.next());
    await reader.rest();
    vendor.script = whole;
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(200);
  });

  test("Q3 an account's and a group's concurrency hold across keys", async () => {
    const account = await gateway.customer(1000);
    const sibling = await siblingOf(account.id);
    await gateway.control("PATCH", `/api/user/${account.id}`, { concurrency: 1 });
    const one = await gateway.customer(1000, { group: "narrow" });
    const two = await gateway.customer(1000, { group: "narrow" });
    const open = new OpenVendor();
    vendor.script = open.script;
    const readers = [await openStream(account.key), await openStream(one.key)];
    await expectLimited(await ask(sibling), "rate_limit_exceeded");
    await expectLimited(await ask(two.key), "too_many_requests");
    finish(await open.next());
    finish(await open.next());
    for (const reader of readers) await reader.rest();
    vendor.script = whole;
    expect((await ask(sibling)).status).toBe(200);
    expect((await ask(two.key)).status).toBe(200);
  });

  test("Q3 concurrency is free again after a client left, before and after the first byte", async () => {
    const { key } = await gateway.customer(1000, { concurrency: 1 });
    const silent: VendorScript = () => {};
    for (const script of [silent, new OpenVendor().script]) {
      vendor.script = script;
      vendor.requests.length = 0;
      const leave = new AbortController();
      const asked = fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(chatBody("flat", { stream: true })),
        signal: leave.signal,
      });
      const request = await eventually("the request", async () => vendor.requests[0]);
      expect((await ask(key)).status).toBe(429);
      leave.abort();
      await asked.then((response) => response.text()).catch(() => {});
      await request.closed;
      vendor.script = whole;
      const again = await eventually("a free place", async () => {
        const response = await ask(key);
        return response.status === 200 ? response : undefined;
      });
      expect(again.status).toBe(200);
    }
  });

  test("Q3 concurrency is free again after every kind of failure", async () => {
    const { key } = await gateway.customer(1000, { concurrency: 1 });
    const failures: readonly VendorScript[] = [
      (_request, reply) => reply.json({ error: { message: "No." } }, 500),
      (_request, reply) => reply.json({ error: { message: "No." } }, 400),
      (_request, reply) => reply.cut(),
      (_request, reply) => {
        reply.stream();
        reply.event(delta({ role: "assistant", content: "Half" }));
        setTimeout(() => reply.cut(), 20);
      },
    ];
    for (const script of failures) {
      vendor.script = script;
      const failed = await ask(key, { stream: true });
      await failed.text();
      vendor.script = whole;
      expect((await ask(key)).status).toBe(200);
    }
    expect((await ask(key, { messages: [] })).status).toBe(400);
    expect((await gateway.post("/v1/chat/completions", "{not json", key)).status).toBe(400);
    expect((await gateway.post("/v1/chat/completions", chatBody("none"), key)).status).toBe(503);
    expect((await ask(key)).status).toBe(200);
  });
});

/** Answer to a request of which only the head is ever sent. */
async function answerToHead(key: string, declaredBytes: number): Promise<string> {
  const answered = Promise.withResolvers<string>();
  const { hostname, port, host } = new URL(gateway.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, bytes) => answered.resolve(bytes.toString()),
      close: () => answered.reject(new Error("closed without an answer")),
    },
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${declaredBytes}\r\n\r\n`,
  );
  try {
    return await answered.promise;
  } finally {
    socket.terminate();
  }
}

test("N13 a text body of more than 32 MiB is refused before it is sent", async () => {
  const { key } = await gateway.customer(1000);
  const answer = await answerToHead(key, 32 * 1024 * 1024 + 1);
  expect(answer).toStartWith("HTTP/1.1 413");
  expect(answer).toContain('"code":"request_body_too_large"');
});
