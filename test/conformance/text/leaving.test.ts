// Clients that leave before the end, for every format on every dialect: leaving does not pay, and
// what nobody can know is booked as a possible loss.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow, newestRow, readOn } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor, type VendorReply } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor((_request, reply) => reply.cut())]),
) as Record<Dialect, Vendor>;
/** Reads on for longer than any test waits. */
let patient: Gateway;

const channels = dialects.map((dialect) =>
  vendors[dialect].channel({ name: dialect, ...wires[dialect].channel, models: [dialect] }),
);
/** A token costs one micro, also one that the cache takes. */
const prices = dialects.map((model) => ({
  model,
  input_micros_per_million: 1e6,
  output_micros_per_million: 1e6,
}));
const rules = {
  channels,
  prices,
  timeouts: { first_byte_ms: 30_000, stall_ms: 30_000 },
  distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
};

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({ ...rules, text: { read_on_ms: 500 } }),
  }),
);

beforeAll(async () => {
  await tokenizerIsThere(gateway, "chat");
  patient = await startGateway({
    config: JSON.stringify({ ...rules, text: { read_on_ms: 600_000 } }),
  });
});

afterAll(async () => {
  await patient[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

interface AskOptions {
  at?: Gateway;
  prompt?: string;
  stream?: boolean;
  outputTokensMax?: number;
  /** More of the body. */
  fields?: object;
  signal: AbortSignal;
}

interface Customer {
  key: string;
  keyId: string;
}

async function ask(client: Dialect, upstream: Dialect, customer: Customer, options: AskOptions) {
  const { at = gateway, prompt = "Hello?", stream = true, fields = {}, signal } = options;
  const { path, body } = clients[client];
  const outputTokensMax = options.outputTokensMax ?? 1_000_000;
  return await fetch(at.url + path(upstream, stream), {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...body({ model: upstream, prompt, outputTokensMax }, stream),
      ...fields,
    }),
    signal,
  });
}

const spoken = "One two three four five six seven eight nine ten.";
/** Each word and the stop. */
const spokenTokens = 11;

/** A few words of a stream, and then what comes of it. */
function begins(dialect: Dialect, thenDo: (reply: VendorReply) => void): void {
  vendors[dialect].script = (_request, reply) => {
    reply.stream();
    reply.chunk(wires[dialect].opening() + wires[dialect].delta(spoken));
    thenDo(reply);
  };
}

/** Reads the words and leaves. */
async function leave(
  client: Dialect,
  upstream: Dialect,
  at: Gateway = gateway,
  { known, fields = {} }: { known?: Customer; fields?: object } = {},
): Promise<string> {
  const customer = known ?? (await at.customer(100_000_000));
  const leaving = new AbortController();
  const response = await ask(client, upstream, customer, { at, signal: leaving.signal, fields });
  await new StreamReader(response).until(spoken);
  leaving.abort();
  return response.headers.get("x-request-id") ?? "";
}

/** All dialects at once: each has a vendor of its own. */
async function each(
  check: (upstream: Dialect, allLeft: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let left: Promise<void> | null = null;
  const allLeft = () => (left ??= readOn(patient, dialects.length));
  await Promise.all(dialects.map((upstream) => check(upstream, allLeft)));
}

describe.each([...dialects])("a client of %s that leaves a stream", (client) => {
  test("X-U21 before the usage is told pays 700,100 micros, hidden reasoning too", () =>
    each(async (upstream, allLeft) => {
      const counts = { input: 100, output: 700_000, reasoning: 699_000 };
      begins(upstream, async (reply) => {
        await allLeft();
        reply.chunk(wires[upstream].ending(spoken, counts));
        reply.end();
      });
      const id = await leave(client, upstream, patient);
      expect(await entryOf(patient, id)).toMatchObject({
        kind: "post",
        micros: 700_100,
        loss_micros: 0,
      });
    }));

  test("X-U21 whose usage never comes pays for the words, and the rest is a possible loss", () =>
    each(async (upstream) => {
      begins(upstream, () => {});
      const entry = await entryOf(gateway, await leave(client, upstream));
      expect(entry.usage).toStartWith("~");
      expect(entry.micros).toBeGreaterThanOrEqual(spokenTokens);
      expect(entry.micros).toBeLessThan(100);
      expect(entry.held_micros).toBeGreaterThan(1_000_000);
      expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
      await vendors[upstream].requests.at(-1)?.closed;
    }));

  test("X-U21 after 800,000 cache-write tokens were told pays for them", async () => {
    const customer = await gateway.customer(100_000_000);
    const told = Promise.withResolvers<void>();
    const usage = { input_tokens: 3, cache_creation_input_tokens: 800_000, output_tokens: 1 };
    vendors.messages.script = (_request, reply) => {
      reply.stream();
      const message = { id: "msg_1", type: "message", role: "assistant", content: [], usage };
      const start = JSON.stringify({ type: "message_start", message });
      reply.chunk(`event: message_start\ndata: ${start}\n\n`);
      told.resolve();
    };
    const leaving = new AbortController();
    const options = { prompt: "word ".repeat(160_000), signal: leaving.signal };
    const asked = ask(client, "messages", customer, options).catch(() => null);
    await told.promise;
    leaving.abort();
    await asked;
    const row = await newestRow(gateway, customer.keyId);
    expect(row.outcome).toBe("client_abort");
    const entry = await entryOf(gateway, row.request_id);
    expect(entry).toMatchObject({ kind: "post", micros: 800_004 });
    expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
  });
});

describe.each([...dialects])("a client of %s that leaves a whole answer", (client) => {
  /** The row of a request whose client left when its vendor had begun to work. */
  async function abandon(at: Gateway, upstream: Dialect, answer: (reply: VendorReply) => void) {
    const customer = await at.customer(100_000_000);
    const arrived = Promise.withResolvers<void>();
    vendors[upstream].script = (_request, reply) => {
      arrived.resolve();
      answer(reply);
    };
    const leaving = new AbortController();
    const options = { at, stream: false, outputTokensMax: 1000, signal: leaving.signal };
    const asked = ask(client, upstream, customer, options).catch(() => null);
    await arrived.promise;
    leaving.abort();
    await asked;
    return await newestRow(at, customer.keyId);
  }

  test("X-U21 that comes soon after pays for it", () =>
    each(async (upstream, allLeft) => {
      const counts = { input: 100, output: 900, reasoning: 800 };
      const row = await abandon(patient, upstream, async (reply) => {
        await allLeft();
        reply.json(wires[upstream].reply(spoken, counts));
      });
      const seen = {
        outcome: "client_abort",
        error_code: "client_closed_request",
        status: 499,
        micros: 1000,
      };
      expect(row).toMatchObject(seen);
      const entry = await entryOf(patient, row.request_id);
      expect(entry).toMatchObject({ kind: "post", micros: 1000, loss_micros: 0 });
    }));

  test("X-U21 that does not come pays nothing, and its hold is a possible loss", () =>
    each(async (upstream) => {
      const row = await abandon(gateway, upstream, () => {});
      expect(row).toMatchObject({ outcome: "client_abort", micros: 0 });
      const entry = await entryOf(gateway, row.request_id);
      expect(entry.kind).toBe("void");
      expect(entry.loss_micros).toBe(entry.held_micros);
      expect(entry.loss_micros).toBeGreaterThan(1000);
    }));

  test("X-U21 that is refused soon after costs nothing and is no loss", () =>
    each(async (upstream, allLeft) => {
      const row = await abandon(patient, upstream, async (reply) => {
        await allLeft();
        reply.json(wires[upstream].refusal(400, "No."), 400);
      });
      const entry = await entryOf(patient, row.request_id);
      expect(entry).toMatchObject({ kind: "void", loss_micros: 0 });
    }));
});

test("T18 a stream whose vendor breaks off is charged the input that it had told", async () => {
  const { key } = await gateway.customer(100_000_000);
  vendors.messages.script = (_request, reply) => {
    reply.stream();
    const usage = { input_tokens: 70, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", content: [], usage };
    const start = JSON.stringify({ type: "message_start", message });
    reply.chunk(`event: message_start\ndata: ${start}\n\n`);
    setTimeout(() => reply.cut(), 50);
  };
  const body = clients.messages.body({ model: "messages", prompt: "Hello?" }, true);
  const response = await gateway.post("/v1/messages", body, key);
  expect(await response.text()).toContain('"type":"error"');
  expect(await logRow(gateway, response)).toMatchObject({ outcome: "upstream_error", micros: 71 });
});

test.each([
  ["messages", "messages", { thinking: { type: "enabled", budget_tokens: 5000 } }, 5000],
  [
    "messages",
    "messages",
    { thinking: { type: "enabled", budget_tokens: 5000, display: "omitted" } },
    5000 + spokenTokens,
  ],
  ["messages", "chat", { thinking: { type: "enabled", budget_tokens: 5000 } }, 5000],
  [
    "content",
    "chat",
    { generationConfig: { thinkingConfig: { thinkingBudget: 5000 }, maxOutputTokens: 8000 } },
    5000 + spokenTokens,
  ],
  [
    "content",
    "chat",
    { generationConfig: { thinkingConfig: { thinkingBudget: 5000 }, maxOutputTokens: 2000 } },
    2000,
  ],
  ["chat", "chat", { reasoning_effort: "high" }, spokenTokens],
] as const)(
  "X-U21 thoughts that nobody saw are counted by the budget that %s on %s named: %j",
  async (client, upstream, fields, outputTokens) => {
    begins(upstream, () => {});
    const entry = await entryOf(gateway, await leave(client, upstream, gateway, { fields }));
    const [, output] = /^~?\d+\/(\d+)/.exec(entry.usage ?? "") ?? [];
    // The words are estimated and not counted where only the input was told.
    expect(Math.abs(Number(output) - outputTokens)).toBeLessThan(4);
    expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
  },
);

test("X-U21 where nothing is read on, the vendor is left at once", async () => {
  await using strict = await startGateway({
    config: JSON.stringify({ ...rules, text: { read_on_ms: 0 } }),
  });
  begins("chat", () => {});
  const entry = await entryOf(strict, await leave("chat", "chat", strict));
  await vendors.chat.requests.at(-1)?.closed;
  expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
});

test("X-U21 only so many are read on at once, and the others' vendors are left", async () => {
  const text = { read_on_ms: 30_000, read_on_max: 1 };
  const config = JSON.stringify({ ...rules, text });
  await using narrow = await startGateway({ config, oneProcess: "bounds" });
  begins("chat", () => {});
  begins("content", () => {});
  await leave("chat", "chat", narrow);
  await readOn(narrow, 1);
  const entry = await entryOf(narrow, await leave("content", "content", narrow));
  expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
  const isLeft = vendors.chat.requests.at(-1)?.closed.then(() => true);
  expect(await Promise.race([isLeft, Bun.sleep(100)])).toBeUndefined();
});

test("X-U21 one account has a quarter of those that are read on, and leaves the rest", async () => {
  const text = { read_on_ms: 600_000, read_on_max: 8 };
  const config = JSON.stringify({ ...rules, text });
  await using shared = await startGateway({ config, oneProcess: "bounds" });
  begins("chat", () => {});
  const greedy = await shared.customer(100_000_000);
  await leave("chat", "chat", shared, { known: greedy });
  await leave("chat", "chat", shared, { known: greedy });
  const entry = await entryOf(shared, await leave("chat", "chat", shared, { known: greedy }));
  await vendors.chat.requests.at(-1)?.closed;
  expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
  const told = Promise.withResolvers<void>();
  begins("chat", async (reply) => {
    await told.promise;
    reply.chunk(wires.chat.ending(spoken, { input: 100, output: 700 }));
    reply.end();
  });
  const id = await leave("chat", "chat", shared);
  told.resolve();
  expect(await entryOf(shared, id)).toMatchObject({ kind: "post", micros: 800, loss_micros: 0 });
});

test("X-U21 a whole answer larger than what is read on is left, and is a loss", async () => {
  const text = { read_on_ms: 600_000, read_on_bytes_max: 100_000 };
  await using narrow = await startGateway({ config: JSON.stringify({ ...rules, text }) });
  const customer = await narrow.customer(100_000_000);
  const arrived = Promise.withResolvers<VendorReply>();
  vendors.chat.script = (_request, reply) => arrived.resolve(reply);
  const leaving = new AbortController();
  const options = { at: narrow, stream: false, outputTokensMax: 1000, signal: leaving.signal };
  const asked = ask("chat", "chat", customer, options).catch(() => null);
  const reply = await arrived.promise;
  reply.raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{");
  leaving.abort();
  await asked;
  // The gateway learns that the client has left a moment after the client does.
  const vendor = vendors.chat.requests.at(-1);
  const isClosed = vendor?.closed.then(() => true);
  while (!(await Promise.race([isClosed, Bun.sleep(20)]))) reply.raw(" ".repeat(10_000));
  const row = await newestRow(narrow, customer.keyId);
  expect(row).toMatchObject({ outcome: "client_abort", micros: 0 });
  const entry = await entryOf(narrow, row.request_id);
  expect(entry).toMatchObject({ kind: "void", loss_micros: entry.held_micros });
});

test("X-U21 a stop waits for nobody that is read on, and settles by what came", async () => {
  const config = JSON.stringify({ ...rules, text: { read_on_ms: 600_000 } });
  await using ending = await startGateway({ config });
  begins("chat", () => {});
  const id = await leave("chat", "chat", ending);
  await readOn(ending, 1);
  const startedAtMs = performance.now();
  expect(await ending.stop()).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  const entry = await entryOf(ending, id);
  expect(entry.kind).toBe("post");
  expect(entry.usage).toStartWith("~");
  expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
});
