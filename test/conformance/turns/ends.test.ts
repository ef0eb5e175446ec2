// Ends that say why: one call, the vendor's reply as it is to its own clients, and to others the word
// that their wire has for it, which is never that of a success.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { eventsOf } from "../../harness/clients/client.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor((_request, reply) => reply.cut()))]),
) as Record<Dialect, Vendor>;
let customer: { id: string; key: string };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: dialects.flatMap((dialect) =>
        ["first", "second"].map((name) =>
          vendors[dialect].channel({
            name: `${name} ${dialect}`,
            ...wires[dialect].channel,
            models: [dialect],
          }),
        ),
      ),
      prices: dialects.map((model) => ({
        model,
        input_micros_per_million: 1e6,
        output_micros_per_million: 1e6,
      })),
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
});

/** A whole reply and a stream that end with a word, behind a text or behind none. */
const ending: Readonly<Partial<Record<Dialect, (word: string, text: string) => [object, string]>>> =
  {
    chat(word, text) {
      const whole = { ...wires.chat.reply(text, counts) } as { choices: JsonObject[] };
      const choices = whole.choices.map((choice) => ({ ...choice, finish_reason: word }));
      const streamed = wires.chat.ending(text, counts).replace('"stop"', JSON.stringify(word));
      return [{ ...whole, choices }, begun("chat", text) + streamed];
    },
    messages(word, text) {
      const whole = { ...wires.messages.reply(text, counts), stop_reason: word };
      const streamed = wires.messages.ending(text, counts).replace("end_turn", word);
      const content = text === "" ? { content: [] } : {};
      return [{ ...whole, ...content }, begun("messages", text) + streamed];
    },
    content(word, text) {
      const parts = text === "" ? {} : { content: { role: "model", parts: [{ text }] } };
      const whole = {
        candidates: [{ ...parts, finishReason: word, index: 0 }],
        usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
      };
      return [whole, `data: ${JSON.stringify(whole)}\n\n`];
    },
  };

const counts = { input: 10, output: 0 };

function begun(dialect: Dialect, text: string): string {
  return wires[dialect].opening() + (text === "" ? "" : wires[dialect].delta(text));
}

function plays(upstream: Dialect, whole: object, streamed: string): void {
  vendors[upstream].requests.length = 0;
  vendors[upstream].script = ({ body, path }, reply) => {
    if (body["stream"] !== true && !path.includes(":stream")) return reply.json(whole);
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    reply.raw(`${head}content-length: ${Buffer.byteLength(streamed)}\r\n\r\n${streamed}`);
  };
}

async function ask(client: Dialect, upstream: Dialect, stream: boolean): Promise<Response> {
  const { path, body } = clients[client];
  const wanted = body({ model: upstream, prompt: "Hello?", thinks: client === "messages" }, stream);
  return await gateway.post(path(upstream, stream), wanted, customer.key);
}

const filtered: Readonly<Record<Dialect, string>> = {
  chat: "content_filter",
  responses: "content_filter",
  messages: "refusal",
  content: "SAFETY",
};
const unknown = { ...filtered, content: "OTHER" };
const cut = {
  chat: "length",
  responses: "max_output_tokens",
  messages: "max_tokens",
  content: "MAX_TOKENS",
};
const full = { ...cut, messages: "model_context_window_exceeded" };

const words: readonly [Dialect, string, Readonly<Record<Dialect, string>>][] = [
  ["content", "MODEL_ARMOR", filtered],
  ["content", "OTHER", unknown],
  ["content", "NO_IMAGE", unknown],
  ["content", "MALFORMED_RESPONSE", unknown],
  ["content", "MISSING_THOUGHT_SIGNATURE", unknown],
  ["content", "A_WORD_OF_TOMORROW", unknown],
  ["chat", "sensitive", filtered],
  ["chat", "content_filter: violence", filtered],
  ["chat", "insufficient_system_resource", cut],
  ["chat", "model_length", full],
  ["chat", "a_word_of_tomorrow", unknown],
  ["messages", "a_word_of_tomorrow", unknown],
];

function withoutUsage(reply: object): object {
  return { ...reply, usage: null, usageMetadata: null };
}

describe.each(words)("an end of %s that says %s", (upstream, word, told) => {
  test("X-U30 is one call, passed as it is, and for other wires no success", async () => {
    for (const text of ["", "Some words."]) {
      const [whole, streamed] = ending[upstream]?.(word, text) ?? [{}, ""];
      plays(upstream, whole, streamed);
      for (const client of dialects) {
        for (const stream of [true, false]) {
          const before = vendors[upstream].requests.length;
          const response = await ask(client, upstream, stream);
          const body = await response.text();
          expect([client, stream, response.status, body]).toEqual([client, stream, 200, body]);
          expect(vendors[upstream].requests.length - before).toBe(1);
          const { assemble, read } = clients[client];
          const answered = read(stream ? assemble(body) : (JSON.parse(body) as JsonObject));
          expect([client, answered.text]).toEqual([client, text]);
          const expected = client === upstream ? word : told[client];
          expect([client, answered.stop]).toEqual([client, expected]);
          if (client !== upstream || stream) continue;
          // The vendor tells no output: that of a text is counted, and the count is told.
          const shown = text === "" ? whole : withoutUsage(whole);
          const reply: object = JSON.parse(body);
          expect(text === "" ? reply : withoutUsage(reply)).toEqual(shown);
        }
      }
    }
  });
});

describe.each(dialects.filter((client) => client !== "content"))(
  "a call of Google's that cannot be read behind a thought, for a client of %s",
  (client) => {
    const usageMetadata = { promptTokenCount: 10, thoughtsTokenCount: 20, totalTokenCount: 30 };
    const thought = { text: "The user wants the weather.", thought: true };
    const chunk = (fields: object) =>
      `data: ${JSON.stringify({ candidates: [{ index: 0, ...fields }], usageMetadata })}\n\n`;
    const said = chunk({ content: { role: "model", parts: [thought] } });
    const unread = chunk({ finishReason: "MALFORMED_FUNCTION_CALL" });

    test("X-U27 is an error event, not an end, and what was thought is charged", async () => {
      plays("content", {}, said + unread);
      const response = await ask(client, "content", true);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(JSON.stringify(eventsOf(text).at(-1))).toContain("could not read a call");
      expect(text).not.toMatch(/"finish_reason":"|"stop_reason":"|\[DONE\]|response\.completed/);
      expect(await logRow(gateway, response)).toMatchObject({
        outcome: "upstream_error",
        micros: 30,
      });
    });

    test("X-U27 is a failed attempt where it comes whole", async () => {
      const candidate = { index: 0, finishReason: "MALFORMED_FUNCTION_CALL" };
      const content = { role: "model", parts: [thought] };
      plays("content", { candidates: [{ ...candidate, content }], usageMetadata }, "");
      const response = await ask(client, "content", false);
      expect(response.status).toBe(500);
      expect(vendors.content.requests.length).toBe(2);
    });
  },
);
