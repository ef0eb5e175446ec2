// Answers of nothing that are answers, because their vendor counted them or the request left
// nothing to say; and what becomes of those that are thrown away although they were counted.
import { beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { wires, type Counts } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor((_request, reply) => reply.cut()))]),
) as Record<Dialect, Vendor>;
let customer: { id: string; key: string };

/** Two channels to each vendor, so that one that is tried again is seen to be. */
const channels = dialects.flatMap((dialect) =>
  ["first", "second"].map((name) =>
    vendors[dialect].channel({
      name: `${name} ${dialect}`,
      ...wires[dialect].channel,
      models: [dialect],
      priority: name === "first" ? 1 : 0,
    }),
  ),
);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels,
      prices: dialects.map((model) => ({
        model,
        input_micros_per_million: 1e6,
        output_micros_per_million: 1e6,
      })),
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

// Nobody has used up what an account may waste.
beforeEach(async () => {
  customer = await gateway.customer(100_000_000);
});

/** The vendor says this, whatever it is asked for. */
function says(upstream: Dialect, whole: object, streamed: string): void {
  vendors[upstream].requests.length = 0;
  vendors[upstream].script = ({ body, path }, reply) => {
    if (body["stream"] !== true && !path.includes(":stream")) return reply.json(whole);
    // In one piece, so that nothing is shown before its end is known.
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    reply.raw(`${head}content-length: ${Buffer.byteLength(streamed)}\r\n\r\n${streamed}`);
  };
}

function saysNothing(upstream: Dialect, counts: Counts | null): void {
  const { reply, opening, delta, ending } = wires[upstream];
  says(upstream, reply("", counts), opening() + delta("") + ending("", counts));
}

interface Asked {
  client: Dialect;
  upstream: Dialect;
  stream: boolean;
  body?: (body: JsonObject) => JsonObject;
}

async function ask({ client, upstream, stream, body: changed = (body) => body }: Asked) {
  const { path, body } = clients[client];
  const wanted = changed(body({ model: upstream, prompt: "Hello?" }, stream));
  return await gateway.post(path(upstream, stream), wanted, customer.key);
}

const idOf = (response: Response) => response.headers.get("x-request-id") ?? "";

async function readAnswer(asked: Asked, response: Response) {
  const text = await response.text();
  expect([asked, response.status, text]).toEqual([asked, 200, text]);
  const { assemble, read } = clients[asked.client];
  return read(asked.stream ? assemble(text) : (JSON.parse(text) as JsonObject));
}

const ways = [true, false];
const pairs = dialects.flatMap((client) => dialects.map((upstream) => ({ client, upstream })));

describe.each(pairs)("nothing of $upstream to a client of $client", (pair) => {
  const { client, upstream } = pair;

  test("X-U28 that was counted is an answer: one call, passed on and charged", async () => {
    saysNothing(upstream, { input: 60, output: 2 });
    for (const stream of ways) {
      const before = vendors[upstream].requests.length;
      const response = await ask({ ...pair, stream });
      const answered = await readAnswer({ ...pair, stream }, response);
      expect(answered).toMatchObject({ text: "", calls: [], stop: naturalEnds[client] });
      expect(vendors[upstream].requests.length - before).toBe(1);
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ outcome: "ok", micros: 62, attempts: 1 });
    }
  });

  test("X-U28 that nobody counted is one behind a tool's result or the assistant's words", async () => {
    saysNothing(upstream, { input: 60, output: 0 });
    for (const body of [withResult[client], withWords[client]]) {
      for (const stream of ways) {
        const before = vendors[upstream].requests.length;
        const asked = { ...pair, stream, body };
        const response = await ask(asked);
        // Google takes no turn of the assistant at the end, and nothing is sent there.
        if (response.status === 400 && upstream === "content" && client !== "content") continue;
        expect((await readAnswer(asked, response)).text).toBe("");
        expect(vendors[upstream].requests.length - before).toBe(1);
        expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", micros: 60 });
      }
    }
  });

  test("X-U31 that is thrown away though its input was counted is a loss of each channel", async () => {
    saysNothing(upstream, { input: 60, output: 0 });
    for (const stream of ways) {
      const before = await lostOn(upstream);
      const response = await ask({ ...pair, stream });
      await response.text();
      expect(response.status).toBe(500);
      const entry = await entryOf(gateway, idOf(response));
      expect(entry).toMatchObject({ kind: "void", micros: 0, loss_micros: 120 });
      const after = await lostOn(upstream);
      expect(after.map((lost, at) => lost - (before[at] ?? 0))).toEqual([60, 60]);
      expect(await triesOf(response)).toMatchObject([
        { outcome: "failed", words: expect.stringContaining("60 tokens of input, 0 of output") },
        { outcome: "failed", words: expect.stringContaining("60 tokens of input, 0 of output") },
      ]);
    }
  });
});

test("X-U31 an account has 20 answers for nothing, and then takes and pays what comes", async () => {
  saysNothing("messages", { input: 60, output: 0 });
  const statuses: number[] = [];
  for (let at = 0; at < 40; at++) {
    const response = await ask({ client: "messages", upstream: "messages", stream: false });
    await response.text();
    statuses.push(response.status);
  }
  const failed = statuses.filter((status) => status === 500).length;
  // Two channels each, and one request in ten earns another.
  expect(failed).toBeWithin(10, 14);
  expect(statuses.slice(0, 11)).toEqual([...Array.from({ length: 10 }, () => 500), 200]);
  expect(vendors.messages.requests.length).toBe(40 + failed);
});

test("X-U28 40 large requests behind the assistant's words are charged, and none is sent twice", async () => {
  saysNothing("messages", { input: 45_000, output: 0 });
  const messages = [
    { role: "user", content: "word ".repeat(40_000) },
    { role: "assistant", content: "Done." },
  ];
  const requests = Array.from({ length: 40 }, async () => {
    const body = { model: "messages", max_tokens: 100, messages };
    const response = await gateway.post("/v1/messages", body, customer.key);
    await response.text();
    return response.status;
  });
  expect(new Set(await Promise.all(requests))).toEqual(new Set([200]));
  expect(vendors.messages.requests.length).toBe(40);
  expect((await balanceOf(gateway, customer.id)).used_micros).toBe(40 * 45_000);
});

describe("a response", () => {
  const usage = { input_tokens: 60, output_tokens: 9, total_tokens: 69 };
  const head = { id: "resp_x", object: "response", status: "completed", model: "m", usage };
  const outputs = [
    [{ type: "reasoning", id: "rs_1", summary: [] }],
    [
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "", annotations: [] }],
      },
    ],
  ];

  test("X-U28 of one reasoning item, or of a message without words, is an answer", async () => {
    for (const output of outputs) {
      const response = { ...head, output };
      const item = { output_index: 0, item: output[0] };
      const events = [
        { type: "response.output_item.added", ...item },
        { type: "response.output_item.done", ...item },
        { type: "response.completed", response },
      ].map((event, at) => `data: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`);
      says("responses", response, events.join(""));
      for (const client of dialects) {
        for (const stream of ways) {
          const asked = { client, upstream: "responses", stream } as const;
          const answer = await ask(asked);
          expect((await readAnswer(asked, answer)).text).toBe("");
          expect(await logRow(gateway, answer)).toMatchObject({ outcome: "ok", micros: 69 });
        }
      }
    }
  });
});

const naturalEnds: Readonly<Record<Dialect, string>> = {
  chat: "stop",
  responses: "completed",
  messages: "end_turn",
  content: "STOP",
};

const call = { name: "look", arguments: "{}" };

/** The same conversation, ending in the result of a tool. */
const withResult: Readonly<Record<Dialect, (body: JsonObject) => JsonObject>> = {
  chat: (body) => ({
    ...body,
    tools: [{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
    messages: [
      ...(body["messages"] as JsonObject[]),
      { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: call }] },
      { role: "tool", tool_call_id: "call_1", content: "Nothing there." },
    ],
  }),
  responses: (body) => ({
    ...body,
    tools: [{ type: "function", name: "look", parameters: { type: "object" } }],
    input: [
      { role: "user", content: "Hello?" },
      { type: "function_call", call_id: "call_1", ...call },
      { type: "function_call_output", call_id: "call_1", output: "Nothing there." },
    ],
  }),
  messages: (body) => ({
    ...body,
    tools: [{ name: "look", input_schema: { type: "object" } }],
    messages: [
      ...(body["messages"] as JsonObject[]),
      { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "look", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: "Nothing there." }],
      },
    ],
  }),
  content: (body) => ({
    ...body,
    tools: [{ functionDeclarations: [{ name: "look" }] }],
    contents: [
      ...(body["contents"] as JsonObject[]),
      { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "look", response: { found: "nothing" } } }],
      },
    ],
  }),
};

/** The same conversation, ending in a turn of the assistant. */
const withWords: Readonly<Record<Dialect, (body: JsonObject) => JsonObject>> = {
  chat: (body) => ({
    ...body,
    messages: [...(body["messages"] as JsonObject[]), { role: "assistant", content: "Done." }],
  }),
  responses: (body) => ({
    ...body,
    input: [
      { role: "user", content: "Hello?" },
      { role: "assistant", content: "Done." },
    ],
  }),
  messages: (body) => ({
    ...body,
    messages: [...(body["messages"] as JsonObject[]), { role: "assistant", content: "Done." }],
  }),
  content: (body) => ({
    ...body,
    contents: [
      ...(body["contents"] as JsonObject[]),
      { role: "model", parts: [{ text: "Done." }] },
    ],
  }),
};

/** Micros lost on the first and the second channel to a vendor. */
async function lostOn(upstream: Dialect): Promise<number[]> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return ["first", "second"].map((name) => {
    const line = text
      .split("\n")
      .find(
        (one) =>
          one.startsWith("sluice_lost_micros_total{") &&
          one.includes(`channel="${name} ${upstream}"`),
      );
    return Number(line?.split(" ").at(-1) ?? 0);
  });
}

async function triesOf(response: Response): Promise<object[] | undefined> {
  await logRow(gateway, response);
  const path = `/api/log/${idOf(response)}`;
  const { items } = await gateway.control<{ items: { tries: object[] }[] }>("GET", path);
  return items[0]?.tries;
}
