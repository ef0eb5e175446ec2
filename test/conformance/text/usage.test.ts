// Charge for an answer of each dialect: what the vendor says, at each rate of its own, and what a
// tokenizer counts where the vendor says nothing.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf, eventually, type LogRow, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { eventsOf } from "../../harness/clients/client.ts";
import { dialects, type DialectsStand, modelOf, startDialects } from "../../harness/dialects.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, type Counts, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor((_request, reply) => reply.cut())]),
) as Record<Dialect, Vendor>;
let stand: DialectsStand;
let customer: { id: string; key: string; keyId: string };

beforeAll(async () => {
  const prices = dialects.map((model) => ({
    model,
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 10_000_000,
    cache_read_micros_per_million: 100_000,
    cache_write_micros_per_million: 1_250_000,
  }));
  stand = await startDialects(`prices: ${JSON.stringify(prices)}`);
  for (const dialect of dialects) {
    const channel = { name: `scripted ${dialect}`, models: [dialect], ...wires[dialect].channel };
    await stand.gateway.control("POST", "/api/channel", vendors[dialect].channel(channel));
  }
  customer = await stand.gateway.customer(1_000_000_000);
  await tokenizerIsThere(stand.gateway, modelOf.chat);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

interface Asked {
  client: Dialect;
  upstream: Dialect;
  isStream: boolean;
}

/** Every client on every dialect, whole and streamed, all at once. */
async function everywhere(check: (asked: Asked) => Promise<void>): Promise<void> {
  const all = dialects.flatMap((client) =>
    dialects.flatMap((upstream) =>
      [false, true].map((isStream) => ({ client, upstream, isStream })),
    ),
  );
  await Promise.all(all.map(check));
}

const prompt = "Tell me where lighthouses stand, and why they do.";

async function ask({ client, upstream, isStream }: Asked): Promise<{ text: string; row: LogRow }> {
  const { path, body } = clients[client];
  const asked = body({ model: upstream, prompt, outputTokensMax: 500 }, isStream);
  const response = await stand.gateway.post(path(upstream, isStream), asked, customer.key);
  const text = await response.text();
  expect([client, upstream, isStream, response.status]).toEqual([client, upstream, isStream, 200]);
  return { text, row: await logRow(stand.gateway, response) };
}

function say(counts: Counts | null, text = "Hello."): void {
  for (const dialect of dialects) vendors[dialect].script = answers(dialect, text, counts);
}

describe("what the vendor says", () => {
  test("Q2 X-U17 is billed on every dialect: cache at its own rates, and each token once", async () => {
    const counts = { input: 1000, output: 50, cacheRead: 300, cacheWrite: 200, reasoning: 20 };
    say(counts);
    await everywhere(async (asked) => {
      const { row } = await ask(asked);
      // Google's cache is not written by requests.
      const written = asked.upstream === "content" ? 0 : 200;
      const micros = 1000 - 300 - written + 300 * 0.1 + written * 1.25 + 50 * 10;
      expect({ ...asked, ...row }).toMatchObject({
        ...asked,
        input_tokens: 1000,
        output_tokens: 50,
        cache_read_tokens: 300,
        cache_write_tokens: written,
        reasoning_tokens: 20,
        micros,
        estimated: false,
      });
    });
  });

  test("X-U18 reaches the client in its own words, cache and reasoning included", async () => {
    say({ input: 1000, output: 50, cacheRead: 300, reasoning: 20 });
    await everywhere(async (asked) => {
      const { read, assemble } = clients[asked.client];
      const { text } = await ask(asked);
      const { input, output, cacheRead, reasoningTokens } = read(
        asked.isStream ? assemble(text) : (JSON.parse(text) as JsonObject),
      );
      expect([asked, input, output, cacheRead, reasoningTokens]).toEqual([
        asked,
        1000,
        50,
        300,
        20,
      ]);
    });
  });

  test("X-U18 is shown as it is charged where a cache was read and written by one report", async () => {
    say({ input: 2168, output: 50, cacheRead: 2161, cacheWrite: 2161 });
    await everywhere(async (asked) => {
      // The other two have no such report: their input is what is left of it.
      if (asked.upstream === "messages" || asked.upstream === "content") return;
      const { read, assemble } = clients[asked.client];
      const { text, row } = await ask(asked);
      expect(row).toMatchObject({ input_tokens: 2168, cache_read_tokens: 2161 });
      expect(row.micros).toBe(Math.ceil(2161 * 0.1 + 7 * 1.25 + 50 * 10));
      const { input } = read(asked.isStream ? assemble(text) : (JSON.parse(text) as JsonObject));
      expect([asked, input]).toEqual([asked, 2168]);
    });
  });

  test("Q2 is not believed when it is nothing and words came: they are counted here", async () => {
    say({ input: 0, output: 0 });
    await everywhere(async (asked) => {
      const { row } = await ask(asked);
      expect({ ...asked, ...row }).toMatchObject({ ...asked, estimated: true });
      expect([asked, row.input_tokens > 0, row.output_tokens > 0]).toEqual([asked, true, true]);
    });
  });

  test("X-U14 X-U15 in a stream of messages is joined, and the last word counts", async () => {
    const { delta } = wires.messages;
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const message = { id: "msg_1", type: "message", role: "assistant", content: [] };
    const stream = (last: object) =>
      [
        event("message_start", {
          message: {
            ...message,
            usage: { input_tokens: 100, cache_read_input_tokens: 40, output_tokens: 1 },
          },
        }),
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        delta("Hello."),
        event("content_block_stop", { index: 0 }),
        event("message_delta", { delta: { stop_reason: "end_turn" }, usage: last }),
        event("message_stop", {}),
      ].join("");
    for (const [last, input] of [
      [{ output_tokens: 30 }, 140],
      [{ output_tokens: 30, input_tokens: 120, cache_read_input_tokens: 40 }, 160],
    ] as const) {
      vendors.messages.script = (_request, reply) => {
        reply.stream();
        reply.chunk(stream(last));
        reply.end();
      };
      for (const client of dialects) {
        const { row } = await ask({ client, upstream: "messages", isStream: true });
        expect(row).toMatchObject({
          input_tokens: input,
          output_tokens: 30,
          cache_read_tokens: 40,
        });
      }
    }
  });
});

test("X-U21 what came after a first report is paid for when the stream breaks", async () => {
  const text = "One two three four five six seven eight nine ten.";
  const early = {
    messages: wires.messages
      .opening()
      .replace(
        '"stop_reason":null',
        '"usage":{"input_tokens":10,"output_tokens":1},"stop_reason":null',
      ),
    content: `data: ${JSON.stringify({
      candidates: [{ content: { role: "model", parts: [{ text: "So. " }] }, index: 0 }],
      usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
    })}\n\n`,
  };
  for (const upstream of ["messages", "content"] as const) {
    vendors[upstream].script = (_request, reply) => {
      reply.stream();
      reply.chunk(early[upstream] + wires[upstream].delta(text));
      reply.end();
    };
    for (const client of dialects) {
      const { row } = await ask({ client, upstream, isStream: true });
      expect([client, upstream, row.outcome]).toEqual([client, upstream, "upstream_error"]);
      expect(row.output_tokens).toBeWithin(10, 16);
      expect(row.input_tokens).toBeWithin(10, 14);
    }
  }
});

describe("what the vendor does not say", () => {
  const text =
    "Lighthouses stand on rocks, on cliffs and on piers; sailors look for them at night.";

  test("Q2 is counted by a tokenizer on every dialect, whole and streamed", async () => {
    say(null, text);
    await everywhere(async (asked) => {
      const { row } = await ask(asked);
      expect({ ...asked, ...row }).toMatchObject({
        ...asked,
        output_tokens: countTokens(text),
        input_tokens: countTokens(prompt),
        estimated: true,
        micros: countTokens(prompt) + countTokens(text) * 10,
      });
    });
  });

  test("Q2 is counted from the sandbox's own answers as well, calls included", async () => {
    await Promise.all(
      dialects.map(async (upstream) => {
        const tools = [
          {
            name: "get_weather",
            schema: { type: "object", properties: { city: { type: "string" } } },
          },
        ];
        const { body, read } = clients.chat;
        const asked = body(
          { model: modelOf[upstream], prompt: "sandbox:no-usage get_weather for Oslo", tools },
          false,
        );
        const response = await stand.gateway.post("/v1/chat/completions", asked, customer.key);
        const [call] = read((await response.json()) as JsonObject).calls;
        const row = await logRow(stand.gateway, response);
        const called = countTokens("get_weather") + countTokens(JSON.stringify(call?.input));
        expect([upstream, row.estimated, row.output_tokens]).toEqual([upstream, true, called]);
      }),
    );
  });

  test("X-U20 is asked for of chat vendors, whatever the client asked for", async () => {
    say({ input: 5, output: 6 });
    for (const client of dialects) {
      await ask({ client, upstream: "chat", isStream: true });
      expect(vendors.chat.requests.at(-1)?.body).toMatchObject({
        stream_options: { include_usage: true },
      });
    }
  });

  test("T4 X-U20 is hidden from chat clients that did not ask, and billed", async () => {
    say({ input: 5, output: 6 });
    await Promise.all(
      dialects.map(async (upstream) => {
        const messages = [{ role: "user", content: prompt }];
        const asked = { model: upstream, messages, stream: true };
        for (const options of [{}, { stream_options: { include_usage: false } }]) {
          const body = { ...asked, ...options };
          const response = await stand.gateway.post("/v1/chat/completions", body, customer.key);
          const text = await response.text();
          expect(text).toEndWith("data: [DONE]\n\n");
          expect(text).not.toContain("prompt_tokens");
          for (const { choices } of eventsOf(text).slice(0, -1)) expect(choices).toHaveLength(1);
          const row = await logRow(stand.gateway, response);
          expect(row).toMatchObject({ input_tokens: 5, output_tokens: 6, estimated: false });
        }
        const body = { ...asked, stream_options: { include_usage: true } };
        const response = await stand.gateway.post("/v1/chat/completions", body, customer.key);
        const chunks = eventsOf(await response.text()).slice(0, -1);
        expect(chunks.at(-1)).toMatchObject({
          choices: [],
          usage: { prompt_tokens: 5, completion_tokens: 6 },
        });
        expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
      }),
    );
  });
});

test("Q2 after all of it nothing is held and the account has paid what the log says", async () => {
  const { held_micros: held, used_micros: used } = await balanceOf(stand.gateway, customer.id);
  expect(held).toBe(0);
  await eventually("all of the log", async () =>
    (await loggedMicros()) === used ? true : undefined,
  );
});

async function loggedMicros(): Promise<number> {
  let total = 0;
  for (let page = 1; ; page++) {
    const path = `/api/log?key=${customer.keyId}&p=${page}&page_size=100`;
    const { items } = await stand.gateway.control<{ items: LogRow[] }>("GET", path);
    total += items.reduce((sum, { micros }) => sum + micros, 0);
    if (items.length < 100) return total;
  }
}
