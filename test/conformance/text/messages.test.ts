// The route of messages: what is taken, what is answered, and the events of a stream.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventsOf, list } from "../../harness/clients/client.ts";
import { messagesClient } from "../../harness/clients/messages.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const path = "/v1/messages";
const vendor = kept(new Vendor(answers("messages", "Hello.")));

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  const channel = { ...wires.messages.channel, name: "scripted", models: ["scripted"] };
  await stand.gateway.control("POST", "/api/channel", vendor.channel(channel));
});

async function ask(body: JsonObject): Promise<JsonObject> {
  const response = await stand.gateway.post(path, body);
  const answer = (await response.json()) as JsonObject;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Request to the scripted vendor for this. */
async function sent(fields: JsonObject): Promise<JsonObject> {
  await ask({ model: "scripted", messages: [hello], max_tokens: 100, ...fields });
  return vendor.requests.at(-1)?.body as JsonObject;
}

const hello = { role: "user", content: "Hello?" };
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tool = { name: "get_weather", description: "The weather.", input_schema: schema };
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR4nGM4AQMMcBYAjLQOETxAoQ8AAAAASUVORK5CYII=";
const base64Image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: png },
};
const urlImage = { type: "image", source: { type: "url", url: "https://images.example/a.png" } };

describe("a message", () => {
  test.each([...dialects])("T13 of a model on %s has the shape, usage included", async (to) => {
    const answer = await ask({ model: modelOf[to], max_tokens: 500, messages: [hello] });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: "message",
      role: "assistant",
      model: modelOf[to],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    } as JsonObject);
    const texts = list<JsonObject>(answer["content"]).filter(({ type }) => type === "text");
    expect(texts).toEqual([
      expect.objectContaining({ type: "text", text: expect.stringContaining("Hello") }),
    ]);
  });

  test.each([...dialects])(
    "T13 on %s takes content and system as text and as blocks",
    async (to) => {
      const blocks = [
        { type: "text", text: "What are these?" },
        base64Image,
        urlImage,
      ] as JsonObject[];
      const system = [
        { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
        { type: "text", text: "Be kind." },
      ];
      const messages = [
        hello,
        { role: "assistant", content: [{ type: "text", text: "Yes?" }] },
        { role: "user", content: blocks },
      ];
      const answer = await ask({ model: modelOf[to], max_tokens: 500, system, messages });
      const { text } = messagesClient.read(answer);
      expect(text).toContain("I see an image of type image/png, 3 by 2 pixels.");
      expect(text).toContain("https://images.example/a.png");
    },
  );

  test.each([...dialects])("T13 on %s has thinking, text and calls as blocks", async (to) => {
    const body = {
      model: modelOf[to],
      max_tokens: 4000,
      thinking: { type: "enabled", budget_tokens: 2000 },
    };
    const spoken = await ask({ ...body, messages: [hello] });
    const types = list<JsonObject>(spoken["content"]).map(({ type }) => type);
    expect(types[0]).toBe("thinking");
    expect(types.at(-1)).toBe("text");
    const [thinking] = list<JsonObject>(spoken["content"]);
    expect(thinking?.["thinking"]).toMatch(/think|Weighing/);
    expect(thinking?.["signature"]).toEqual(expect.any(String));
    const messages = [{ role: "user", content: "Use get_weather for Oslo." }];
    const called = await ask({ ...body, messages, tools: [tool], tool_choice: { type: "auto" } });
    expect(called["stop_reason"]).toBe("tool_use");
    expect(list<JsonObject>(called["content"]).at(-1)).toMatchObject({
      type: "tool_use",
      id: expect.any(String),
      name: "get_weather",
      input: { city: "Oslo" },
    } as JsonObject);
  });

  test.each(["chat", "messages", "content"] as const)(
    "T13 on %s ends at a stop sequence",
    async (to) => {
      const plain = { model: modelOf[to], max_tokens: 500, messages: [hello] };
      const answer = await ask({ ...plain, stop_sequences: ["about"] });
      expect(messagesClient.read(answer).text).toBe("You asked ");
      // Only vendors of this format say which sequence it was.
      expect(answer["stop_reason"]).toBe(to === "messages" ? "stop_sequence" : "end_turn");
      expect(answer["stop_sequence"]).toBe(to === "messages" ? "about" : null);
    },
  );

  test.each([...dialects])("T13 on %s needs no bound of its output", async (to) => {
    const answer = await ask({ model: modelOf[to], messages: [hello] });
    expect(answer["stop_reason"]).toBe("end_turn");
  });

  test("T13 a bound that is absent is filled in: what is paid for, and no more", async () => {
    expect(await sent({ max_tokens: undefined })).toMatchObject({ max_tokens: 64_000 });
    expect(await sent({ max_tokens: 7 })).toMatchObject({ max_tokens: 7 });
  });

  test("T13 every field and every unknown one reaches an upstream that speaks it", async () => {
    const fields = {
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi", x_odd: 1 }, base64Image, urlImage] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm – “so”.", signature: "c2lnbmVk/+==" },
            { type: "redacted_thinking", data: "b3BhcXVl" },
            { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Oslo" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: [base64Image] },
          ],
        },
      ],
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      tools: [tool],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      thinking: { type: "enabled", budget_tokens: 2000 },
      output_config: { effort: "low" },
      stop_sequences: ["END"],
      metadata: { user_id: "u-1" },
      max_tokens: 4000,
      temperature: 1,
      x_vendor: { a: [null, 0] },
    } as unknown as JsonObject;
    expect(await sent(fields)).toEqual({ model: "scripted", ...fields });
    expect(vendor.requests.at(-1)?.path).toBe(path);
  });

  test("T13 `effort` goes on under the vendor's own name for it", async () => {
    const body = await sent({ effort: "low" });
    expect(body["output_config"]).toEqual({ effort: "low" });
    expect(body).not.toHaveProperty("effort");
    for (const to of dialects) {
      await ask({ model: modelOf[to], max_tokens: 4000, messages: [hello], effort: "low" });
    }
  });

  test("T13 the version and the betas that a client names reach the vendor", async () => {
    const headers = {
      authorization: `Bearer ${rootKey}`,
      "content-type": "application/json",
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "context-1m,other",
      "x-secret": "not for the vendor",
    };
    const body = JSON.stringify({ model: "scripted", max_tokens: 9, messages: [hello] });
    await (await fetch(stand.gateway.url + path, { method: "POST", headers, body })).text();
    expect(vendor.requests.at(-1)?.headers).toMatchObject({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "context-1m,other",
      "x-api-key": "sk-vendor-secret-0000",
    });
    expect(vendor.requests.at(-1)?.headers).not.toHaveProperty("x-secret");
    expect(vendor.requests.at(-1)?.headers).not.toHaveProperty("authorization");
    await sent({});
    expect(vendor.requests.at(-1)?.headers["anthropic-version"]).toBe("2023-06-01");
  });

  test("T13 an answer of an upstream that speaks it comes byte for byte", async () => {
    const own = { ...wires.messages.reply("Grüße.", { input: 3, output: 4 }), x_vendor: [1] };
    vendor.script = (_request, reply) => reply.json(own);
    const body = { model: "scripted", max_tokens: 9, messages: [hello] };
    const response = await stand.gateway.post(path, body);
    expect(await response.text()).toBe(JSON.stringify(own));
    vendor.script = answers("messages", "Hello.");
  });

  test.each([
    [{ messages: [hello], max_tokens: "many" }, "max_tokens"],
    [{ messages: [] }, "messages"],
    [{}, "messages"],
    [{ messages: [{ role: "owner", content: "Hi" }] }, "messages.0.role"],
    [{ messages: [{ role: "user", content: 5 }] }, "messages.0.content"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages.0.content.0.text"],
    [{ messages: [hello], system: 5 }, "system"],
    [{ messages: [hello], stop_sequences: "END" }, "stop_sequences"],
  ])("Q5 %j is a 400 that names %s, in the route's own envelope", async (fields, param) => {
    for (const to of dialects) {
      const before = stand.sandbox.calls().total;
      const response = await stand.gateway.post(path, { model: modelOf[to], ...fields });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        type: "error",
        error: {
          type: "invalid_request_error",
          message: expect.stringContaining(param),
          param,
          code: "invalid_request",
          details: { error_code: "invalid_request" },
        },
        request_id: response.headers.get("request-id"),
      });
      expect(stand.sandbox.calls().total).toBe(before);
    }
  });
});

/** The types in order, each run of one type once, without pings, which may be anywhere. */
function stepsOf(events: readonly JsonObject[]): unknown[] {
  const types = events.map(({ type }) => type).filter((type) => type !== "ping");
  return types.filter((type, at) => type !== types[at - 1]);
}

const blockSteps = ["content_block_start", "content_block_delta", "content_block_stop"];
const endSteps = ["message_delta", "message_stop"];

describe.each([...dialects])("a streamed message of a model on %s", (to) => {
  const model = modelOf[to];

  async function streamed(fields: JsonObject): Promise<JsonObject[]> {
    const body = { model, max_tokens: 4000, messages: [hello], stream: true, ...fields };
    const response = await stand.gateway.post(path, body);
    expect(response.status).toBe(200);
    return eventsOf(await response.text());
  }

  test("T14 has every event that clients rely on, in order", async () => {
    const events = await streamed({});
    const steps = stepsOf(events);
    expect(steps[0]).toBe("message_start");
    expect(steps.slice(-2)).toEqual(endSteps);
    // Google signs a text, and the signature has a block of its own.
    const blocks = steps.slice(1, -2);
    for (let at = 0; at < blocks.length; at += blockSteps.length) {
      expect(blocks.slice(at, at + blockSteps.length)).toEqual(blockSteps);
    }
    expect(events[0]).toMatchObject({
      message: { type: "message", role: "assistant", model, content: [], stop_reason: null },
    } as JsonObject);
  });

  test("T14 says at its end why it ended and what was generated", async () => {
    const events = await streamed({});
    const last = events.find(({ type }) => type === "message_delta") as JsonObject;
    const usage = last["usage"] as { output_tokens: number };
    expect(usage.output_tokens).toBeGreaterThan(20);
    expect(last["delta"]).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
  });

  test("T14 has thinking and its signature before a call in pieces", async () => {
    const messages = [{ role: "user", content: "Use get_weather for Oslo." }];
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const events = await streamed({ messages, tools: [tool], thinking });
    const deltas = events.flatMap(({ delta }) => (delta as JsonObject | undefined)?.["type"] ?? []);
    expect(deltas).toContain("thinking_delta");
    expect(deltas.indexOf("signature_delta")).toBeGreaterThan(deltas.indexOf("thinking_delta"));
    expect(deltas.indexOf("input_json_delta")).toBeGreaterThan(
      deltas.lastIndexOf("thinking_delta"),
    );
    const pieces = events
      .map(({ delta }) => (delta as JsonObject | undefined)?.["partial_json"] ?? "")
      .join("");
    expect(pieces).toBe('{"city":"Oslo"}');
    const last = events.find(({ type }) => type === "message_delta");
    expect(last?.["delta"]).toMatchObject({ stop_reason: "tool_use" });
  });
});

test("T14 a stream of an upstream that speaks it and tells its usage comes byte for byte", async () => {
  const { opening, delta, ending } = wires.messages;
  const usage = '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}';
  const begun = opening().replace('"stop_sequence":null}', usage);
  const odd = 'event: odd\ndata: {"type":"odd"}\n\n';
  const text = begun + delta("Grüße.") + odd + ending("", { input: 3, output: 4 });
  vendor.script = (_request, reply) => {
    reply.stream();
    reply.chunk(text);
    reply.end();
  };
  const body = { model: "scripted", max_tokens: 9, messages: [hello], stream: true };
  const response = await stand.gateway.post(path, body);
  expect(await response.text()).toBe(text);
  vendor.script = answers("messages", "Hello.");
});
