// Conversions where the running gateway matters: what is sent to a vendor of another dialect, what
// comes back, and the formats and settings that the matrix of clients leaves out.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { errorOf } from "../../harness/ask.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { list } from "../../harness/clients/client.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { readStream } from "../../harness/event-stream.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(answers(dialect, "Hello.")))]),
) as Record<Dialect, Vendor>;

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  for (const dialect of dialects) {
    const channel = { name: `scripted ${dialect}`, models: [dialect], ...wires[dialect].channel };
    await stand.gateway.control("POST", "/api/channel", vendors[dialect].channel(channel));
  }
});

/** Request to the vendor of a dialect when a client of another asks for this. */
async function sent(client: Dialect, upstream: Dialect, fields: JsonObject): Promise<JsonObject> {
  vendors[upstream].script = answers(upstream, "Hello.");
  const { path, body } = clients[client];
  const asked = { ...body({ model: upstream, prompt: "Hello?" }, false), ...fields };
  const response = await stand.gateway.post(path(upstream, false), asked);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return vendors[upstream].requests.at(-1)?.body as JsonObject;
}

describe("legacy completions", () => {
  test.each([...dialects])("T8 are answered by a model on %s, whole and streamed", async (to) => {
    const asked = { model: modelOf[to], prompt: "Lighthouses are", max_tokens: 60 };
    const whole = await stand.gateway.post("/v1/completions", asked);
    const body = (await whole.json()) as JsonObject;
    expect(body).toMatchObject({
      object: "text_completion",
      choices: [
        {
          index: 0,
          text: expect.stringContaining("Lighthouses"),
          finish_reason: expect.any(String),
        },
      ],
    } as JsonObject);
    const options = { stream: true, stream_options: { include_usage: true } };
    const streamed = await stand.gateway.post("/v1/completions", { ...asked, ...options });
    const { data, chunks } = await readStream(streamed);
    expect(data.at(-1)).toBe("[DONE]");
    const texts = chunks.flatMap(({ choices }) => list<{ text: string }>(choices));
    const [choice] = list<{ text: string }>(body["choices"]);
    expect(texts.map(({ text }) => text).join("")).toContain("Lighthouses");
    expect(choice?.text).toBeTruthy();
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number) },
    });
    expect(await logRow(stand.gateway, streamed)).toMatchObject({ channel: to, outcome: "ok" });
  });

  test("T8 of several prompts are for upstreams that speak them alone", async () => {
    for (const to of ["responses", "messages", "content"] as const) {
      const asked = { model: modelOf[to], prompt: ["One.", "Two."] };
      const response = await stand.gateway.post("/v1/completions", asked);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).param).toStartWith("prompt");
    }
  });
});

describe("tools", () => {
  const name = `mcp__plugin_${"x".repeat(90)}__get_weather`;
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

  test.each([...dialects])(
    "X-T08 with long names come back under them, from a client of %s",
    async (client) => {
      const { path, body, read, assemble, next } = clients[client];
      for (const upstream of dialects) {
        if (upstream === client) continue;
        for (const isStream of [false, true]) {
          const model = modelOf[upstream];
          const tools = [{ name, schema }];
          const asked = body(
            { model, prompt: "What is the weather in Oslo?", tools, choice: name },
            isStream,
          );
          const response = await stand.gateway.post(path(model, isStream), asked);
          const text = await response.text();
          expect([upstream, response.status, text]).toEqual([upstream, 200, text]);
          const reply = isStream ? assemble(text) : (JSON.parse(text) as JsonObject);
          expect(read(reply).calls).toMatchObject([{ name, input: { city: "Oslo" } }]);
          const later = next(body({ model, prompt: "And?", tools }, isStream), reply, ["Rain."]);
          expect((await stand.gateway.post(path(model, isStream), later)).status).toBe(200);
        }
      }
    },
  );

  test.each(["messages", "content", "chat"] as const)(
    "X-T26 that take free text are carried to %s and back",
    async (to) => {
      const tools = [{ type: "custom", name: "run_script", description: "Runs it." }];
      const asked = { model: modelOf[to], input: "Use run_script for Oslo.", tools };
      const response = await stand.gateway.post("/v1/responses", asked);
      const answer = (await response.json()) as JsonObject;
      const call = list<JsonObject>(answer["output"]).find(
        ({ type }) => type === "custom_tool_call",
      );
      expect([call?.["name"], call?.["input"]]).toEqual([
        "run_script",
        expect.stringMatching(/^\w/),
      ]);
      const result = {
        type: "custom_tool_call_output",
        call_id: call?.["call_id"],
        output: "Done.",
      };
      const user = { role: "user", content: "Use run_script for Oslo." };
      const input = [user, ...list<JsonObject>(answer["output"]), result];
      const later = await stand.gateway.post("/v1/responses", { ...asked, input });
      expect(clients.responses.read((await later.json()) as JsonObject).text).toContain("Done.");
    },
  );
});

describe("what a vendor is sent", () => {
  test("T6 has a schema for the answer in the words of each dialect", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    };
    const response_format = {
      type: "json_schema",
      json_schema: { name: "city", schema, strict: true },
    };
    expect(await sent("chat", "responses", { response_format })).toMatchObject({
      text: { format: { type: "json_schema", name: "city", schema, strict: true } },
    });
    expect(await sent("chat", "messages", { response_format })).toMatchObject({
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(await sent("chat", "content", { response_format })).toMatchObject({
      generationConfig: { responseMimeType: "application/json" },
    });
  });

  test("T7 says how hard to think and how much to say in the words of each dialect", async () => {
    const fields = { reasoning_effort: "high", max_completion_tokens: 9000 };
    expect(await sent("chat", "responses", fields)).toMatchObject({
      reasoning: { effort: "high" },
      max_output_tokens: 9000,
    });
    expect(await sent("chat", "messages", fields)).toMatchObject({
      max_tokens: 9000,
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
    });
    expect(await sent("chat", "content", fields)).toMatchObject({
      generationConfig: { maxOutputTokens: 9000, thinkingConfig: expect.any(Object) },
    });
    expect(await sent("messages", "chat", { effort: "low", max_tokens: 70 })).toMatchObject({
      reasoning_effort: "low",
    });
  });

  test("Q1 never asks for more output than was paid for in advance", async () => {
    const body = await sent("chat", "messages", {});
    expect(body["max_tokens"]).toBe(64_000);
    const bounded = await sent("chat", "messages", { max_tokens: 50, reasoning_effort: "high" });
    expect(bounded["max_tokens"]).toBe(50);
    expect(bounded).not.toHaveProperty("thinking.budget_tokens");
  });

  test("X-M01 X-M07 has roles in the order that a strict vendor takes", async () => {
    const messages = [
      { role: "system", content: "One." },
      { role: "user", content: "Two." },
      { role: "developer", content: "Three." },
      { role: "user", content: "Four." },
      { role: "assistant", content: "Five." },
      { role: "user", content: "Six." },
    ];
    for (const to of dialects) {
      const response = await stand.gateway.post("/v1/chat/completions", {
        model: modelOf[to],
        messages,
      });
      const text = await response.text();
      expect([to, response.status, text]).toEqual([to, 200, text]);
    }
  });
});

describe("what a vendor answers", () => {
  test("X-S14 events under the name of JSON are put together, whole or not at their end", async () => {
    const { opening, delta, ending } = wires.responses;
    const full = opening() + delta("Hello.") + ending("Hello.", { input: 3, output: 4 });
    const empty = full.replace(
      /("status":"completed",)?"output":\[\{[^]*?\}\]\}\],"usage"/,
      '$1"output":[],"usage"',
    );
    expect(empty).not.toBe(full);
    for (const text of [full, empty]) {
      vendors.responses.script = (_request, reply) =>
        reply.raw(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      for (const client of ["chat", "messages", "content"] as const) {
        const { path, body, read } = clients[client];
        const asked = body({ model: "responses", prompt: "Hello?" }, false);
        const response = await stand.gateway.post(path("responses", false), asked);
        expect(read((await response.json()) as JsonObject)).toMatchObject({
          text: "Hello.",
          input: 3,
          output: 4,
        });
      }
    }
  });

  test("Q4 is an error when it is nothing of its dialect, for every client", async () => {
    for (const upstream of dialects) {
      vendors[upstream].script = (_request, reply) => reply.json({ hello: "world" });
      for (const client of dialects) {
        const { path, body } = clients[client];
        const asked = body({ model: upstream, prompt: "Hello?" }, false);
        const response = await stand.gateway.post(path(upstream, false), asked);
        expect([client, upstream, response.status]).toEqual([client, upstream, 500]);
        expect(await errorOf(response)).toMatchObject({ code: "bad_response_body" });
      }
    }
  });

  test("T16 in events of single bytes reaches every client whole", async () => {
    for (const upstream of dialects) {
      const { opening, delta, ending } = wires[upstream];
      const text = opening() + delta("Grüße 🌍.") + ending("Grüße 🌍.", { input: 3, output: 4 });
      vendors[upstream].script = (_request, reply) => {
        reply.stream();
        for (const byte of Buffer.from(text)) {
          reply.raw("1\r\n");
          reply.raw(Uint8Array.of(byte));
          reply.raw("\r\n");
        }
        reply.end();
      };
      for (const client of dialects) {
        const { path, body, read, assemble } = clients[client];
        const asked = body({ model: upstream, prompt: "Hello?" }, true);
        const response = await stand.gateway.post(path(upstream, true), asked);
        expect(read(assemble(await response.text()))).toMatchObject({
          text: "Grüße 🌍.",
          input: 3,
          output: 4,
        });
      }
    }
  });
});
