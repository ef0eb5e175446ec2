// Streams that end before their end: the client leaves, or the upstream does.
import { beforeAll, describe, expect, test } from "bun:test";
import { balanceOf, logRow, newestRow } from "../harness/books.ts";
import { parseStream, readStream, StreamReader } from "../harness/event-stream.ts";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import {
  completion,
  delta,
  usageChunk,
  Vendor,
  type VendorReply,
  type VendorRequest,
} from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));
const backup = kept(new Vendor((request, reply) => answer(request, reply)));
let customer: Awaited<ReturnType<Gateway["customer"]>>;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        vendor.channel({ name: "first", priority: 10 }),
        backup.channel({ name: "backup" }),
      ],
      timeouts: { first_byte_ms: 2000, stall_ms: 2000 },
      text: { read_on_ms: 200 },
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(grantedMicros);
});

const messages = [{ role: "user", content: "Hello?" }];
const sentence = "Here are words that were delivered.";
/** Price of 10 and 20 tokens of chatA by the catalogue, rounded up. */
const defaultMicros = 213;
const grantedMicros = 100_000_000;

/** A right answer in the form that was asked for. */
function answer({ body }: VendorRequest, reply: VendorReply): void {
  if (body["stream"] !== true) return reply.json(completion("Hello."));
  reply.stream();
  reply.event(delta({ role: "assistant", content: "Hello." }));
  reply.event(delta({}, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
}

interface Visit {
  response: Promise<Response>;
  leave(): void;
  /** Micros that the customer paid since, once nothing is held any more. */
  paid(): Promise<number>;
}

async function post(fields: object, { id, key } = customer): Promise<Visit> {
  const before = await balanceOf(gateway, id);
  const controller = new AbortController();
  const response = fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "chatA", messages, ...fields }),
    signal: controller.signal,
  });
  return {
    response,
    leave: () => controller.abort(),
    async paid() {
      const { quota_micros, held_micros, used_micros } = await balanceOf(gateway, id);
      expect(held_micros).toBe(0);
      expect(quota_micros + used_micros).toBe(grantedMicros);
      return used_micros - before.used_micros;
    },
  };
}

function lastRequest(): VendorRequest {
  const request = vendor.requests.at(-1);
  if (!request) throw new Error("the vendor got no request");
  return request;
}

describe("a client that leaves", () => {
  test("T18 mid-stream ends the upstream at once and pays for what was delivered", async () => {
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "" }));
      reply.event(delta({ content: sentence }));
    };
    const visit = await post({ stream: true });
    const response = await visit.response;
    await new StreamReader(response).until(sentence);
    visit.leave();
    await lastRequest().closed;
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({ outcome: "client_abort", estimated: true, channel: "first" });
    expect(row.output_tokens).toBeWithin(3, sentence.length);
    expect(row.micros).toBeGreaterThan(0);
    expect(await visit.paid()).toBe(row.micros);
  });

  test("T18 after usage was seen pays exactly that", async () => {
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event({ ...delta({ content: sentence }), usage: usageOf(5) });
    };
    const visit = await post({ stream: true });
    const response = await visit.response;
    await new StreamReader(response).until(sentence);
    visit.leave();
    await lastRequest().closed;
    const counts = { input_tokens: 10, output_tokens: 5, micros: 63 };
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({ outcome: "client_abort", estimated: false, ...counts });
    expect(await visit.paid()).toBe(63);
  });

  test.each([true, false])(
    "T18 before the first byte (stream: %p) ends the upstream, tries no other and pays nothing",
    async (stream) => {
      const before = backup.requests.length;
      const { promise: reached, resolve: reach } = Promise.withResolvers<VendorRequest>();
      vendor.script = (request) => reach(request);
      const stranger = await gateway.customer(grantedMicros);
      const visit = await post({ stream }, stranger);
      const request = await reached;
      visit.leave();
      await expect(visit.response).rejects.toThrow();
      await request.closed;
      const row = await newestRow(gateway, stranger.keyId);
      expect(row).toMatchObject({ outcome: "client_abort", micros: 0, output_tokens: 0 });
      expect(await visit.paid()).toBe(0);
      expect(backup.requests).toHaveLength(before);
    },
  );
});

function usageOf(completion_tokens: number): object {
  return { prompt_tokens: 10, completion_tokens, total_tokens: 10 + completion_tokens };
}

type Break = (reply: VendorReply) => void;

/** Faults of the upstream, with whether each leaves the connection for the gateway to close. */
const breaks: [name: string, breakOff: Break, leavesOpen: boolean][] = [
  ["breaks the connection", (reply) => reply.cut(), false],
  ["ends without its end marker", (reply) => reply.end(), false],
  ["ends inside an event", (reply) => (reply.raw("7\r\ndata: {\r\n"), reply.end()), false],
  ["reports an error", (reply) => reply.event({ error: { message: "Out of memory." } }), true],
  ["reports an error as a text", (reply) => reply.event({ error: "Out of memory." }), true],
  ["sends an event that is not JSON", (reply) => reply.event("<html>"), true],
  ["sends what is no HTTP", (reply) => reply.raw("nonsense\r\n\r\n"), true],
  ["falls silent", () => {}, true],
];

describe("an upstream that fails mid-stream", () => {
  test.each(breaks)(
    "T18 and %s: the client reads an error event, no [DONE], and pays for what arrived",
    async (_name, breakOff, leavesOpen) => {
      const before = backup.requests.length;
      const { promise: read, resolve: sawSentence } = Promise.withResolvers<void>();
      vendor.script = async (_request, reply) => {
        reply.stream();
        reply.event(delta({ role: "assistant", content: "" }));
        reply.event(delta({ content: sentence }));
        await read;
        breakOff(reply);
      };
      const visit = await post({ stream: true });
      const response = await visit.response;
      const reader = new StreamReader(response);
      await reader.until(sentence);
      sawSentence();
      const { data, chunks } = parseStream(await reader.rest());
      expect(data).toHaveLength(3);
      expect(chunks.at(-1)).toEqual({
        error: {
          message: expect.any(String),
          type: "server_error",
          param: null,
          code: "bad_response",
        },
      });
      if (leavesOpen) await lastRequest().closed;
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({
        outcome: "upstream_error",
        error_code: "bad_response",
        estimated: true,
        attempts: 1,
      });
      expect(row.output_tokens).toBeWithin(3, sentence.length);
      expect(row.micros).toBeGreaterThan(0);
      expect(await visit.paid()).toBe(row.micros);
      expect(backup.requests).toHaveLength(before);
    },
  );

  test("T18 the error event tells what the upstream said, without its secrets", async () => {
    const message = "Quota of sk-vendor-secret-0000 is used up.";
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: sentence }));
      reply.event({ error: { message, code: "x" } });
    };
    const visit = await post({ stream: true });
    const { text, chunks } = await readStream(await visit.response);
    expect(chunks.at(-1)).toMatchObject({ error: { message: expect.stringContaining("used up") } });
    expect(text).not.toContain("sk-vendor-secret");
  });

  test("T18 with usage already counted: exactly that is paid", async () => {
    vendor.script = (_request, reply) => {
      reply.stream();
      reply.event({ ...delta({ content: sentence }), usage: usageOf(5) });
      reply.event({ error: { message: "Broken." } });
    };
    const visit = await post({ stream: true });
    await (await visit.response).text();
    expect(await visit.paid()).toBe(63);
  });
});

const ok = "HTTP/1.1 200 OK\r\n";
const streamHead = `${ok}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`;

const early: [name: string, breakOff: Break][] = [
  ["breaks the connection", (reply) => reply.cut()],
  ["breaks off behind its headers", (reply) => (reply.raw(streamHead), reply.cut())],
  ["ends a stream without an event", (reply) => (reply.stream(), reply.end())],
  ["begins with an error event", (reply) => (reply.stream(), reply.event({ error: "Busy." }))],
  ["begins with an event that is not JSON", (reply) => (reply.stream(), reply.event("?"))],
  ["does not speak HTTP", (reply) => (reply.raw("SSH-2.0-x\r\n\r\n"), reply.cut())],
  ["answers with a page", (reply) => reply.raw(`${ok}content-length: 6\r\n\r\n<html>`)],
  ["answers 500", (reply) => reply.json({ error: { message: "No." } }, 500)],
  ["does not answer", () => {}],
];

describe("an upstream that fails before the first byte", () => {
  test.each(early)(
    "T18 and %s is left for the next one, and the client pays once",
    async (_name, breakOff) => {
      vendor.script = (_request, reply) => breakOff(reply);
      const visit = await post({ stream: true });
      const response = await visit.response;
      expect(response.status).toBe(200);
      const { data, text } = await readStream(response);
      expect(text).toContain("Hello.");
      expect(text).not.toContain("error");
      expect(data.at(-1)).toBe("[DONE]");
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ outcome: "ok", channel: "backup", attempts: 2 });
      expect(await visit.paid()).toBe(defaultMicros);
    },
  );

  const part = `${ok}content-type: application/json\r\ncontent-length: 999\r\n\r\n{"choices":[`;

  test.each([
    ["breaks off inside the body", (reply) => (reply.raw(part), reply.cut())],
    ["answers with what is not JSON", (reply) => reply.raw(`${ok}content-length: 1\r\n\r\n{`)],
    ["answers with JSON of another shape", (reply) => reply.json({ hello: "world" })],
    ["answers with an error and status 200", (reply) => reply.json({ error: { message: "No" } })],
    ["stops inside the body", (reply) => reply.raw(part)],
  ] as [string, Break][])(
    "T18 and %s is left for the next one for a whole answer as well",
    async (_name, breakOff) => {
      vendor.script = (_request, reply) => breakOff(reply);
      const visit = await post({});
      expect(await (await visit.response).json()).toEqual(completion("Hello."));
      expect(await visit.paid()).toBe(defaultMicros);
    },
  );
});
