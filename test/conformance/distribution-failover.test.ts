// Failures of a channel: who is asked next, until when, and what the client reads in the end.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { readStream } from "../harness/event-stream.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
timeouts: { first_byte_ms: 2000, stall_ms: 2000 }
text: { read_on_ms: 200 }
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
prices:
${Array.from({ length: 60 }, (_, at) => `  - { model: m${at}, call_micros: 100 }`).join("\n")}
`;

const goodReply: VendorScript = (request, reply) => {
  if (request.body["stream"] !== true) return reply.json(completion("From the good one."));
  reply.stream();
  reply.event(delta({ role: "assistant", content: "From the good one." }, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
};

let modelCount = 0;

const gateway = useStand(() => startGateway({ config }));

function newModel(): string {
  modelCount++;
  return `m${modelCount}`;
}

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<void> {
  const name = `channel ${crypto.randomUUID().slice(0, 8)}`;
  await gateway.control("POST", "/api/channel", vendor.channel({ name, ...fields }));
}

async function ask(model: string, stream = false, key: string = rootKey): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody(model, { stream }), key);
}

/** An address on which nobody listens. */
function deadVendor(): Vendor {
  const vendor = new Vendor(() => {});
  vendor[Symbol.dispose]();
  return vendor;
}

const faults: Readonly<Record<string, VendorScript>> = {
  "status 500": (_request, reply) => reply.json({ error: { message: "Ouch." } }, 500),
  "status 503": (_request, reply) => reply.json({ error: { message: "Busy." } }, 503),
  "status 429": (_request, reply) => reply.json({ error: { message: "Slow." } }, 429),
  "status 401": (_request, reply) => reply.json({ error: { message: "Who?" } }, 401),
  "status 404": (_request, reply) => reply.json({ error: { message: "Where?" } }, 404),
  silence: () => {},
  "a cut connection": (_request, reply) => reply.cut(),
  "half an answer": (_request, reply) => {
    reply.raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{");
    reply.cut();
  },
  "an HTML page": (_request, reply) =>
    reply.raw(
      "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<html></html>",
    ),
  "what is no HTTP": (_request, reply) => {
    reply.raw("SSH-2.0-OpenSSH_9.9\r\n");
    reply.cut();
  },
  "JSON of another kind": (_request, reply) => reply.json({ hello: "world" }),
};

const streamFaults: Readonly<Record<string, VendorScript>> = {
  "an error event": (_request, reply) => {
    reply.stream();
    reply.event({ error: { message: "Overloaded." } });
    reply.end();
  },
  "a stream without events": (_request, reply) => {
    reply.stream();
    reply.end();
  },
  "a comment and silence": (_request, reply) => {
    reply.stream();
    reply.raw("a\r\n: waiting\n\r\n");
  },
  "an event that is no JSON": (_request, reply) => {
    reply.stream();
    reply.event("{broken");
    reply.end();
  },
};

describe("failover before the first byte", () => {
  for (const [name, script] of Object.entries({ ...faults, ...streamFaults })) {
    const streams = name in streamFaults ? [true] : [false, true];
    for (const stream of streams) {
      const kind = stream ? "a stream" : "a whole answer";
      // Those that wait in vain wait together.
      const run = name === "silence" ? test.concurrent : test;
      run(`Q7 ${name} moves on to the next channel (${kind})`, async () => {
        using bad = new Vendor(script);
        using good = new Vendor(goodReply);
        const model = newModel();
        await addChannel(bad, { models: [model], priority: 1 });
        await addChannel(good, { models: [model] });
        const { id, key } = await gateway.customer(1000);
        const response = await ask(model, stream, key);
        expect(response.status).toBe(200);
        const text = await response.text();
        expect(text).toContain("From the good one.");
        expect([bad.requests.length, good.requests.length]).toEqual([1, 1]);
        expect(await balanceOf(gateway, id)).toMatchObject({ used_micros: 100, held_micros: 0 });
      });
    }
  }

  test("Q7 a channel that cannot be reached moves on to the next one", async () => {
    using good = new Vendor(goodReply);
    const model = newModel();
    await addChannel(deadVendor(), { models: [model], priority: 1 });
    await addChannel(good, { models: [model] });
    expect((await ask(model)).status).toBe(200);
    expect(good.requests).toHaveLength(1);
  });

  test("Q7 what was sent to the failed channel is sent to the next, each with its own key", async () => {
    using bad = new Vendor((_request, reply) => reply.json({}, 502));
    using good = new Vendor(goodReply);
    const model = newModel();
    await addChannel(bad, { models: [model], priority: 1, key: "sk-of-the-bad-one" });
    const mapping = { model_mapping: { [model]: "other" } };
    await addChannel(good, { models: [model], key: "sk-of-the-good-one", ...mapping });
    expect((await ask(model)).status).toBe(200);
    // Hold for a model whose own limit is not known.
    const bound = { max_tokens: 64_000 };
    expect(bad.requests[0]?.body).toEqual({ ...chatBody(model), ...bound, stream: false });
    expect(good.requests[0]?.body).toEqual({ ...chatBody("other"), ...bound, stream: false });
    expect(good.requests[0]?.headers["authorization"]).toBe("Bearer sk-of-the-good-one");
  });
});

describe("no failover", () => {
  for (const status of [400, 409, 413, 415, 422]) {
    test(`Q7 a ${status} of the upstream is the client's own, passed on and not charged`, async () => {
      const error = {
        message: "Bad temperature.",
        type: "bad_type",
        param: "temperature",
        code: "x",
      };
      using strict = new Vendor((_request, reply) => reply.json({ error }, status));
      using other = new Vendor(goodReply);
      const model = newModel();
      await addChannel(strict, { models: [model], priority: 1 });
      await addChannel(other, { models: [model] });
      const { id, key } = await gateway.customer(1000);
      const response = await ask(model, false, key);
      expect(response.status).toBe(status);
      // One code for all that is too large, whoever says so.
      const code = status === 413 ? "request_body_too_large" : error.code;
      expect(await errorOf(response)).toEqual({ ...error, code });
      expect([strict.requests.length, other.requests.length]).toEqual([1, 0]);
      expect(await balanceOf(gateway, id)).toMatchObject({ used_micros: 0, held_micros: 0 });
    });
  }

  test("Q7 nobody else is asked after the first byte of a stream", async () => {
    const enders: readonly VendorScript[] = [
      (_request, reply) => reply.cut(),
      (_request, reply) => reply.end(),
      (_request, reply) => reply.event({ error: { message: "Overloaded." } }),
      () => {},
    ];
    for (const ender of enders) {
      using bad = new Vendor((request, reply) => {
        reply.stream();
        reply.event(delta({ role: "assistant", content: "From the bad one." }));
        setTimeout(() => void ender(request, reply), 20);
      });
      using other = new Vendor(goodReply);
      const model = newModel();
      await addChannel(bad, { models: [model], priority: 1 });
      await addChannel(other, { models: [model] });
      const response = await ask(model, true);
      expect(response.status).toBe(200);
      const { text, data, chunks } = await readStream(response);
      expect(text).toContain("From the bad one.");
      expect(text).not.toContain("From the good one.");
      expect(data).not.toContain("[DONE]");
      expect(chunks.at(-1)).toHaveProperty("error.code", "bad_response");
      expect([bad.requests.length, other.requests.length]).toEqual([1, 0]);
    }
  });

  test("Q7 a client that has left is not served by anyone else", async () => {
    using silent = new Vendor(() => {});
    using other = new Vendor(goodReply);
    const model = newModel();
    await addChannel(silent, { models: [model], priority: 1 });
    await addChannel(other, { models: [model] });
    const { id, key, keyId } = await gateway.customer(1000);
    const leave = new AbortController();
    const asked = fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody(model)),
      signal: leave.signal,
    }).catch(() => null);
    const request = await eventually("the request", async () => silent.requests[0]);
    leave.abort();
    await Promise.all([asked, request.closed]);
    const row = await eventually("its row", async () => {
      const path = `/api/log?key=${keyId}`;
      return (await gateway.control<{ items: object[] }>("GET", path)).items[0];
    });
    expect(row).toMatchObject({ outcome: "client_abort", micros: 0, status: 499 });
    expect(other.requests).toHaveLength(0);
    expect(await balanceOf(gateway, id)).toMatchObject({ used_micros: 0, held_micros: 0 });
  });
});

describe("when nobody can", () => {
  async function failWith(script: VendorScript, stream = false): Promise<Response> {
    using first = new Vendor(script);
    using second = new Vendor(script);
    using third = new Vendor(script);
    const model = newModel();
    for (const vendor of [first, second, third]) await addChannel(vendor, { models: [model] });
    const { id, key } = await gateway.customer(1000);
    const response = await ask(model, stream, key);
    // A key that may be refused is checked beside the request.
    const counts = [first, second, third].map(
      ({ requests }) => requests.filter(({ path }) => !path.endsWith("/models")).length,
    );
    expect(counts).toEqual([1, 1, 1]);
    expect(await balanceOf(gateway, id)).toMatchObject({ used_micros: 0, held_micros: 0 });
    return response;
  }

  test("Q4 errors of every channel are bad_response, each channel asked once", async () => {
    const response = await failWith((_request, reply) => reply.json({ error: {} }, 500));
    expect(response.status).toBe(500);
    expect(await errorOf(response)).toMatchObject({ type: "server_error", code: "bad_response" });
  });

  test("Q4 silence and cut connections are do_request_failed", async () => {
    for (const script of [faults["silence"], faults["a cut connection"]]) {
      const response = await failWith(script ?? (() => {}));
      expect(response.status).toBe(500);
      expect(await errorOf(response)).toMatchObject({
        type: "server_error",
        code: "do_request_failed",
      });
    }
  });

  test("Q4 an answer that cannot be read is bad_response_body", async () => {
    for (const name of ["an HTML page", "JSON of another kind"]) {
      const response = await failWith(faults[name] ?? (() => {}));
      expect(response.status).toBe(500);
      expect(await errorOf(response)).toMatchObject({
        type: "server_error",
        code: "bad_response_body",
      });
    }
  });

  test("Q4 a stream that breaks before its first event is bad_response", async () => {
    const script = streamFaults["a stream without events"] ?? (() => {});
    const response = await failWith(script, true);
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await errorOf(response)).toMatchObject({ code: "bad_response" });
  });

  test("Q4 every channel busy is a 429 that says when to come back", async () => {
    const response = await failWith((_request, reply) =>
      reply.json({ error: { message: "Slow." } }, 429, { "retry-after": "7" }),
    );
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await errorOf(response)).toMatchObject({
      type: "rate_limit_error",
      code: "too_many_requests",
    });
  });

  test("Q4 a model that nobody serves is a 503 not worth retrying", async () => {
    const response = await ask("no-such-model");
    expect(response.status).toBe(503);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(response)).toMatchObject({ code: "model_not_found", param: "model" });
  });

  test("Q4 no more channels are asked than attempts_max", async () => {
    const vendors = Array.from(
      { length: 6 },
      () => new Vendor((_request, reply) => reply.json({ error: {} }, 500)),
    );
    try {
      const model = newModel();
      for (const vendor of vendors) await addChannel(vendor, { models: [model] });
      expect((await ask(model)).status).toBe(500);
      const counts = vendors.map(({ requests }) => requests.length).toSorted();
      expect(counts).toEqual([0, 0, 1, 1, 1, 1]);
    } finally {
      for (const vendor of vendors) vendor[Symbol.dispose]();
    }
  });

  test("hazard H3 nothing of the vendor's error that may hold a secret reaches the client", async () => {
    const response = await failWith((_request, reply) =>
      reply.json({ error: { message: "key sk-vendor-secret-0000 of org-42 is spent" } }, 403),
    );
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain("sk-vendor-secret");
    expect(text).not.toContain("org-42");
  });
});
