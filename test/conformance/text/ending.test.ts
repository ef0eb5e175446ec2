// Endings of streams that do not end well, for every format on every dialect: what the client
// reads, what the vendor notices, and what it costs.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { eventsOf } from "../../harness/clients/client.ts";
import { assembleChunks } from "../../harness/clients/content.ts";
import { dialects } from "../../harness/dialects.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { startGateway } from "../../harness/gateway.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor, type VendorReply } from "../../harness/vendor.ts";
import { answers, refuses, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor((_request, reply) => reply.cut()))]),
) as Record<Dialect, Vendor>;
const spares = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(answers(dialect, "From the spare one.")))]),
) as Record<Dialect, Vendor>;
let customer: { id: string; key: string };

/** Each model is served by one vendor; with `spare-` before its name a second one stands behind. */
const channels = dialects.flatMap((dialect) => [
  vendors[dialect].channel({
    name: dialect,
    ...wires[dialect].channel,
    models: [dialect, `spare-${dialect}`],
    priority: 1,
  }),
  spares[dialect].channel({
    name: `spare ${dialect}`,
    ...wires[dialect].channel,
    models: [`spare-${dialect}`],
  }),
]);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels,
      prices: dialects
        .flatMap((dialect) => [dialect, `spare-${dialect}`])
        .map((model) => ({ model, input_micros_per_million: 0, output_micros_per_million: 1e6 })),
      timeouts: { first_byte_ms: 2000, stall_ms: 2000, keep_alive_ms: 50 },
      text: { read_on_ms: 200 },
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
  await tokenizerIsThere(gateway, "chat");
});

interface AskOptions {
  prefix?: string;
  signal?: AbortSignal;
  path?: string;
}

async function ask(client: Dialect, upstream: Dialect, options: AskOptions = {}) {
  const { prefix = "", signal, path } = options;
  const model = `${prefix}${upstream}`;
  return await fetch(gateway.url + (path ?? clients[client].path(model, true)), {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify(clients[client].body({ model, prompt: "Hello?" }, true)),
    ...(signal && { signal }),
  });
}

const spoken = "One two three four five six seven eight nine ten.";
/** Each word and the stop; a token costs one micro here. */
const spokenTokens = 11;

/** A few words, and then what is to go wrong. */
function begins(dialect: Dialect, thenDo: (reply: VendorReply) => void): void {
  vendors[dialect].script = (_request, reply) => {
    reply.stream();
    reply.chunk(wires[dialect].opening() + wires[dialect].delta(spoken));
    thenDo(reply);
  };
}

const shownErrors: Readonly<Record<Dialect, (message: unknown) => JsonObject>> = {
  chat: (message) => ({
    error: { message, type: "server_error", param: null, code: "bad_response" } as JsonObject,
  }),
  responses: (message) => ({
    type: "error",
    sequence_number: expect.any(Number),
    code: "bad_response",
    message,
    param: null,
    error: expect.objectContaining({ message, code: "bad_response" }),
  }),
  messages: (message) => ({
    type: "error",
    error: expect.objectContaining({ type: expect.any(String), message }),
    request_id: expect.stringMatching(/^req_/),
  }),
  content: (message) => ({
    error: expect.objectContaining({ code: 500, message, status: "INTERNAL" }),
  }),
} as Readonly<Record<Dialect, (message: unknown) => JsonObject>>;

/** The text so far reached the client, an error of its own format is the last thing, no end is. */
function expectBroken(client: Dialect, text: string, message: unknown): void {
  const events = eventsOf(text);
  expect(text).toContain(spoken);
  expect(events.at(-1)).toEqual(shownErrors[client](message));
  expect(text).not.toMatch(/\[DONE\]|message_stop|response\.(?:completed|failed)|finishReason/);
  expect(events.filter((event) => "error" in event)).toHaveLength(1);
  expect(() => clients[client].assemble(text)).toThrow();
}

describe.each([...dialects])("a client of %s, when a stream", (client) => {
  /** All dialects at once: each has a vendor of its own. */
  const each = async (check: (upstream: Dialect) => Promise<void>) =>
    void (await Promise.all(dialects.map(check)));

  test("T18 X-U12 of any dialect ends without its end, reads an error and is billed", () =>
    each(async (upstream) => {
      begins(upstream, (reply) => reply.end());
      const response = await ask(client, upstream);
      expect(response.status).toBe(200);
      expectBroken(client, await response.text(), "The upstream broke the stream off.");
      expect(await logRow(gateway, response)).toMatchObject({
        outcome: "upstream_error",
        error_code: "bad_response",
        estimated: true,
        micros: spokenTokens,
      });
    }));

  test("T18 of any dialect is cut off, reads an error of its own format", () =>
    each(async (upstream) => {
      begins(upstream, (reply) => setTimeout(() => reply.cut(), 20));
      const text = await (await ask(client, upstream)).text();
      expectBroken(client, text, "The upstream broke the stream off.");
    }));

  test("T18 X-U08 X-U09 of any dialect reports an error, reads its words without its key", () =>
    each(async (upstream) => {
      begins(upstream, (reply) => {
        reply.chunk(wires[upstream].fault("The model is overloaded, key sk-vendor-secret-0000."));
        reply.end();
      });
      const text = await (await ask(client, upstream)).text();
      expectBroken(client, text, expect.stringMatching(/^The model is overloaded, key \[/));
      expect(text).not.toContain("sk-vendor-secret-0000");
    }));

  test("X-U11 of any dialect breaks before its first event, is answered by the next channel", () =>
    each(async (upstream) => {
      for (const piece of ["", ": a comment\n\n", wires[upstream].fault("Overloaded.")]) {
        expect(await answeredAfter(client, upstream, piece)).toBe("From the spare one.");
      }
    }));

  test("X-U11 of another dialect breaks after its announcement, is answered by the next channel", () =>
    each(async (upstream) => {
      if (upstream === client) return;
      const { announcement, fault } = wires[upstream];
      for (const piece of [announcement(), announcement() + fault("Overloaded.")]) {
        expect(await answeredAfter(client, upstream, piece)).toBe("From the spare one.");
      }
    }));

  test("X-U11 of any dialect is empty and nobody is left, reads an error and no empty answer", () =>
    each(async (upstream) => {
      vendors[upstream].script = (_request, reply) => {
        reply.stream();
        reply.end();
      };
      const response = await ask(client, upstream);
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ error: expect.any(Object) });
    }));

  test("T18 X-U21 is left by the client: the vendor's is closed, what came is billed", () =>
    each(async (upstream) => {
      begins(upstream, () => {});
      const leaving = new AbortController();
      const response = await ask(client, upstream, { signal: leaving.signal });
      await new StreamReader(response).until(spoken);
      leaving.abort();
      await vendors[upstream].requests.at(-1)?.closed;
      expect(await logRow(gateway, response)).toMatchObject({
        outcome: "client_abort",
        micros: spokenTokens,
      });
    }));

  test("T19 is silent: comments keep it alive, and nothing buffers it", () =>
    each(async (upstream) => {
      const { promise: seen, resolve: saw } = Promise.withResolvers<void>();
      begins(upstream, async (reply) => {
        await seen;
        reply.chunk(wires[upstream].ending(spoken, { input: 1, output: 1 }));
        reply.end();
      });
      const response = await ask(client, upstream);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("x-accel-buffering")).toBe("no");
      const reader = new StreamReader(response);
      await reader.until("\n\n:");
      saw();
      const reply = clients[client].assemble(await reader.rest());
      expect(clients[client].read(reply).text).toBe(spoken);
    }));
});

test("T18 a stream of any dialect that stalls tells each client an error, and the vendor is left", async () => {
  const pairs = dialects.flatMap((client) => dialects.map((upstream) => ({ client, upstream })));
  const before = dialects.map((upstream) => vendors[upstream].requests.length);
  for (const upstream of dialects) begins(upstream, () => {});
  // All at once: each waits for the same silence.
  const stalled = pairs.map(async ({ client, upstream }) => {
    const text = await (await ask(client, upstream)).text();
    expectBroken(client, text, "The upstream fell silent.");
  });
  await Promise.all(stalled);
  for (const [at, upstream] of dialects.entries()) {
    const requests = vendors[upstream].requests.slice(before[at]);
    expect(requests).toHaveLength(dialects.length);
    await Promise.all(requests.map(({ closed }) => closed));
  }
});

test("T18 however a stream ended, nothing of its hold is left", async () => {
  const { used_micros: used, held_micros: held } = await balanceOf(gateway, customer.id);
  expect(held).toBe(0);
  expect(used).toBeGreaterThan(16 * 2 * spokenTokens);
});

/** A client's answer when the first of two vendors says only this. */
async function answeredAfter(client: Dialect, upstream: Dialect, piece: string): Promise<string> {
  vendors[upstream].script = (_request, reply) => {
    reply.stream();
    if (piece !== "") reply.chunk(piece);
    reply.end();
  };
  const response = await ask(client, upstream, { prefix: "spare-" });
  expect(response.status).toBe(200);
  const { assemble, read } = clients[client];
  return read(assemble(await response.text())).text;
}

describe("a stream as one list", () => {
  const path = (model: string) => `/v1beta/models/${model}:streamGenerateContent?alt=json`;
  type Chunks = JsonObject[];

  test.each([...dialects])(
    "T15 T19 of %s is valid JSON with blanks in its silence",
    async (upstream) => {
      const { promise: seen, resolve: saw } = Promise.withResolvers<void>();
      begins(upstream, async (reply) => {
        await seen;
        reply.chunk(wires[upstream].ending(spoken, { input: 3, output: 4 }));
        reply.end();
      });
      const response = await ask("content", upstream, { path: path(upstream) });
      expect(response.headers.get("content-type")).toStartWith("application/json");
      expect(response.headers.get("x-accel-buffering")).toBe("no");
      const reader = new StreamReader(response);
      await reader.until("}\n");
      saw();
      const chunks = JSON.parse(await reader.rest()) as Chunks;
      expect(clients.content.read(assembleChunks(chunks))).toMatchObject({
        text: spoken,
        stop: "STOP",
        input: 3,
        output: 4,
      });
    },
  );

  test.each([...dialects])(
    "T15 T18 of %s that breaks ends with an error and is valid JSON",
    async (upstream) => {
      begins(upstream, (reply) => {
        reply.chunk(wires[upstream].fault("The model is overloaded."));
        reply.end();
      });
      const response = await ask("content", upstream, { path: path(upstream) });
      const chunks = (await response.json()) as Chunks;
      expect(JSON.stringify(chunks)).toContain(spoken);
      expect(chunks.at(-1)).toEqual(shownErrors.content("The model is overloaded."));
    },
  );

  test("T15 that is refused before its first piece is an error like any other", async () => {
    vendors.content.script = refuses("content", 400, "No such thing.");
    const response = await ask("content", "content", { path: path("content") });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: "No such thing." } });
  });
});

test("T18 a gateway that is stopped ends its streams with an error of each format", async () => {
  await using own = await startGateway({
    config: JSON.stringify({
      channels: channels.map((channel) => ({ ...channel })),
      unpriced: "free",
      server: { drain_seconds: 1 },
    }),
  });
  const texts = dialects.map(async (client) => {
    begins(client, () => {});
    const { path, body } = clients[client];
    const response = await own.post(path(client, true), body({ model: client, prompt: "?" }, true));
    const reader = new StreamReader(response);
    await reader.until(spoken);
    return { client, text: reader.rest() };
  });
  const open = await Promise.all(texts);
  const stopped = own.stop();
  for (const { client, text } of open) {
    expectBroken(client, await text, "The gateway is shutting down.");
  }
  expect(await stopped).toBe(0);
});
